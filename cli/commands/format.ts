/** Runs `fmt [folder]`: formats definitions and handlers as `deno fmt` does, by the project's own settings. */
import { resolve } from "node:path";
import type { Arguments, Output } from "../command.ts";
import type { ExitCode } from "../exit_codes.ts";
import { readProjectFolder } from "../project_folder.ts";

const FORMATTED = /\.[cm]?[jt]sx?$/;

export async function format(
  { positionals: [folder = "."], flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const { rawFiles } = await readProjectFolder(folder);
  const files = Object.keys(rawFiles).filter((path) => FORMATTED.test(path));
  const isCheck = flags.has("check");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["fmt", ...(isCheck ? ["--check"] : []), ...files],
    cwd: resolve(folder),
    stdin: "null",
    stdout: "null",
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stderr).trim();
  output.result({ files: files.length, check: isCheck });
  if (success) output.out(text);
  else output.err(text);
  return success ? 0 : 1;
}
