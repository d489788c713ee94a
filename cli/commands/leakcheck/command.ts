/** `leakcheck [folder]`: two databases that differ only in masked values answer alike, or the command fails (docs/proof.md). */
import { comparedIn, reportLines } from "../../../proof/leakcheck/report.ts";
import type { Arguments, ExitCode } from "../../command.ts";
import { reportValidation } from "../../compile_report.ts";
import type { Output } from "../../output.ts";
import { checkFolder } from "./check_folder.ts";

export async function leakcheck(
  { positionals: [folder = "."] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const check = await checkFolder(folder, (name) => output.err(`asking as ${name}`));
  if (check.kind === "failed") return reportValidation(check.findings, output);
  const { report } = check;
  for (const line of reportLines(report)) output.out(line);
  output.result({ ...report, requests: comparedIn(report) });
  return report.differences.length === 0 ? 0 : 1;
}
