/** Runs `deploy <target> <folder>`: prints the steps that deploy an output, and runs them only with `--run`. */
import { basename, join, resolve } from "node:path";
import { userInfo } from "node:os";
import { parseEnv } from "node:util";
import { kebabCase } from "../../shared/surface/mod.ts";
import type { Arguments } from "../command.ts";
import { CommandError, type ExitCode, UsageError } from "../exit_codes.ts";
import type { Output } from "../output.ts";
import { readTextFile } from "../project_folder.ts";
import { shellWord } from "../shell_word.ts";
import { DEPLOYMENT_NAME, TARGETS } from "./deploy/targets.ts";

export async function deploy(
  { positionals: [name = "", folder = ""], flags, values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const target = TARGETS.get(name);
  if (target === undefined) {
    throw new UsageError(`"${name}" is no target; one of ${[...TARGETS.keys()].join(", ")}`);
  }
  for (const file of ["src/main.ts", ...target.needs, ".env"]) {
    if (await readTextFile(join(folder, file)) !== null) continue;
    throw new CommandError(`"${folder}" has no ${file}${WAYS_OUT.get(file) ?? ""}`);
  }
  const { APP_ENV: said = "" } = parseEnv(await readTextFile(join(folder, ".env")) ?? "");
  if (said.trim() !== "production") {
    throw new CommandError(
      `"${folder}/.env" says APP_ENV=${said.trim()}: a deployment says APP_ENV=production`,
    );
  }
  const path = resolve(folder);
  const deployment = {
    name: deploymentName(path, values.get("name")),
    folder: path,
    deno: Deno.execPath(),
    user: userInfo().username,
  };
  const steps = target.steps(deployment);
  const before = [
    ...target.before,
    "BASE_URL in .env is the API's public origin",
    "Mail: SMTP_URL in .env, or EMAIL_PROVIDER=none where the project writes messages to the log",
  ];
  output.result({ target: name, ran: flags.has("run"), before, steps });
  if (flags.has("run")) {
    // Steps run in order until one fails. An existing file belongs to the user and stays.
    for (const step of steps) {
      if (step.kind === "write") {
        await writeNew(join(deployment.folder, step.path), step.text, output);
      } else if (!await ranWell(step.command, deployment.folder, output)) return 1;
    }
    return 0;
  }
  for (const line of before) output.out(`# ${line}`);
  for (const step of steps) {
    output.out(
      step.kind === "run"
        ? step.command.map(shellWord).join(" ")
        : `# ${step.path}\n${
          step.text.trimEnd().split("\n").map((line) => `#   ${line}`).join("\n")
        }`,
    );
  }
  output.out(`# Nothing was run. With --run, these steps are, in ${folder}`);
  return 0;
}

/**
 * Returns the given name, or else the folder's own in kebab case. Throws for a name that a target or a shell would interpret
 * differently.
 */
function deploymentName(path: string, given: string | undefined): string {
  // deno-lint-ignore no-control-regex -- a line of the steps or of a unit would end there
  if (/[\x00-\x1f\x7f]/.test(path)) {
    throw new CommandError("The folder's path has control characters: rename it");
  }
  const name = given ?? kebabCase(basename(path));
  if (DEPLOYMENT_NAME.test(name)) return name;
  throw new CommandError(
    `"${name}" cannot name a deployment: say --name <name>, in a-z, 0-9 and "-", up to 63 of them`,
  );
}

const WAYS_OUT: ReadonlyMap<string, string> = new Map([
  ["src/main.ts", ": name what compile has written"],
  [
    ".env",
    ": copy .env.example and fill it in; a deployment needs its AUTH_SECRET and APP_ENV=production",
  ],
  ["src/worker.ts", ': compile with runtime: defineRuntime("cloudflare")'],
]);

async function writeNew(path: string, text: string, output: Output): Promise<void> {
  try {
    await Deno.writeTextFile(path, text, { createNew: true });
    output.err(`${output.errColors.green("written")} ${path}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    output.err(`${output.errColors.dim("kept")} ${path}`);
  }
}

async function ranWell(
  [program = "", ...args]: readonly string[],
  folder: string,
  output: Output,
): Promise<boolean> {
  output.err(output.errColors.cyan([program, ...args].map(shellWord).join(" ")));
  try {
    // The steps' output must not be part of the JSON document.
    const stdout = output.format === "json" ? "null" : "inherit";
    const { code } = await new Deno.Command(program, { args, cwd: folder, stdout }).spawn().status;
    if (code !== 0) output.err(`${output.errColors.red("error")} It ended with ${code}`);
    return code === 0;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new CommandError(`"${program}" is not installed`);
  }
}
