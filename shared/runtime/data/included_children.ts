/**
 * Child rows that are included with records (contract 4.3): the first of each record in the child's order, for a whole page in
 * one statement.
 */
import { columnNamed } from "../../surface/mod.ts";
import { CHILDREN_MAX } from "../../contract/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { ResultSet, Statement } from "../ports.ts";
import type { IncludedRecords } from "../response/record.ts";
import type { Catalog } from "./catalog.ts";
import { compareStored } from "./comparisons.ts";
import { cellSql, visibleSql } from "./conditions.ts";
import { orderKeys, orderSql } from "./keyset.ts";
import { nestedRows, nestedSelect, packedSelect, unpackedRows } from "./packed_rows.ts";
import { projectionSql, ROW } from "./projection.ts";
import { cellOf, recordText } from "./record_plan.ts";
import type { Fragment } from "./sql.ts";
import type { Embedding, Firewall } from "./types.ts";

/** Makes the statement, and the function that reads its packed row. */
export function childrenStatement(
  catalog: Catalog,
  embedding: Embedding & { readonly children: NonNullable<Embedding["children"]> },
  parents: { readonly firewall: Firewall; readonly rows: Fragment },
): { readonly statement: Statement; read(result: ResultSet): IncludedRecords } {
  const { column: name, children: { key, sort }, firewall, rule, projection } = embedding;
  const { table } = firewall;
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  const foreignKey = columnNamed(key, table);
  const own = parents.firewall.table;
  const parentId = columnNamed(foreignKey.references?.column ?? own.primaryKey, own);
  const visible = visibleSql(rule, { firewall, alias: ROW, reading: "row" });
  const order = orderSql(orderKeys(sort, table), ROW);
  const { cells } = shape.plan;
  const id = cellOf(parentId, "k.k");
  // For each id of the page a bounded range of the child's index is read.
  const sql = catalog.text(
    `children ${shape.key} ${parents.rows.sql} ${key} ${visible.sql} ${order}`,
    () => {
      const run = `SELECT ${nestedSelect(cells)} FROM (SELECT ${ROW}.* ` +
        `FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} ` +
        `WHERE ${cellSql(foreignKey, ROW)} = k.k AND ${visible.sql} ` +
        `ORDER BY ${order} LIMIT ${CHILDREN_MAX + 1}) AS ${ROW}${shape.joins}`;
      const texts = { form: "nested", sql: `coalesce((${run}), '')` } as const;
      return `SELECT ${packedSelect([texts, id])} ` +
        `FROM (SELECT ${cellSql(parentId, ROW)} AS k FROM (${parents.rows.sql}) AS ${ROW}) AS k`;
    },
  );
  const args = [...selectArgs, ...visible.args, ...joinArgs, ...parents.rows.args];
  return {
    statement: { sql, args, isSingle: true },
    read({ rows: [packed = []] }) {
      const found = unpackedRows([{ form: "nested" }, id], packed)
        .map(([text, parent = null]) => ({ parent, rows: nestedRows(cells, String(text)) }))
        // A record without children has no entry, and no row refers to null.
        .filter(({ rows }) => rows.length > 0);
      found.sort((one, other) =>
        one.parent === null ? -1 : compareStored(one.parent, other.parent)
      );
      const records = found.map(({ parent, rows }) => {
        const shown = rows.slice(0, CHILDREN_MAX).map((row) => recordText(shape.plan, row));
        const hasMore = rows.length > CHILDREN_MAX;
        return [String(parent), `{"data":[${shown.join(",")}],"hasMore":${hasMore}}`] as const;
      });
      return { column: name, records };
    },
  };
}
