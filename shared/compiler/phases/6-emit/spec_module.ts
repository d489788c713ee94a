/** `src/resources/<table>.ts`: one literal that says all there is to know about a table and its routes. */
import type { ColumnModel, JsonValue } from "../../../model/column.ts";
import { COLUMN_DEFAULTS, type TableSpec } from "../../../model/table_spec.ts";
import type { SpecPlan } from "../5-plan/output_plan.ts";
import { moduleText } from "./typescript/module.ts";
import { statement } from "./typescript/print.ts";
import { array, call, literal, object, type Source } from "./typescript/source.ts";

export function specModule(spec: SpecPlan): string {
  const { table, resource } = spec;
  const what = resource ? "Table and routes of" : "Table without routes:";
  return moduleText({
    comment: `${what} ${table.name}, declared in ${table.origin.file}.`,
    imports: [{ from: "../quickback/model/table_spec.ts", names: ["column", "type TableSpec"] }],
    statements: [statement(`export const ${spec.identifier}: TableSpec = `, specSource(spec))],
  });
}

function specSource({ table, resource }: TableSpec): Source {
  return object([
    ["table", members(table, { columns: array(table.columns.map(columnSource)) })],
    ["resource", resource ? members(resource) : literal(null)],
  ]);
}

/** Says what differs from the defaults only: what makes this column what it is. */
function columnSource(column: ColumnModel): Source {
  const defaults: Readonly<Record<string, unknown>> = COLUMN_DEFAULTS;
  const told = Object.entries(plain(column)).filter(([key, value]) =>
    !Object.hasOwn(defaults, key) || defaults[key] !== value
  );
  return call("column", [object(told.map(([key, value]) => [key, literal(value)]))]);
}

/** The members of a model as literals, some of them given in another form. */
function members<Model extends object>(
  model: Model,
  given: Partial<Record<keyof Model, Source>> = {},
): Source {
  const sources = new Map(Object.entries<Source | undefined>(given));
  return object(
    Object.entries(plain(model)).map(([key, value]) => [key, sources.get(key) ?? literal(value)]),
  );
}

/** A model is JSON by design (architecture, invariant 2); this is where the type system hears of it. */
function plain(model: object): Readonly<Record<string, JsonValue>> {
  return JSON.parse(JSON.stringify(model));
}
