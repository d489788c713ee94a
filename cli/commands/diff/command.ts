/** `diff <old> <new>`: who gains and loses what, what clients could trip over, and the migration (definitions 8). */
import { type Arguments, type ExitCode, UsageError } from "../../command.ts";
import { compareProjects, type ProjectComparison } from "./compare_projects.ts";
import { reportValidation } from "../../compile_report.ts";
import type { Output } from "../../output.ts";
import { isDestructive, reportChanges } from "./diff_report.ts";
import type { Terminal } from "../../terminal.ts";

/** Kinds of change that fail the command unless they are allowed. */
const CONCERNS = ["gain", "breaking", "destructive"] as const;
type Concern = typeof CONCERNS[number];

export async function diff(
  { positionals: [before = "", after = ""], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const allowed = readAllowed(values.get("allow"));
  const comparison = await compareProjects(before, after);
  if (comparison.kind === "failed") {
    output.err(`${comparison.folder} has errors:`);
    return reportValidation(comparison.findings, output);
  }
  const { changes, migration, refusal } = comparison;
  reportChanges({ changes, migration }, output);
  output.result(jsonOf(comparison));
  if (refusal !== null) {
    output.err("No migration leads from the old version to the new one:");
    return reportValidation(refusal, output);
  }
  const kinds = new Set<string>(changes.map(({ kind }) => kind));
  const found = CONCERNS.filter((concern) =>
    concern === "destructive" ? isDestructive(migration) : kinds.has(concern)
  );
  return verdict(found.filter((concern) => !allowed.includes(concern)), output);
}

function jsonOf({ changes, migration, refusal }: ProjectComparison) {
  return { changes, migration, refusals: refusal?.errors.map(({ message }) => message) ?? [] };
}

function verdict(open: readonly Concern[], { err, errColors }: Terminal): ExitCode {
  if (open.length === 0) return 0;
  err(`${errColors.red("error")} Look at: ${open.join(", ")}; then --allow ${open.join(",")}`);
  return 1;
}

function readAllowed(text: string | undefined): readonly string[] {
  const names = text === undefined ? [] : text.split(",");
  const unknown = names.find((name) => !(CONCERNS as readonly string[]).includes(name));
  if (unknown === undefined) return names;
  throw new UsageError(`--allow takes ${CONCERNS.join(", ")}, not "${unknown}"`);
}
