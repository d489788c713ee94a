/** Names and tables of the project's actions, so that guards and operations can point at them (definitions 5). */
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import { camelCase } from "../../../surface/names.ts";
import type { Definitions, Value } from "../values.ts";
import type { TableDraft } from "./tables/draft.ts";

type ActionFile = Definitions["actions"][number];

/** Enough for guards and operations to name it. */
export interface ActionName {
  readonly name: string;
  readonly feature: string;
  /** Null: standalone. */
  readonly table: string | null;
}

interface FoundAction extends ActionName {
  readonly place: Place;
}

/** Sorted by feature, table and name. */
export function readActions(
  files: Definitions["actions"],
  tables: readonly TableDraft[],
  report: Report,
): readonly ActionName[] {
  const found = files.flatMap((file) => actionsOf(file, { tables, report }));
  const seen = new Map<string, FoundAction>();
  for (const action of found) {
    const key = actionKey(action);
    if (seen.has(key)) report.add("ACTION_TWICE", action.place, { action: action.name });
    else seen.set(key, action);
  }
  const [first] = found;
  if (first) report.add("ACTIONS_NOT_SERVED", first.place, { count: found.length });
  return [...seen.values()]
    .sort((a, b) => actionKey(a) < actionKey(b) ? -1 : 1)
    .map(({ name, feature, table }) => ({ name, feature, table }));
}

function actionKey({ feature, table, name }: ActionName): string {
  return [feature, table ?? "", name].join("/");
}

interface ActionScope {
  readonly tables: readonly TableDraft[];
  readonly report: Report;
}

function actionsOf(file: ActionFile, scope: ActionScope): readonly FoundAction[] {
  const exported = file.defaultExport;
  const value = exported?.kind === "reference" && exported.target.file === file.file
    ? file.bindings.get(exported.target.name) ?? exported
    : exported;
  // A file without a default export was reported when it was read.
  if (!value || value.kind === "unreadable") return [];
  if (value.kind === "call" && value.callee === "defineAction") {
    return [single(file, value, scope)];
  }
  if (value.kind === "call" && value.callee === "defineActions") {
    return several(file, value, scope);
  }
  scope.report.add("ACTION_NOT_EXPORTED", value.place, { file: file.file });
  return [];
}

/** `defineAction({…})` in a file of its own: the file's name is the action's. */
function single(
  file: ActionFile,
  call: Value & { readonly kind: "call" },
  { tables }: ActionScope,
): FoundAction {
  const name = (file.file.split("/").at(-1) ?? "").replace(/\.ts$/, "");
  return {
    name: /[-_]/.test(name) ? camelCase(name) : name,
    feature: file.feature,
    table: isStandalone(call.args[0]) ? null : tableOf(file, tables),
    place: call.place,
  };
}

/** `defineActions(table | null, { name: {…} })`. */
function several(
  file: ActionFile,
  call: Value & { readonly kind: "call" },
  { tables, report }: ActionScope,
): readonly FoundAction[] {
  const [target, actions] = call.args;
  if (actions?.kind === "unreadable" || target?.kind === "unreadable") return [];
  if (!target || actions?.kind !== "object") {
    const expected = "defineActions(table, { name: { … } })";
    report.add("ARGUMENTS", call.place, { callee: "defineActions", expected });
    return [];
  }
  const table = target.kind === "reference"
    ? tables.find((candidate) => candidate.file === target.target.file)?.name ?? null
    : null;
  return actions.entries.map((entry) => ({
    name: entry.key,
    feature: file.feature,
    table: isStandalone(entry.value) ? null : table,
    place: entry.keyPlace,
  }));
}

function isStandalone(value: Value | undefined): boolean {
  return value?.kind === "object" && value.entries.some((entry) => entry.key === "path");
}

/** The folder's table, else the feature's primary one: named like the feature, or its only one. */
function tableOf(file: ActionFile, tables: readonly TableDraft[]): string | null {
  const own = tables.filter((table) => table.feature === file.feature);
  const base = (table: TableDraft) => (table.file.split("/").at(-1) ?? "").replace(/\.ts$/, "");
  const wanted = file.table ?? file.feature;
  const named = own.find((table) => base(table) === wanted || table.name === wanted);
  if (named) return named.name;
  const [only] = own;
  return file.table === null && own.length === 1 && only ? only.name : null;
}
