/** Runs `types [folder]`: updates the declarations for editors and type checkers. */
import { validateFolder } from "../compile_folder.ts";
import type { Arguments, Output } from "../command.ts";
import type { ExitCode } from "../exit_codes.ts";
import { reportValidation } from "../compile_report.ts";
import { DECLARATIONS } from "../types/type_settings.ts";
import { writeDeclarations } from "../types/declarations.ts";

export async function declareTypes(
  { positionals: [folder = "."] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const { findings, validation } = await validateFolder(folder, null);
  if (!validation.ok) return reportValidation(findings, output);
  await writeDeclarations(folder, validation);
  output.result({ declarations: DECLARATIONS });
  output.out(`The types of ${folder} are in ${DECLARATIONS}`);
  return 0;
}
