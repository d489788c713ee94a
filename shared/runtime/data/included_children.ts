/**
 * The rows of other tables that refer to records (contract 4.3): the first of each record in the child's own order, all of a
 * page in one statement.
 */
import { CHILDREN_MAX, PAGE_SIZE_MAX } from "../../contract/limits.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { ResultSet, Statement } from "../ports.ts";
import type { IncludedRecords } from "../response/record.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { cellSql, visibleSql } from "./conditions.ts";
import { orderKeys, orderSql } from "./keyset.ts";
import { packedSelect, unpackedRows } from "./packed_rows.ts";
import { projectionSql, ROW } from "./projection.ts";
import { cellOf, recordText } from "./record_plan.ts";
import type { Fragment } from "./sql.ts";
import type { Embedding, Firewall } from "./types.ts";

/** The statement, and how its one packed row is read. */
export function childrenStatement(
  catalog: Catalog,
  embedding: Embedding & { readonly children: NonNullable<Embedding["children"]> },
  parents: { readonly firewall: Firewall; readonly rows: Fragment },
): { readonly statement: Statement; read(result: ResultSet): IncludedRecords } {
  const { column: name, children: { key, sort }, firewall, rule, projection } = embedding;
  const { table } = firewall;
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  const keys = orderKeys(sort, table);
  const foreignKey = columnOf(table, key);
  const id = columnOf(table, table.primaryKey);
  const own = parents.firewall.table;
  const parentId = columnOf(own, foreignKey.references?.column ?? own.primaryKey);
  const [inner, outer] = ["c", ROW].map((alias) => visibleSql(rule, { firewall, alias }));
  if (!inner || !outer) throw new Error("A child is read behind its firewall");
  const cells = [...shape.plan.cells, cellOf(foreignKey, cellSql(foreignKey, ROW))];
  const from = sqlIdentifier(table.sqlName);
  // The page's ids first; for each a run of the child's index, cut short; then the records of those rows alone.
  const sql = catalog.text(
    `children ${shape.key} ${parents.rows.sql} ${key} ${inner.sql} ${orderSql(keys, "c")}`,
    () =>
      `SELECT ${packedSelect(cells)} FROM (SELECT ${ROW}.* FROM ` +
      `(SELECT ${cellSql(parentId, ROW)} AS k FROM (${parents.rows.sql}) AS ${ROW}) AS k ` +
      `CROSS JOIN ${from} AS ${ROW} WHERE ${cellSql(foreignKey, ROW)} = k.k AND ` +
      `${cellSql(id, ROW)} IN (SELECT ${cellSql(id, "c")} ` +
      `FROM ${from} AS c WHERE ${cellSql(foreignKey, "c")} = k.k AND ${inner.sql} ` +
      `ORDER BY ${orderSql(keys, "c")} LIMIT ${CHILDREN_MAX + 1}) AND ${outer.sql} ` +
      `ORDER BY ${cellSql(foreignKey, ROW)}, ${orderSql(keys, ROW)} ` +
      `LIMIT ${PAGE_SIZE_MAX * (CHILDREN_MAX + 1)}) AS ${ROW}${shape.joins}`,
  );
  const args = [...selectArgs, ...parents.rows.args, ...inner.args, ...outer.args, ...joinArgs];
  return {
    statement: { sql, args, isSingle: true },
    read({ rows: [packed = []] }) {
      const byParent = Map.groupBy(unpackedRows(cells, packed), (row) => String(row.at(-1)));
      const records = [...byParent].map(([parent, rows]) => {
        const shown = rows.slice(0, CHILDREN_MAX).map((row) => recordText(shape.plan, row));
        const hasMore = rows.length > CHILDREN_MAX;
        return [parent, `{"data":[${shown.join(",")}],"hasMore":${hasMore}}`] as const;
      });
      return { column: name, records };
    },
  };
}
