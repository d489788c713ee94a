/** `leakcheck [folder]`: two databases that differ only in masked values answer alike, or the command fails (docs/proof.md). */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LeakReport } from "../../../proof/leakcheck/leakcheck.ts";
import { comparedIn, reportLines } from "../../../proof/leakcheck/report.ts";
import type { Arguments, ExitCode } from "../../command.ts";
import { compileFolder } from "../../compile_folder.ts";
import { type Findings, reportValidation } from "../../compile_report.ts";
import type { Output } from "../../output.ts";
import { runOverOutput } from "../../output_process.ts";

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

type FolderCheck =
  | { readonly kind: "checked"; readonly report: LeakReport }
  | { readonly kind: "failed"; readonly findings: Findings };

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** Checks a folder; `onPrincipal` receives each class of callers as its turn begins. */
async function checkFolder(
  folder: string,
  onPrincipal: (name: string) => void,
): Promise<FolderCheck> {
  const work = await Deno.makeTempDir({ prefix: "quickback-leakcheck-" });
  try {
    const out = join(work, "output");
    const compiled = await compileFolder({ folder, out, force: true, checksBundle: false });
    if (compiled.kind === "failed") return compiled;
    return { kind: "checked", report: await runChild({ work, out, onPrincipal }) };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

interface ChildRun {
  readonly work: string;
  readonly out: string;
  readonly onPrincipal: (name: string) => void;
}

async function runChild({ work, out, onPrincipal }: ChildRun): Promise<LeakReport> {
  const result = join(work, "report.json");
  await runOverOutput({ program: CHILD, out, work, result, onLine: onPrincipal });
  return reportIn(JSON.parse(await Deno.readTextFile(result)));
}

function reportIn(value: unknown): LeakReport {
  if (!isReport(value)) throw new Error("The check left no report");
  return value;
}

/** Written by `child.ts`, whose types say the rest. */
function isReport(value: unknown): value is LeakReport {
  return typeof value === "object" && value !== null && "principals" in value &&
    "compared" in value && "differences" in value && "admissions" in value;
}
