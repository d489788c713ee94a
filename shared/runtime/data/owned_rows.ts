/** Conditions for rows of a service table by their owner, as `SERVICE_TABLES` describes it. */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { type Ownership, serviceRecords, type ServiceTable } from "../../model/mod.ts";

/** Conditions for the owners at the end of each path. */
interface Owners {
  /** Returns the condition of a row that names its organization in this column. */
  named(column: string, record: ServiceTable): string;
  /** Returns the condition of a row that refers to a record of the project by this column, or null if no row fits. */
  ofRecord(column: string, table: string): string | null;
}

/** Returns the SQL condition of the rows whose owners fit, or null if none can. Throws for a parent table without a record. */
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

/** Orders records so that a table comes before the tables that it derives its owner from. */
export function childrenFirst(records: readonly ServiceTable[]): readonly ServiceTable[] {
  return records.toSorted((a, b) => depthOf(b) - depthOf(a));
}

function depthOf({ ownedBy }: ServiceTable): number {
  return ownedBy?.kind === "service" ? 1 + depthOf(parentOf(ownedBy)) : 0;
}

/** Returns the SQL name of the primary key. */
export function keyOf({ table }: Pick<ServiceTable, "table">): string {
  return sqlIdentifier(table.columns.find(({ primaryKey }) => primaryKey)?.name ?? "rowid");
}

function parentOf({ table }: Extract<Ownership, { readonly kind: "service" }>): ServiceTable {
  const parent = serviceRecords().find((record) => record.table === table);
  if (!parent) throw new Error(`Service table "${table.name}" has no record`);
  return parent;
}
