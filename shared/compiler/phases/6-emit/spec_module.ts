/** Writes `src/resources/<table>.ts`: one literal with the whole model of a table and its routes. */
import type { JsonValue } from "../../../contract/mod.ts";
import { COLUMN_DEFAULTS, PREDICATE_DEFAULTS } from "../../../model/mod.ts";
import type { OutputPlan, SpecPlan } from "../5-plan/output_plan.ts";
import { runtimeModule } from "./runtime_module.ts";
import type { JsonObject, Source } from "./typescript/source.ts";
import { call, isList, literal, moduleText, namesIn, object } from "./typescript/source.ts";
import { statement } from "./typescript/print.ts";

export function specModule(
  { table, resource, identifier }: SpecPlan,
  plan: Pick<OutputPlan, "runtimeFrom">,
): string {
  const source = literal(JSON.parse(JSON.stringify({ table, resource })), specTerm);
  const names = namesIn([source]);
  const used = (module: keyof typeof TERMS) => TERMS[module].filter((name) => names.has(name));
  const what = resource ? "Table and routes of" : "Table without routes:";
  return moduleText({
    comment: `${what} ${table.name}, declared in ${table.origin.file}.`,
    imports: [
      { from: runtimeModule(plan, "../", "model/access.ts"), names: used("access") },
      {
        from: runtimeModule(plan, "../", "model/table_spec.ts"),
        names: [...used("table_spec"), "type TableSpec"],
      },
    ],
    statements: [statement(`export const ${identifier}: TableSpec = `, source)],
  });
}

type Whole = (value: JsonValue) => Source;

/** Functions that `specTerm` may call, by module of `quickback/model`. */
const TERMS = {
  access: ["allOf", "anyOf", "hasRole", "hasUserRole", "recordMatches"],
  table_spec: ["column", "predicate", "text"],
} as const;

const COLUMN_KEYS = [
  "name",
  "sqlName",
  "type",
  "nullable",
  "default",
  "manager",
  "references",
  "searchable",
];
const PREDICATE_KEYS = ["kind", "column", "operator", "operand", "roles", "exceptRoles"];
const TEXT_DEFAULTS = { maxLength: null, enum: null };

/** Members that contain an author's own JSON. It may look like a part of the model and is never read as one. */
const OPAQUE: readonly string[] = ["default", "inputHints", "layouts", "computed", "rollup"];

/** Function and its arguments' member, by kind of access rule. */
const ACCESS: Readonly<Record<string, readonly [callee: string, list: string]>> = {
  all: ["allOf", "of"],
  any: ["anyOf", "of"],
  roles: ["hasRole", "roles"],
  userRole: ["hasUserRole", "roles"],
  record: ["recordMatches", "conditions"],
};

/**
 * Returns the short form of an object that has exactly its members: a call that evaluates to the same value. Any other object
 * is written in full.
 */
function specTerm(value: JsonObject, whole: Whole): Source {
  if (value.kind === "text" && hasKeys(value, ["kind", "maxLength", "enum"])) {
    const { kind: _kind, ...limits } = value;
    const told = differing(limits, TEXT_DEFAULTS);
    return call("text", told.length === 0 ? [] : [spelled(told, whole)]);
  }
  const more = ["filters", "description", "computed", "rollup"].filter((key) =>
    Object.hasOwn(value, key)
  );
  if (hasKeys(value, [...COLUMN_KEYS, ...more])) {
    const told = differing(value, { ...COLUMN_DEFAULTS, sqlName: value.name });
    return call("column", [spelled(told, whole)]);
  }
  if (hasKeys(value, PREDICATE_KEYS)) {
    return call("predicate", [spelled(differing(value, PREDICATE_DEFAULTS), whole)]);
  }
  return accessTerm(value, whole) ?? spelled(Object.entries(value), whole);
}

function accessTerm(value: JsonObject, whole: Whole): Source | null {
  const { kind } = value;
  if (typeof kind !== "string" || !Object.hasOwn(ACCESS, kind)) return null;
  const [callee, list] = ACCESS[kind] ?? [];
  if (callee === undefined || list === undefined || !hasKeys(value, ["kind", list])) return null;
  const items = value[list];
  return isList(items) ? call(callee, items.map(whole)) : null;
}

function hasKeys(value: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(value).length === keys.length &&
    keys.every((key) => Object.hasOwn(value, key));
}

function differing(
  value: JsonObject,
  defaults: Readonly<Record<string, unknown>>,
): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value).filter(([key, member]) =>
    !Object.hasOwn(defaults, key) || JSON.stringify(defaults[key]) !== JSON.stringify(member)
  );
}

function spelled(entries: readonly (readonly [string, JsonValue])[], whole: Whole): Source {
  return object(
    entries.map(([key, member]) => [key, OPAQUE.includes(key) ? literal(member) : whole(member)]),
  );
}
