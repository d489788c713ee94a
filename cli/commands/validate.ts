/** `validate [folder] [--out <folder>]`: finds every mistake and writes nothing (definitions 8). */
import { validateFolder } from "../compile_folder.ts";
import type { Arguments, ExitCode, Output } from "../command.ts";
import { reportValidation } from "../compile_report.ts";

export async function validateProject(
  { positionals: [folder = "."], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const { findings } = await validateFolder(folder, values.get("out") ?? null);
  return reportValidation(findings, output);
}
