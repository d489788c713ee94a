/** Finds the organization of the row that a random text names, in any organization (definitions 5, `tenantOf`). */
import { columnNamed } from "../../surface/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { Reader } from "../ports.ts";
import { cellSql, equalsSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import { allOf, fragment } from "./sql.ts";
import type { Firewall } from "./types.ts";

interface TenantKey {
  /** Firewall of the table for an anonymous caller: it hides deleted rows. */
  readonly firewall: Firewall;
  readonly column: string;
  readonly value: string;
}

/** Returns the organization; null: no living row has the text, or several have it. */
export async function selectTenant(
  reader: Reader,
  { firewall: { table }, column, value }: TenantKey,
): Promise<string | null> {
  const { organization } = table.scope;
  if (organization === null) throw new Error(`Rows of "${table.name}" belong to no organization`);
  const cellOf = (name: string) => cellSql(columnNamed(name, table), ROW);
  const where = allOf([
    equalsSql(cellOf(column), value),
    ...(table.softDelete ? [fragment(`${cellOf("deletedAt")} IS NULL`)] : []),
  ]);
  const { rows } = await reader.run({
    sql: `SELECT ${cellOf(organization)} FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} ` +
      `WHERE ${where.sql} LIMIT 2`,
    args: where.args,
    beyondScope: "namedTenant",
  });
  const [only, ...others] = rows;
  const [id] = only ?? [];
  return typeof id === "string" && others.length === 0 ? id : null;
}
