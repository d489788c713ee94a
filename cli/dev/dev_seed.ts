/** Plants the project's seed in the development database, by the `seed` task of its output. */
import type { Output } from "../command.ts";
import { CommandError } from "../exit_codes.ts";
import { readTextFile } from "../project_folder.ts";
import { join } from "node:path";
import { taskArguments } from "./start_command.ts";

/** Plants the seed and prints the result on the terminal; a mistake in the seed does not end `dev`. */
export async function tellPlanting(
  folder: string,
  environment: Readonly<Record<string, string>>,
  output: Output,
): Promise<void> {
  try {
    output.err(output.errColors.green(await plantSeed(folder, environment)));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    output.err(`${output.errColors.yellow("The seed was not planted")}: ${error.message}`);
  }
}

/** Plants the seed and returns the result as a text for a page. A null `environment`: no API serves yet. */
export async function plantingText(
  folder: string,
  environment: Readonly<Record<string, string>> | null,
): Promise<string> {
  if (environment === null) return "No API serves yet";
  try {
    return await plantSeed(folder, environment);
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

/**
 * Runs the task and returns its message: that it planted the seed, or that it had done so before. Throws `CommandError` with
 * the reason for a failure, which changes nothing.
 */
export async function plantSeed(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  if (await readTextFile(join(folder, "seed.json")) === null) {
    throw new CommandError("The project has no quickback/seed.ts");
  }
  const [verb = "run", ...rest] = await taskArguments(folder, "seed");
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [verb, "--quiet", "--no-prompt", ...rest],
    cwd: folder,
    env: { ...environment, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const [said, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  if (!success) throw new CommandError(failed || said || "The seed was not planted");
  return said?.split("\n").at(-1) ?? "";
}
