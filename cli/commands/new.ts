/** `new <folder> --template <name>`: a copy of one of the example projects, named after its folder (definitions 8). */
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { RawFiles } from "../../shared/compiler/host.ts";
import { kebabCase } from "../../shared/surface/names.ts";
import { type Arguments, type Command, CommandError, UsageError } from "../command.ts";
import { readProjectFolder } from "../project_folder.ts";
import { shellWord } from "../shell_word.ts";

const TEMPLATES = fileURLToPath(new URL("../../examples", import.meta.url));
const CONFIG = "quickback/quickback.config.ts";

export const newCommand: Command = {
  name: "new",
  usage: "<folder> --template <name>",
  summary: "Starts a project from a template: empty, helpdesk, saas",
  positionals: { least: 1, most: 2 },
  options: { template: { type: "string" } },
  optionHelp: { template: "Which one; without the option, new <template> <folder> says it" },
  async run(args, terminal) {
    const { template, folder } = request(args);
    const files = await readTemplate(template);
    await requireEmpty(folder);
    const name = projectName(folder);
    for (const [path, text] of Object.entries(files)) {
      const target = join(folder, path);
      await Deno.mkdir(dirname(target), { recursive: true });
      await Deno.writeTextFile(target, path === CONFIG ? renamed(text, template, name) : text);
    }
    terminal.out(`Project "${name}" is in ${folder}: ${Object.keys(files).length} files`);
    terminal.out(`Next: deno task dev ${shellWord(folder)}`);
    return 0;
  },
};

function request({ positionals: [first = "", second], values }: Arguments) {
  const named = values.get("template");
  if (named !== undefined && second === undefined) return { template: named, folder: first };
  if (named === undefined && second !== undefined) return { template: first, folder: second };
  throw new UsageError("Say which template and which folder: new <folder> --template <name>");
}

/** Names of the folders beside each other that hold a project. */
async function templateNames(): Promise<readonly string[]> {
  const names = (await Array.fromAsync(Deno.readDir(TEMPLATES)))
    .filter((entry) => entry.isDirectory && !entry.name.startsWith("."))
    .map((entry) => entry.name);
  return names.sort();
}

async function readTemplate(template: string): Promise<RawFiles> {
  const known = await templateNames();
  if (!known.includes(template)) {
    throw new CommandError(`There is no template "${template}"; choose one of ${known.join(", ")}`);
  }
  return (await readProjectFolder(join(TEMPLATES, template))).rawFiles;
}

async function requireEmpty(folder: string): Promise<void> {
  try {
    for await (const _entry of Deno.readDir(folder)) {
      throw new CommandError(`Folder "${folder}" is not empty; choose a new one`);
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    if (error instanceof Deno.errors.NotADirectory) {
      throw new CommandError(`"${folder}" is a file; choose a new folder`);
    }
    throw error;
  }
}

/** The folder's name in the letters that a project name may have. */
function projectName(folder: string): string {
  const name = kebabCase(basename(resolve(folder)).replace(/[^A-Za-z0-9]+/g, "-"));
  if (name === "") {
    throw new CommandError(`Folder "${folder}" has no letter or digit to name a project by`);
  }
  return name;
}

function renamed(config: string, template: string, name: string): string {
  return config.replace(`name: "${template}"`, `name: "${name}"`);
}
