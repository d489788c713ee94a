/** Runs `validate [folder] [--out <folder>]`: reports every mistake and writes nothing (definitions 8). */
import { validateFolder } from "../compile_folder.ts";
import type { Arguments, Output } from "../command.ts";
import type { ExitCode } from "../exit_codes.ts";
import { reportValidation } from "../compile_report.ts";

export async function validateProject(
  { positionals: [folder = "."], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const { findings } = await validateFolder(folder, values.get("out") ?? null);
  return reportValidation(findings, output);
}
