/** Runs `check [folder]`: reports every mistake that `validate` finds, and every type mistake. */
import { resolve } from "node:path";
import { validateFolder } from "../compile_folder.ts";
import type { Arguments, Output } from "../command.ts";
import type { ExitCode } from "../exit_codes.ts";
import { reportValidation } from "../compile_report.ts";
import { writeDeclarations } from "../types/declarations.ts";
import { TypeChecker } from "../types/type_checker.ts";

export async function checkProject(
  { positionals: [folder = "."] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const { findings, validation } = await validateFolder(folder, null);
  // Types derived from wrong definitions would report each mistake twice.
  if (!validation.ok) return reportValidation(findings, output);
  await writeDeclarations(folder, validation);
  const errors = new TypeChecker().check({
    project: resolve(folder),
    dependencies: Object.keys(validation.model.dependencies),
  });
  return reportValidation({ ...findings, errors }, output);
}
