/**
 * Runs `diff <old> <new>`: reports who gains and loses which rights, changes that can break clients, and the migration
 * (definitions 8).
 */
import { readCompileHost } from "../../../container/host.ts";
import type { Change, ChangeKind } from "../../../proof/diff/change.ts";
import { compile, DESTRUCTIVE_MARK, type RawFiles } from "../../../shared/compiler/mod.ts";
import { changesBetween } from "../../model_changes.ts";
import { requestWith } from "../../action_input_schemas.ts";
import type { Arguments, Output } from "../../command.ts";
import { type ExitCode, UsageError } from "../../exit_codes.ts";
import { reportValidation } from "../../compile_report.ts";
import type { Findings } from "../../findings.ts";
import {
  isStateOfMigrations,
  readProjectFolder,
  withoutMigrationState,
} from "../../project_folder.ts";
import { VERSION } from "../../version.ts";

/** Kinds of change that make the command fail unless they are allowed. */
const CONCERNS = ["gain", "breaking", "destructive"] as const;

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
  const { changes, migration, dataSteps, refusal } = comparison;
  const { out, outColors } = output;
  for (const [kind, title] of TITLES) {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) continue;
    out(outColors.bold(title));
    for (const { subject, principals, text } of own) {
      const whom = principals.length === 0 ? "" : `${principals.join(", ")}: `;
      out(`  ${subject}  ${whom}${text}`);
    }
    out("");
  }
  out(outColors.bold("Migration"));
  out(
    migration === null
      ? "  none"
      : migration.trimEnd().split("\n").map((line) => `  ${line}`).join("\n"),
  );
  for (const name of dataSteps) out(`  and data step ${name}`);
  output.result({
    changes: comparison.changes,
    migration: comparison.migration,
    dataSteps,
    refusals: comparison.refusal?.errors.map(({ message }) => message) ?? [],
  });
  if (refusal !== null) {
    output.err("No migration leads from the old version to the new one:");
    return reportValidation(refusal, output);
  }
  const kinds = new Set<string>(changes.map(({ kind }) => kind));
  const found = CONCERNS.filter((concern) =>
    // The compiler marks a loss of rows or values in the SQL of a migration.
    concern === "destructive"
      ? migration !== null &&
        migration.split("\n").some((line) => line.startsWith(DESTRUCTIVE_MARK))
      : kinds.has(concern)
  );
  const open = found.filter((concern) => !allowed.includes(concern));
  if (open.length === 0) return 0;
  output.err(
    `${output.errColors.red("error")} Look at: ${open.join(", ")}; then --allow ${open.join(",")}`,
  );
  return 1;
}

function readAllowed(text: string | undefined): readonly string[] {
  const names = text === undefined ? [] : text.split(",");
  const unknown = names.find((name) => !(CONCERNS as readonly string[]).includes(name));
  if (unknown === undefined) return names;
  throw new UsageError(`--allow takes ${CONCERNS.join(", ")}, not "${unknown}"`);
}

const DATA_STEPS = "quickback/migrations/";

const TITLES: readonly (readonly [ChangeKind, string])[] = [
  ["gain", "Who may see or do more"],
  ["loss", "Who may see or do less"],
  ["breaking", "What clients can trip over"],
  ["addition", "What is new for clients"],
];

type Comparison =
  /** One of the two projects has errors. */
  | { readonly kind: "failed"; readonly folder: string; readonly findings: Findings }
  | ProjectComparison;

interface ProjectComparison {
  readonly kind: "compared";
  readonly changes: readonly Change[];
  /** SQL of the migration; null: the schema stays as it is, or no migration is written. */
  readonly migration: string | null;
  /** File names of data steps that only the new version has. */
  readonly dataSteps: readonly string[];
  /** Reason why there is no migration: it would lose data without the author's consent; null: there is no such loss. */
  readonly refusal: Findings | null;
}

/** Compares the projects; the new version is compiled on top of the old one's schema. */
async function compareProjects(before: string, after: string): Promise<Comparison> {
  const old = await compiled(before, null);
  if (!old.result.ok) return { kind: "failed", folder: before, findings: old.findings };
  const state = old.result.files.filter(({ path }) => isStateOfMigrations(path));
  const migrated = await compiled(
    after,
    Object.fromEntries(state.map(({ path, content }) => [path, content])),
  );
  // Mistakes that only concern the step from the old schema do not prevent the comparison.
  const now = migrated.result.ok ? migrated : await compiled(after, null);
  if (!now.result.ok) return { kind: "failed", folder: after, findings: now.findings };
  const [oldModel, newModel] = [old.result.model, now.result.model];
  const sql = (migrated.result.ok ? migrated.result.files : [])
    .filter(({ path }) => path.endsWith(".sql")).map(({ content }) => content);
  return {
    kind: "compared",
    changes: changesBetween(oldModel, newModel),
    migration: sql.length === 0 ? null : sql.join("\n"),
    dataSteps: [...now.steps.difference(old.steps)].sort(),
    refusal: migrated.result.ok ? null : migrated.findings,
  };
}

/** Compiles a project. `state`: schema of the old project; null: the schema is created from nothing. */
async function compiled(folder: string, state: RawFiles | null) {
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  const definitions = Object.entries(withoutMigrationState(rawFiles));
  // Their numbers belong to another history.
  const steps = definitions.flatMap(([path]) => path.startsWith(DATA_STEPS) ? [path] : []);
  const files = {
    ...Object.fromEntries(definitions.filter(([path]) => !steps.includes(path))),
    ...state,
  };
  const result = compile(files, readCompileHost({ version: VERSION }), requestWith(inputSchemas));
  const errors = result.ok ? [] : result.errors;
  return {
    result,
    findings: { errors, warnings: result.warnings, sources: files, folder },
    steps: new Set(steps.map((path) => path.slice(DATA_STEPS.length))),
  };
}
