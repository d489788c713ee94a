/**
 * Runs `new <folder> [--template <name>]`: copies one of the example projects and names it after its folder (definitions 8).
 */
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { kebabCase } from "../../shared/surface/mod.ts";
import type { Arguments } from "../command.ts";
import { CommandError, type ExitCode, UsageError } from "../exit_codes.ts";
import type { Output } from "../output.ts";
import { validateFolder } from "../compile_folder.ts";
import { projectFiles } from "../project_files.ts";
import { readProjectFolder } from "../project_folder.ts";
import { shellWord } from "../shell_word.ts";
import { writeDeclarations } from "../types/declarations.ts";

const TEMPLATES = fileURLToPath(new URL("../../examples", import.meta.url));
const CONFIG = "quickback/quickback.config.ts";
const DEFAULT_TEMPLATE = "empty";

export async function startProject(args: Arguments, output: Output): Promise<ExitCode> {
  const { template, folder } = await request(args, output);
  const known = await templateNames();
  if (!known.includes(template)) {
    throw new CommandError(`There is no template "${template}"; choose one of ${known.join(", ")}`);
  }
  const definitions = (await readProjectFolder(join(TEMPLATES, template))).rawFiles;
  await requireEmpty(folder);
  // The folder's name, reduced to letters that a project name may have.
  const name = kebabCase(basename(resolve(folder)).replace(/[^A-Za-z0-9]+/g, "-"));
  if (name === "") {
    throw new CommandError(`Folder "${folder}" has no letter or digit to name a project by`);
  }
  const files = { ...projectFiles(name, output.program), ...definitions };
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(
      target,
      path === CONFIG ? text.replace(`name: "${template}"`, `name: "${name}"`) : text,
    );
  }
  // The types exist before an editor first opens the project.
  const { validation } = await validateFolder(folder, null);
  if (!validation.ok) throw new Error("A template has a mistake");
  await writeDeclarations(folder, validation);
  const count = Object.keys(files).length;
  output.result({ name, folder, template, files: count });
  output.out(`Project "${name}" is in ${folder}: ${count} files`);
  output.out(`Next: ${output.program} dev ${shellWord(folder)}`);
  return 0;
}

async function request({ positionals: [first = "", second], values }: Arguments, output: Output) {
  const named = values.get("template");
  if (named !== undefined && second === undefined) return { template: named, folder: first };
  if (named === undefined && second !== undefined) return { template: first, folder: second };
  const known = await templateNames();
  // The argument is probably a template whose folder was forgotten, not a folder with that name.
  if (second !== undefined || known.includes(first)) {
    throw new UsageError("Say which folder: new <template> <folder>, or new <folder>");
  }
  return { template: answered(known, output) ?? DEFAULT_TEMPLATE, folder: first };
}

/** Returns the template that the user at the terminal chooses; null: there is no terminal. */
function answered(known: readonly string[], { format }: Output): string | null {
  const isAsked = format === "text" && Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
  if (!isAsked || Deno.env.get("CI")) return null;
  return prompt(`Template (${known.join(", ")})`, DEFAULT_TEMPLATE)?.trim() || null;
}

/** Returns the names of sibling folders that contain a project. */
async function templateNames(): Promise<readonly string[]> {
  const names = (await Array.fromAsync(Deno.readDir(TEMPLATES)))
    .filter((entry) => entry.isDirectory && !entry.name.startsWith("."))
    .map((entry) => entry.name);
  return names.sort();
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
