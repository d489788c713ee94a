/** Compiles two versions of a project and tells what lies between them: rights, API, schema. */
import { readCompileHost } from "../container/host.ts";
import {
  compile,
  type GeneratedFile,
  openApiDocument,
  type RawFiles,
} from "../shared/compiler/mod.ts";
import { accessChanges, apiChanges, type Change, fieldChanges } from "../shared/conformance/mod.ts";
import { requestWith } from "./action_input_schemas.ts";
import type { Findings } from "./compile_report.ts";
import { isStateOfMigrations, readProjectFolder } from "./project_folder.ts";
import { VERSION } from "./version.ts";

export type Comparison =
  /** One of the two has errors. */
  | { readonly kind: "failed"; readonly folder: string; readonly findings: Findings }
  | {
    readonly kind: "compared";
    readonly changes: readonly Change[];
    readonly migration: string | null;
  };

/** The new version is compiled on top of the old one's schema. */
export async function compareProjects(before: string, after: string): Promise<Comparison> {
  const old = await compiled(before, null);
  if (!old.result.ok) return { kind: "failed", folder: before, findings: old.findings };
  const now = await compiled(after, stateIn(old.result.files));
  if (!now.result.ok) return { kind: "failed", folder: after, findings: now.findings };
  const [oldModel, newModel] = [old.result.model, now.result.model];
  return {
    kind: "compared",
    changes: [
      ...accessChanges(oldModel, newModel),
      ...fieldChanges(oldModel, newModel),
      ...apiChanges(openApiDocument(oldModel), openApiDocument(newModel)),
    ],
    migration: migrationIn(now.result.files),
  };
}

/** `state`: the schema that the project had; null: it is made anew. */
async function compiled(folder: string, state: RawFiles | null) {
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  const definitions = Object.entries(rawFiles).filter(([path]) => !isStateOfMigrations(path));
  const files = { ...Object.fromEntries(definitions), ...state };
  const result = compile(files, readCompileHost({ version: VERSION }), requestWith(inputSchemas));
  const errors = result.ok ? [] : result.errors;
  return { result, findings: { errors, warnings: result.warnings, sources: files } };
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
