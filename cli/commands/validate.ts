/** `validate <folder> [--out <folder>]`: finds every mistake and writes nothing (definitions 8). */
import { validateFolder } from "../compile_folder.ts";
import type { Arguments, ExitCode } from "../command.ts";
import { reportValidation } from "../compile_report.ts";
import type { Output } from "../output.ts";

export async function validateProject(
  { positionals: [folder = ""], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const { findings } = await validateFolder(folder, values.get("out") ?? null);
  return reportValidation(findings, output);
}
