/** Columns that a body may carry, and the refusal of all others: a second reading of contract 7.2 and definitions 4.3. */
import type { RuntimeCode } from "../../shared/contract/codes.ts";
import type { ColumnModel } from "../../shared/model/column.ts";
import type { ResourceModel } from "../../shared/model/resource.ts";
import type { TableModel } from "../../shared/model/table.ts";

export type BodyVerb = "create" | "update" | "upsert";

export function writableBy(
  verb: BodyVerb,
  resource: ResourceModel,
  table: TableModel,
): readonly ColumnModel[] {
  return table.columns.filter((column) =>
    column.manager === "client" && guardRefusal(verb, column, resource) === null
  );
}

/** Null: the body may carry it. The id is a matter of its own. */
export function guardRefusal(
  verb: BodyVerb,
  { name, manager }: ColumnModel,
  { guards }: ResourceModel,
): RuntimeCode | null {
  if (manager !== "client") return "GUARD_SYSTEM_MANAGED";
  if (guards === null) return null;
  if (Object.keys(guards.protected).includes(name)) return "GUARD_FIELD_PROTECTED";
  if (verb !== "update") {
    return guards.createable.includes(name) ? null : "GUARD_FIELD_NOT_CREATEABLE";
  }
  if (guards.immutable.includes(name)) return "GUARD_FIELD_IMMUTABLE";
  return guards.updatable.includes(name) ? null : "GUARD_FIELD_NOT_UPDATABLE";
}

/** One column for each code that a body can be refused with, and every scope column. */
export function refusedColumns(
  verb: BodyVerb,
  resource: ResourceModel,
  table: TableModel,
): readonly { readonly column: ColumnModel; readonly code: RuntimeCode }[] {
  const codes = new Set<RuntimeCode>();
  return table.columns.filter(({ manager }) => manager !== "id").flatMap((column) => {
    const code = guardRefusal(verb, column, resource);
    if (code === null || (codes.has(code) && column.manager !== "scope")) return [];
    codes.add(code);
    return [{ column, code }];
  });
}
