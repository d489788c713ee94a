/**
 * Reads the command that starts a compiled project from its own `start` task: `dev` grants the same permissions as the author's
 * server will have.
 */
import { join } from "node:path";
import { CommandError } from "../exit_codes.ts";
import { readTextFile } from "../project_folder.ts";
import { member } from "./demo/api_client.ts";

/** Returns the arguments for the `deno` executable: `["run", "--allow-net", …, "src/main.ts"]`. */
export function startArguments(output: string): Promise<readonly string[]> {
  return taskArguments(output, "start");
}

/** Returns the arguments of any task. */
export async function taskArguments(output: string, name: string): Promise<readonly string[]> {
  const config: unknown = JSON.parse(await readTextFile(join(output, "deno.json")) ?? "{}");
  const found = member(config, "tasks", name);
  const command = typeof found === "string" ? found : member(found, "command");
  const task = typeof command === "string" ? command : null;
  const [program, verb, ...rest] = task?.split(/\s+/) ?? [];
  if (program !== "deno" || verb !== "run" || /["'&|;$`]/.test(task ?? "")) {
    throw new CommandError(
      `The ${name} task of "${output}" is not one "deno run" command: ${task ?? "it is missing"}`,
    );
  }
  return [verb, ...rest];
}
