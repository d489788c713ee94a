/** Compiles two versions of a project and compares them: rights, API, schema. */
import { readCompileHost } from "../../../container/host.ts";
import {
  compile,
  type GeneratedFile,
  openApiDocument,
  type RawFiles,
} from "../../../shared/compiler/mod.ts";
import { accessChanges } from "../../../proof/diff/access_changes.ts";
import { apiChanges } from "../../../proof/diff/api_changes.ts";
import type { Change } from "../../../proof/diff/change.ts";
import { fieldChanges } from "../../../proof/diff/field_changes.ts";
import { requestWith } from "../../action_input_schemas.ts";
import type { Findings } from "../../compile_report.ts";
import {
  isStateOfMigrations,
  readProjectFolder,
  withoutMigrationState,
} from "../../project_folder.ts";
import { VERSION } from "../../version.ts";

type Comparison =
  /** One of the two has errors. */
  | { readonly kind: "failed"; readonly folder: string; readonly findings: Findings }
  | ProjectComparison;

export interface ProjectComparison {
  readonly kind: "compared";
  readonly changes: readonly Change[];
  /** Null: the schema stays as it is, or no migration is written. */
  readonly migration: string | null;
  /** The reason for none: it would lose data without the author's consent; null: there is no such loss. */
  readonly refusal: Findings | null;
}

/** The new version is compiled on top of the old one's schema. */
export async function compareProjects(before: string, after: string): Promise<Comparison> {
  const old = await compiled(before, null);
  if (!old.result.ok) return { kind: "failed", folder: before, findings: old.findings };
  const migrated = await compiled(after, stateIn(old.result.files));
  // What only the step from the old schema hinders is compared all the same.
  const now = migrated.result.ok ? migrated : await compiled(after, null);
  if (!now.result.ok) return { kind: "failed", folder: after, findings: now.findings };
  const [oldModel, newModel] = [old.result.model, now.result.model];
  return {
    kind: "compared",
    changes: [
      ...accessChanges(oldModel, newModel),
      ...fieldChanges(oldModel, newModel),
      ...apiChanges(openApiDocument(oldModel), openApiDocument(newModel)),
    ],
    migration: migrated.result.ok ? migrationIn(migrated.result.files) : null,
    refusal: migrated.result.ok ? null : migrated.findings,
  };
}

/** `state`: the schema that the project had; null: it is made anew. */
async function compiled(folder: string, state: RawFiles | null) {
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  const files = { ...withoutMigrationState(rawFiles), ...state };
  const result = compile(files, readCompileHost({ version: VERSION }), requestWith(inputSchemas));
  const errors = result.ok ? [] : result.errors;
  return { result, findings: { errors, warnings: result.warnings, sources: files, folder } };
}

function stateIn(files: readonly GeneratedFile[]): RawFiles {
  return Object.fromEntries(
    files.filter(({ path }) => isStateOfMigrations(path)).map((
      { path, content },
    ) => [path, content]),
  );
}

/** Null: the schema stays as it is. */
function migrationIn(files: readonly GeneratedFile[]): string | null {
  const sql = files.filter(({ path }) => path.endsWith(".sql")).map(({ content }) => content);
  return sql.length === 0 ? null : sql.join("\n");
}
