/** What every part of the corpus needs to know: the project, who asks, and what is hidden from them. */
import type { Access } from "../../model/access.ts";
import type { Principal } from "../../model/principal.ts";
import type { ProjectModel } from "../../model/project.ts";
import type { TableModel } from "../../model/table.ts";
import type { JsonValue } from "../../model/column.ts";
import { mayAdmit } from "../../conformance/mod.ts";
import { SCOPE_PARAMETER } from "../../surface/parameters.ts";
import type { HiddenColumn } from "../hidden_columns.ts";
import { PEOPLE } from "../twin_rows.ts";
import { twinsAt } from "../twin_rows.ts";

export interface Scene {
  readonly model: ProjectModel;
  readonly caller: Principal;
  readonly hidden: readonly HiddenColumn[];
}

export function hiddenIn({ hidden }: Scene, table: Pick<TableModel, "name">) {
  return hidden.filter((one) => one.table.name === table.name);
}

/** Whether any row could be the caller's to ask for: whoever is refused at the door is asked for less. */
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

/** What the hidden column holds in the one database and in the other, in one row, as a query says it. */
export function secretsOf(one: HiddenColumn, at: number, model: ProjectModel): readonly string[] {
  return (twinsAt(one, at, model) ?? []).map(queryText);
}

export function queryText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
