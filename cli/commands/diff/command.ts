/** `diff <old> <new>`: who gains and loses what, what clients could trip over, and the migration (definitions 8). */
import { type Command, type ExitCode, UsageError } from "../../command.ts";
import { compareProjects, type ProjectComparison } from "./compare_projects.ts";
import { reportValidation } from "../../compile_report.ts";
import { isDestructive, reportChanges } from "./diff_report.ts";
import type { Terminal } from "../../terminal.ts";

/** Kinds of change that fail the command unless they are allowed. */
const CONCERNS = ["gain", "breaking", "destructive"] as const;
type Concern = typeof CONCERNS[number];

export const diffCommand: Command = {
  name: "diff",
  usage: "<old folder> <new folder>",
  summary:
    "Tells what changes between two versions of a project, and fails when it should be looked at",
  positionals: { least: 2, most: 2 },
  options: { allow: { type: "string" }, json: { type: "boolean" } },
  optionHelp: {
    allow: `Do not fail for these, comma-separated: ${CONCERNS.join(", ")}`,
    json: "Print the changes as JSON",
  },
  async run({ positionals: [before = "", after = ""], values, flags }, terminal) {
    const allowed = readAllowed(values.get("allow"));
    const comparison = await compareProjects(before, after);
    if (comparison.kind === "failed") {
      terminal.err(`${comparison.folder} has errors:`);
      return reportValidation(comparison.findings, terminal);
    }
    const { changes, migration, refusal } = comparison;
    if (flags.has("json")) terminal.out(JSON.stringify(jsonOf(comparison), null, 2));
    else reportChanges({ changes, migration }, terminal);
    if (refusal !== null) {
      terminal.err("No migration leads from the old version to the new one:");
      return reportValidation(refusal, terminal);
    }
    const kinds = new Set<string>(changes.map(({ kind }) => kind));
    const found = CONCERNS.filter((concern) =>
      concern === "destructive" ? isDestructive(migration) : kinds.has(concern)
    );
    return verdict(found.filter((concern) => !allowed.includes(concern)), terminal);
  },
};

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
