/**
 * The records that foreign keys refer to, one statement for each key: chosen by the same rows that the page or the record
 * comes from, so that all of it is one round trip and one snapshot (contract 4.3 rule 4).
 */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { sightOf } from "../../surface/column_sight.ts";
import type { ResultSet, Statement } from "../ports.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { cellSql, visibleSql } from "./conditions.ts";
import { projectionSql, ROW } from "./projection.ts";
import { recordText } from "./record_plan.ts";
import { type Fragment, fragment, NO_ROW } from "./sql.ts";
import type { IncludedRecords } from "../response/record.ts";
import type { Embedding, Firewall } from "./types.ts";

/** Rows that hold the foreign keys. */
interface KeyHolders {
  readonly firewall: Firewall;
  /** `SELECT` of the rows' columns. */
  readonly rows: Fragment;
}

/** A statement, and how its answer is read. */
interface IncludedStatement {
  readonly statement: Statement;
  read(result: ResultSet): IncludedRecords;
}

export function includedStatement(
  catalog: Catalog,
  embedding: Embedding,
  holders: KeyHolders,
): IncludedStatement {
  const { column, firewall, rule, projection } = embedding;
  const { table } = firewall;
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  const foreignKey = columnOf(holders.firewall.table, column);
  const referred = columnOf(table, foreignKey.references?.column ?? table.primaryKey);
  const id = cellSql(columnOf(table, table.primaryKey), ROW);
  const keys = keysSql(embedding, holders);
  const visible = visibleSql(rule, { firewall, alias: ROW });
  // The cross join keeps the order of the tables: a few keys first, then one look-up for each.
  const sql = catalog.text(
    `included ${shape.key} ${keys.sql} ${visible.sql}`,
    () =>
      `SELECT ${shape.plan.select}, ${id} FROM (${keys.sql}) AS k CROSS JOIN ` +
      `${sqlIdentifier(table.sqlName)} AS ${ROW}${shape.joins} ` +
      `WHERE ${cellSql(referred, ROW)} = k.k AND ${visible.sql} ORDER BY ${id}`,
  );
  return {
    statement: { sql, args: [...selectArgs, ...keys.args, ...joinArgs, ...visible.args] },
    read: ({ rows }) => ({
      column,
      records: rows.map((row) => [String(row.at(-1)), recordText(shape.plan, row)]),
    }),
  };
}

/** The foreign keys that the caller may see: of their own rows only, where the key's mask says so. */
function keysSql({ column, source }: Embedding, { firewall, rows }: KeyHolders): Fragment {
  const { table, principal } = firewall;
  const cell = cellSql(columnOf(table, column), ROW);
  const select = `SELECT DISTINCT ${cell} AS k FROM (${rows.sql}) AS ${ROW}`;
  switch (sightOf(source, column, principal).kind) {
    case "plain":
      return fragment(select, ...rows.args);
    case "ownerOnly": {
      const owner = cellSql(columnOf(table, table.ownerColumn), ROW);
      return fragment(`${select} WHERE ${owner} IS ?`, ...rows.args, principal.userId);
    }
    case "masked":
      return fragment(`${select} WHERE ${NO_ROW.sql}`, ...rows.args);
  }
}
