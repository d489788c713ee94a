/**
 * Finds every action of the project with its name and table. Other modules read the rest of its definition (definitions 1, 5).
 */
import { compareText } from "../../../../lib/texts.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { ActionSource } from "../../../../model/mod.ts";
import { kebabCase } from "../../../../surface/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Definitions, Value } from "../../values.ts";
import { wrongType } from "../read/reader.ts";
import type { ActionName } from "../tables/analysis.ts";
import type { DeclaredTables } from "../tables/declare.ts";
import type { TableDraft } from "../tables/draft.ts";
import { baseName, primaryTableOf, tableNamed, tablesOf } from "../tables/draft.ts";

type ActionFile = Definitions["actions"][number];

export interface FoundAction extends ActionName {
  readonly place: Place;
  readonly source: ActionSource;
  readonly definition: Value;
  /** First paragraph of the doc comment before the action; null if there is no such comment. */
  readonly doc: string | null;
}

export function findActions(
  files: Definitions["actions"],
  { tables, brokenFiles }: DeclaredTables,
  report: Report,
): readonly FoundAction[] {
  const found = files.flatMap((file) => actionsOf(file, { tables, brokenFiles, report }));
  const seen = new Map<string, FoundAction>();
  for (const action of found) {
    // The comparison uses the form that a name has in a URL and in an operation's id.
    const key = [action.feature, action.table ?? "", kebabCase(action.name)].join("/");
    if (seen.has(key)) report.add("ACTION_TWICE", action.place, { action: action.name });
    else seen.set(key, action);
  }
  return [...seen].sort(([a], [b]) => compareText(a, b)).map(([, action]) => action);
}

/** Returns the doc comment before the export, or before the constant that the export names. */
function docOf({ docs, defaultExport }: ActionFile): string | null {
  const name = defaultExport?.kind === "reference" ? defaultExport.target.name : "default";
  return docs?.get("default") ?? docs?.get(name) ?? null;
}

interface Search extends DeclaredTables {
  readonly report: Report;
}

function actionsOf(file: ActionFile, search: Search): readonly FoundAction[] {
  const exported = file.defaultExport;
  const value = exported?.kind === "reference" && exported.target.file === file.file
    ? file.bindings.get(exported.target.name) ?? exported
    : exported;
  // An unreadable value was reported earlier. A file without a default export is reported below.
  if (value?.kind === "unreadable") return [];
  if (value?.kind === "call" && value.callee === "defineAction") {
    // A file with `defineAction({…})` defines one action, which has the file's name.
    const definition = value.args[0] ?? { kind: "null", place: value.place };
    return [{
      name: baseName(file.file),
      feature: file.feature,
      table: tableOf(file, search)?.name ?? null,
      standalone: isStandalone(definition),
      place: value.place,
      source: { module: file.file, member: null },
      definition,
      doc: docOf(file),
    }];
  }
  if (value?.kind === "call" && value.callee === "defineActions") {
    return several(file, value, search);
  }
  const listed = value?.kind === "object"
    ? value.entries.find(({ key }) => key === "actions")
    : undefined;
  if (listed) return withoutTable(file, ownValue(listed.value, file), search);
  const place = value?.place ?? { file: file.file, line: 1, column: 1, length: 1 };
  search.report.add("ACTION_NOT_EXPORTED", place, { file: file.file });
  return [];
}

/** Reads `defineActions(table | null, { name: {…} })`. */
function several(
  file: ActionFile,
  call: Value & { readonly kind: "call" },
  { tables, brokenFiles, report }: Search,
): readonly FoundAction[] {
  const [target, actions] = call.args;
  if (actions?.kind === "unreadable" || target?.kind === "unreadable") return [];
  const table = target?.kind === "reference"
    ? tables.find((candidate) => candidate.file === target.target.file)
    : undefined;
  const isTarget = target?.kind === "null" ||
    (target?.kind === "reference" && (table || brokenFiles.has(target.target.file)));
  if (!isTarget || actions?.kind !== "object") {
    const expected = "defineActions(table | null, { name: { … } })";
    report.add("ARGUMENTS", call.place, { callee: "defineActions", expected });
    return [];
  }
  return actions.entries.map((entry) => ({
    name: entry.key,
    feature: file.feature,
    table: table?.name ?? null,
    standalone: isStandalone(entry.value),
    place: entry.keyPlace,
    source: { module: file.file, member: entry.key },
    definition: entry.value,
    doc: entry.doc ?? null,
  }));
}

/** Reads `export default { actions: { name: {…} } }`, the older form for actions without a table. Each of them has a path. */
function withoutTable(
  file: ActionFile,
  actions: Value,
  { report }: Search,
): readonly FoundAction[] {
  if (actions.kind === "unreadable") return [];
  if (actions.kind !== "object") {
    return wrongType(actions, "an object of actions", { path: "actions", report }) ?? [];
  }
  return actions.entries.map((entry) => {
    const value = ownValue(entry.value, file);
    const isCall = value.kind === "call" && value.callee === "defineAction";
    const definition = isCall ? value.args[0] ?? value : value;
    if (!isStandalone(definition)) {
      report.add("ACTION_WITHOUT_TABLE", entry.keyPlace, { action: entry.key });
    }
    return {
      name: entry.key,
      feature: file.feature,
      table: null,
      standalone: true,
      place: entry.keyPlace,
      source: { module: file.file, member: entry.key, group: "actions" },
      definition,
      doc: entry.doc ?? null,
    };
  });
}

/** Returns the value of a constant of the same file; any other value is returned unchanged. */
function ownValue(value: Value, { file, bindings }: ActionFile): Value {
  return value.kind === "reference" && value.target.file === file && value.members.length === 0
    ? bindings.get(value.target.name) ?? value
    : value;
}

function isStandalone(value: Value): boolean {
  return value.kind === "object" && value.entries.some((entry) => entry.key === "path");
}

/** Returns the table of the action's folder, else the primary table of its feature. */
function tableOf(file: ActionFile, search: Search): TableDraft | null {
  if (file.table === null) return primaryTableOf(file.feature, search.tables);
  const own = tablesOf(file.feature, search.tables);
  const named = tableNamed(file.table, own);
  if (!named) reportFolder(file, file.table, { ...search, tables: own });
  return named ?? null;
}

function reportFolder(
  { file, feature }: ActionFile,
  folder: string,
  { tables, brokenFiles, report }: Search,
): void {
  if (brokenFiles.size > 0) return;
  const place = { file, line: 1, column: 1, length: 1 };
  const names = tables.map((table) => baseName(table.file));
  report.add("ACTION_TABLE_UNKNOWN", place, { folder, feature, nearest: nearest(folder, names) });
}
