/** Lists columns that a write body may contain, and the codes that refuse the others (contract 7.2, definitions 4.3). */
import type { RuntimeCode } from "../contract/mod.ts";
import type { ColumnModel, ResourceModel, TableModel } from "../model/mod.ts";
import { clientIdRule } from "./ids.ts";

export type WriteVerb = "create" | "update" | "upsert";

/** Returns the columns that a body of this verb may contain, in table order; without the id (contract 4.1 rule 5). */
export function writableColumns(
  verb: WriteVerb,
  resource: Pick<ResourceModel, "guards">,
  table: TableModel,
): readonly ColumnModel[] {
  return table.columns.filter((column) =>
    column.manager === "client" && refusalOf(verb, column.name, resource, table) === null
  );
}

/** Returns the code that refuses a field of a body; null when it may be written. A client's id needs no entry in a list. */
export function refusalOf(
  verb: WriteVerb,
  field: string,
  resource: Pick<ResourceModel, "guards">,
  table: TableModel,
): RuntimeCode | null {
  const notWritable = verb === "update"
    ? "GUARD_FIELD_NOT_UPDATABLE"
    : "GUARD_FIELD_NOT_CREATEABLE";
  const column = table.columns.find((candidate) => candidate.name === field);
  if (!column) return notWritable;
  if (column.manager === "id" && verb === "create" && clientIdRule(table) !== "refused") {
    return null;
  }
  if (column.manager !== "client") return "GUARD_SYSTEM_MANAGED";
  const { guards } = resource;
  if (!guards) return null;
  if (Object.hasOwn(guards.protected, field)) return "GUARD_FIELD_PROTECTED";
  if (verb === "update" && guards.immutable.includes(field)) return "GUARD_FIELD_IMMUTABLE";
  const list = verb === "update" ? guards.updatable : guards.createable;
  return list.includes(field) ? null : notWritable;
}
