/** A stored row as a record for one reader, with the masks of reads: the same as `projection.ts` says in SQL, without labels. */
import { storageOf } from "../../column_types/mod.ts";
import type { TableModel } from "../../model/table.ts";
import type { ResourceModel } from "../../model/resource.ts";
import { sightOf } from "../../surface/column_sight.ts";
import { columnOf } from "./catalog.ts";
import { maskedText } from "./record_plan.ts";
import { rowSatisfies } from "./row_satisfies.ts";
import type { RowRule } from "../../surface/admission.ts";
import type { Firewall, StoredRow } from "./types.ts";
import { jsonTextOf } from "./values.ts";

/** True when a read of the row by the firewall's caller would find it. */
export function isVisible(row: StoredRow, rule: RowRule | null, firewall: Firewall): boolean {
  const behind = { kind: "conditions", conditions: firewall.predicates } as const;
  return rowSatisfies(behind, row, firewall) &&
    (rule === null || rowSatisfies(rule, row, firewall));
}

/** The record as JSON text. */
export function recordOfRow(
  row: StoredRow,
  { resource, columns, firewall }: {
    readonly resource: ResourceModel;
    readonly columns: readonly string[];
    readonly firewall: Firewall;
  },
): string {
  const members = columns.map((name) =>
    `${JSON.stringify(name)}:${valueText(row, name, { resource, firewall })}`
  );
  return `{${members.join(",")}}`;
}

function valueText(
  row: StoredRow,
  name: string,
  { resource, firewall: { table, principal } }: {
    readonly resource: ResourceModel;
    readonly firewall: Firewall;
  },
): string {
  const value = row.get(name);
  if (value === undefined) throw new Error(`The stored row has no column '${name}'`);
  const sight = sightOf(resource, name, principal);
  if (
    sight.kind === "plain" || (sight.kind === "ownerOnly" && isOwn(row, table, principal.userId))
  ) {
    return jsonTextOf(storageOf(columnOf(table, name).type), value);
  }
  return maskedText(sight.type, value);
}

function isOwn(row: StoredRow, { ownerColumn }: TableModel, userId: string | null): boolean {
  return userId !== null && row.get(ownerColumn) === userId;
}
