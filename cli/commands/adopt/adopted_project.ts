/** Converts an older project: moves and rewrites its files, with the tables of its database as baseline. */
import { baselineTables } from "../../adopt/baseline_tables.ts";
import { rewriteOlderForms } from "../../adopt/older_forms.ts";
import { moveOlderLayout } from "../../adopt/older_layout.ts";
import { renamesText, spellingsOf, withSpellings } from "../../adopt/older_names.ts";
import * as compiler from "../../../shared/compiler/mod.ts";
import type { SqlTable } from "../../../shared/model/mod.ts";
import { requestWith } from "../../action_input_schemas.ts";
import { isMigrationFile, projectOf, withoutMigrationState } from "../../project_folder.ts";

export interface Adopted {
  readonly files: compiler.RawFiles;
  readonly moves: readonly (readonly [from: string, to: string])[];
  readonly rewritten: readonly { readonly file: string; readonly changes: readonly string[] }[];
  /** Tables that the first migration contains; empty: there is no state to take over. */
  readonly baseline: readonly string[];
  /** Decisions for a person, besides those that a check of the definitions finds. */
  readonly decisions: readonly string[];
}

/** Converts the project's files without side effects; throws a `DraftError` for a file that cannot be read. */
export function adoptedProject(before: compiler.RawFiles): Adopted {
  const moved = moveOlderLayout(before);
  const forms = Object.entries(moved.files).filter(([path]) =>
    CODE_FILE.test(path) && !isMigrationFile(path)
  )
    .map(([file, text]) => ({ file, ...rewriteOlderForms(file, text) }));
  const state = baselineTables(moved.files, compiler.isOwnSnapshot);
  const kept = Object.entries({
    ...moved.files,
    ...Object.fromEntries(forms.map(({ file, text }) => [file, text])),
  }).filter(([path]) => !state.replaced.includes(path));
  const first = state.tables.length === 0 ? [] : compiler.firstMigration(state.tables);
  const files = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(first.map(({ path, content }) => [path, content])),
  };
  const spelled = withOldNames(files, [...state.tables, ...state.known]);
  return {
    files: spelled.files,
    moves: moved.moves,
    rewritten: [
      ...forms.filter(({ changes }) => changes.length > 0),
      ...(spelled.change ? [{ file: compiler.CONFIG_PATH, changes: [spelled.change] }] : []),
    ],
    baseline: state.tables.map(({ name }) => name),
    decisions: [...state.decisions, ...spelled.decisions],
  };
}

const CODE_FILE = /^quickback\/.*\.[cm]?[jt]sx?$/;

interface Spelled {
  readonly files: compiler.RawFiles;
  readonly change: string | null;
  readonly decisions: readonly string[];
}

/**
 * Adds old names. The compiler spells names in one way; a name that the database spells differently is renamed by a hint, or by
 * its convention.
 */
function withOldNames(files: compiler.RawFiles, tables: readonly SqlTable[]): Spelled {
  const nothing = { files, change: null, decisions: [] };
  if (tables.length === 0) return nothing;
  const { rawFiles, inputSchemas } = projectOf(files);
  const result = compiler.validate(
    withoutMigrationState(rawFiles),
    undefined,
    requestWith(inputSchemas),
  );
  if (!result.ok) {
    const decision =
      "Names of the old tables are compared with the definitions once those have no error: run adopt again then";
    return { ...nothing, decisions: [decision] };
  }
  const names = spellingsOf(tables, result.model);
  if (Object.keys(names.tables).length + Object.keys(names.columns).length === 0) return nothing;
  const text = withSpellings(compiler.CONFIG_PATH, files[compiler.CONFIG_PATH] ?? "", names);
  if (text === null) {
    const member = names.isCamelCase
      ? 'namingConvention: "camelCase" among the options of the database'
      : renamesText(names).replace(/\s+/g, " ");
    return { ...nothing, decisions: [`Say in ${compiler.CONFIG_PATH}: ${member}`] };
  }
  const change = names.isCamelCase
    ? 'namingConvention is "camelCase", as the tables have it'
    : "compiler.migrations.renames has names that are spelled otherwise here";
  return { files: { ...files, [compiler.CONFIG_PATH]: text }, change, decisions: [] };
}
