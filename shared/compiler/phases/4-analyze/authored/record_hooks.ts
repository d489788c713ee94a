/** Reads `features/<feature>/hooks/*.ts` into models (definitions 6, hooks of records). */
import { featureOfHooks } from "../../1-read/layout.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { compareText } from "../../../../lib/texts.ts";
import { RECORD_HOOKS, type RecordHookName, type RecordHooksModel } from "../../../../model/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type * as values from "../../values.ts";
import { writesRecords } from "../actions/reachable.ts";
import type { TableDraft } from "../tables/draft.ts";

interface HooksInput {
  readonly definitions: values.Definitions;
  readonly tables: readonly TableDraft[];
  /** Files whose tables have reported mistakes. */
  readonly brokenFiles: ReadonlySet<string>;
  readonly report: Report;
}

/**
 * Returns the hooks sorted by table. The list is absent if the project has no hooks, so that its model does not change.
 * `isWhole` is false if a file has hooks that could not be read.
 */
export function readRecordHooks(
  input: HooksInput,
): { readonly recordHooks?: readonly RecordHooksModel[]; readonly isWhole: boolean } {
  let isWhole = true;
  const found = new Map<string, RecordHooksModel>();
  for (const file of input.definitions.authored) {
    const feature = featureOfHooks(file.file);
    if (feature === null) continue;
    const hooks = file.isParsed ? hooksIn(file, feature, input) : null;
    isWhole &&= hooks !== null;
    if (hooks === null) continue;
    const other = found.get(hooks.table);
    if (other) {
      const { table: name } = hooks;
      input.report.add("HOOKS_TWICE", placeOf(file), { name, other: other.module });
    } else found.set(hooks.table, hooks);
  }
  const recordHooks = [...found.values()].sort((a, b) => compareText(a.table, b.table));
  return { ...(recordHooks.length === 0 ? {} : { recordHooks }), isWhole };
}

function placeOf({ file, exported }: values.AuthoredFile) {
  return exported?.place ?? { file, line: 1, column: 1, length: 1 };
}

/** Returns the hooks of a file; null if they are wrong, which is reported. */
function hooksIn(
  file: values.AuthoredFile,
  feature: string,
  { report, ...input }: HooksInput,
): RecordHooksModel | null {
  const { exported } = file;
  const place = placeOf(file);
  if (exported?.kind !== "defined" || exported.callee !== "defineHooks") {
    report.add("HOOKS_EXPORT", place, { file: file.file });
    return null;
  }
  const { args } = exported.value?.kind === "call" ? exported.value : { args: [] };
  const [target, definition] = args;
  if (target?.kind === "unreadable" || definition?.kind === "unreadable") return null;
  const isTable = target?.kind === "reference" && target.members.length === 0;
  if (!isTable || definition?.kind !== "object") {
    const expected = "defineHooks(table, { beforeCreate, afterUpdate, … })";
    report.add("ARGUMENTS", place, { callee: "defineHooks", expected });
    return null;
  }
  const table = input.tables.find((one) => one.file === target.target.file);
  if (!table) {
    if (!input.brokenFiles.has(target.target.file)) {
      report.add("HOOKS_TABLE", target.place, { name: target.target.name, feature, other: null });
    }
    return null;
  }
  if (table.feature !== feature) {
    const details = { name: table.name, feature, other: table.feature };
    report.add("HOOKS_TABLE", target.place, details);
    return null;
  }
  const names = definition.entries.flatMap((entry) => hookOf(entry, report));
  if (definition.entries.length === 0) {
    report.add("HOOKS_EMPTY", definition.place, {});
    return null;
  }
  const hooks = RECORD_HOOKS.filter((name) => names.includes(name));
  const records = writesRecords([file.file], input.definitions)
    ? { writesRecords: true } as const
    : {};
  return { table: table.name, module: file.file, hooks, ...records };
}

function hookOf(
  { key, keyPlace, value }: values.ObjectEntry,
  report: Report,
): readonly RecordHookName[] {
  const name = RECORD_HOOKS.find((one) => one === key);
  if (name === undefined) {
    const known = [...RECORD_HOOKS];
    report.add("HOOK_UNKNOWN", keyPlace, {
      name: key,
      form: null,
      nearest: nearest(key, known),
      known,
    });
    return [];
  }
  // Any expression that makes a function is accepted, because the function runs only in the generated API.
  const isCode = ["function", "thunk", "unreadable", "call", "reference"].includes(value.kind);
  if (!isCode) report.add("HOOK_CODE", value.place, { name });
  return [name];
}
