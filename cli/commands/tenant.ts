/**
 * Runs `tenant <command> <output>`: does the same as an output's own `tenant` task, with its code and variables (definitions
 * 8).
 */
import { join, resolve } from "node:path";
import { parsedJson } from "../../shared/lib/json.ts";
import type { Arguments } from "../command.ts";
import { CommandError, type ExitCode, UsageError } from "../exit_codes.ts";
import type { Output } from "../output.ts";
import { readTextFile } from "../project_folder.ts";

export async function tenant(
  { positionals: [verb = "", folder, ...named], values, flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  if (folder === undefined) {
    throw new UsageError(`Say which output: tenant ${verb || "list"} <output>`);
  }
  const path = (text: string) =>
    /^(?!file:)[a-z]+:\/\/|^default$/.test(text)
      ? text
      : text.startsWith("file:")
      ? `file:${resolve(text.slice("file:".length))}`
      : resolve(text);
  // The task runs in the output's folder, but paths are relative to the shell's.
  const files = verb === "import" ? named.map(path) : named;
  const options = [...values].flatMap(([name, value]) => [
    `--${name}`,
    name === "at" ? value : path(value),
  ]);
  const args = [verb, ...files, ...options, ...[...flags].map((name) => `--${name}`)];
  return await runTask(folder, "tenant", args, output);
}

/** Runs a task of an output; returns 2 if the task does not know the arguments. */
export async function runTask(
  folder: string,
  task: "tenant" | "migrate",
  args: readonly string[],
  output: Output,
): Promise<ExitCode> {
  if (await readTextFile(join(folder, `src/${task}.ts`)) === null) {
    throw new CommandError(
      `"${folder}" is no output whose organizations have a database each: compile with tenancy: "perOrganization"`,
    );
  }
  const isJson = output.format === "json" && task === "tenant";
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", task, ...args, ...(isJson ? ["--json"] : [])],
    cwd: folder,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).output();
  const said = new TextDecoder().decode(stdout).trimEnd();
  if (isJson) output.result({ result: parsedJson(said) ?? null });
  else if (said !== "") output.out(said);
  return code === 0 ? 0 : code === 2 ? 2 : 1;
}
