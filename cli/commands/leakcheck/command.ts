/**
 * Runs `leakcheck [folder]`: checks that two databases which differ only in masked values give equal answers, and fails
 * otherwise (docs/proof.md).
 */
import { fileURLToPath } from "node:url";
import type { LeakReport } from "../../../proof/leakcheck/leakcheck.ts";
import { comparedIn, reportLines } from "../../../proof/leakcheck/report.ts";
import type { Arguments, Output } from "../../command.ts";
import type { ExitCode } from "../../exit_codes.ts";
import { reportValidation } from "../../compile_report.ts";
import { runOverFolder } from "../../output_process.ts";

export async function leakcheck(
  { positionals: [folder = "."] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const onLine = (name: string) => output.progress(`asking as ${name}`);
  const run = await runOverFolder(folder, CHILD, onLine);
  if (run.kind === "failed") return reportValidation(run.findings, output);
  const report: unknown = JSON.parse(run.text);
  if (!isReport(report)) throw new Error("The check left no report");
  for (const line of reportLines(report)) output.out(line);
  output.result({ ...report, requests: comparedIn(report) });
  return report.differences.length === 0 ? 0 : 1;
}

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** Checks a report. `child.ts` has written it with these types, so a few members are enough. */
function isReport(value: unknown): value is LeakReport {
  return typeof value === "object" && value !== null && "principals" in value &&
    "compared" in value && "differences" in value && "admissions" in value;
}
