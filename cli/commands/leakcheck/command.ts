/** `leakcheck [folder]`: two databases that differ only in masked values answer alike, or the command fails (docs/proof.md). */
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

/** Written by `child.ts`, whose types say the rest. */
function isReport(value: unknown): value is LeakReport {
  return typeof value === "object" && value !== null && "principals" in value &&
    "compared" in value && "differences" in value && "admissions" in value;
}
