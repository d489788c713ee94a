/** Shared input of every part of the corpus: the project, the caller, and the columns hidden from them. */
import type { Access } from "../../shared/model/access.ts";
import type { Principal } from "../../shared/model/principal.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { TableModel } from "../../shared/model/table.ts";
import type { JsonValue } from "../../shared/model/column.ts";
import { mayAdmit } from "../conformance/mod.ts";
import { SCOPE_PARAMETER } from "../../shared/surface/parameters.ts";
import type { HiddenColumn } from "../rows/hidden_columns.ts";
import { PEOPLE } from "../rows/twin_rows.ts";
import { twinsAt } from "../rows/twin_rows.ts";

export interface Scene {
  readonly model: ProjectModel;
  readonly caller: Principal;
  readonly hidden: readonly HiddenColumn[];
}

export function hiddenIn({ hidden }: Scene, table: Pick<TableModel, "name">) {
  return hidden.filter((one) => one.table.name === table.name);
}

/** True when some row could be the caller's to ask for: those refused outright get fewer questions. */
export function isLetIn({ caller }: Scene, access: Access): boolean {
  return mayAdmit(access, caller);
}

/** A path with its query; whoever has no organization names one, where the table has tenants. */
export function pathWith(
  { caller }: Scene,
  path: string,
  { table, query = [] }: {
    readonly table: TableModel | null;
    readonly query?: readonly (readonly [string, string])[];
  },
): string {
  const isNaming = caller.credential === "none" && table !== null &&
    table.scope.organization !== null;
  const all = isNaming ? [[SCOPE_PARAMETER, PEOPLE.organization] as const, ...query] : query;
  if (all.length === 0) return path;
  const text = all.map(([name, value]) =>
    `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  );
  return `${path}?${text.join("&")}`;
}

/** Values of the hidden column in one row, of the one database and the other, as a query writes them. */
export function secretsOf(one: HiddenColumn, at: number, model: ProjectModel): readonly string[] {
  return (twinsAt(one, at, model) ?? []).map(queryText);
}

export function queryText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
