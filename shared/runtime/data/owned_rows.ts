/** Conditions on rows of service tables that their records imply (`SERVICE_TABLES`): whose a row is. */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { type Ownership, serviceRecords, type ServiceTable } from "../../model/mod.ts";

/** Conditions of the two kinds of rows that others are traced to; null: no row fits. */
interface Owners {
  /** Of a row that names its organization itself. */
  named(column: string, record: ServiceTable): string;
  /** Of a record of the project, by the key in this column of a service table. */
  ofRecord(column: string, table: string): string | null;
}

/** SQL that holds for the rows of a service table whose owners fit; null: for none of them. */
export function ownedCondition(record: ServiceTable, owners: Owners): string | null {
  const { ownedBy } = record;
  if (ownedBy === null) return null;
  const column = sqlIdentifier(ownedBy.column);
  switch (ownedBy.kind) {
    case "named":
      return owners.named(column, record);
    case "record":
      return owners.ofRecord(column, ownedBy.table);
    case "service": {
      const parent = parentOf(ownedBy);
      const inner = ownedCondition(parent, owners);
      if (inner === null) return null;
      const { name } = parent.table;
      return `${column} IN (SELECT ${keyOf(parent)} FROM ${sqlIdentifier(name)} WHERE ${inner})`;
    }
  }
}

/** Orders records so that rows come before those that say whose they are. */
export function childrenFirst(records: readonly ServiceTable[]): readonly ServiceTable[] {
  return records.toSorted((a, b) => depthOf(b) - depthOf(a));
}

function depthOf({ ownedBy }: ServiceTable): number {
  return ownedBy?.kind === "service" ? 1 + depthOf(parentOf(ownedBy)) : 0;
}

/** SQL of the primary key. */
export function keyOf({ table }: Pick<ServiceTable, "table">): string {
  return sqlIdentifier(table.columns.find(({ primaryKey }) => primaryKey)?.name ?? "rowid");
}

function parentOf({ table }: Extract<Ownership, { readonly kind: "service" }>): ServiceTable {
  const parent = serviceRecords().find((record) => record.table === table);
  if (!parent) throw new Error(`Service table "${table.name}" has no record`);
  return parent;
}
