/**
 * Changed rows with the related rows that rules need, before and after a transaction. A frame is judged by them for each
 * subscriber (contract 6.3, docs/decisions/relations.md).
 */
import { columnNamed, type RealtimeResource, relationsAt } from "../../../surface/mod.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { RelatedPredicate, RowPredicate, RowRelation } from "../../../model/mod.ts";
import { CHANGES_TOLD_MAX } from "../../../contract/mod.ts";
import type { Reader, SqlValue } from "../../ports.ts";
import { cellSql, inSql } from "../conditions.ts";
import { ROW } from "../projection.ts";
import { allOf } from "../sql.ts";
import type { RelatedRow, StoredRow } from "../types.ts";
import type { RowChange } from "./change_log.ts";

/** A row to report, with its related rows before and after. */
export interface RelatedChange {
  readonly change: RowChange;
  /** True when the row itself is unchanged, and other rows have changed who sees it. */
  readonly isInduced: boolean;
  readonly before: RelatedRow | null;
  readonly after: RelatedRow | null;
}

interface Collecting {
  readonly reader: Reader;
  /** Changes of the whole transaction by table. */
  readonly changes: ReadonlyMap<string, readonly RowChange[]>;
}

/** Collects the changes; null: there are too many to report each. */
export async function relatedChanges(
  reader: Reader,
  resource: RealtimeResource,
  changed: readonly RowChange[],
): Promise<readonly RelatedChange[] | null> {
  const { table, predicates } = resource;
  const changes = Map.groupBy(changed, (one) => one.table);
  const collecting = { reader, changes };
  const own = changes.get(table.name) ?? [];
  try {
    const known = new Set(own.map(({ id }) => id));
    const induced = (await touchedRows(collecting, resource))
      .filter((row) => !known.has(row.get(table.primaryKey) ?? null))
      .map((row): RowChange => ({
        kind: "update",
        table: table.name,
        id: row.get(table.primaryKey) ?? null,
        before: row,
        after: row,
      }));
    const all = [...own, ...induced];
    const before = await withRelated(
      collecting,
      all.map((one) => one.before),
      predicates,
      "before",
    );
    const after = await withRelated(collecting, all.map((one) => one.after), predicates, "after");
    return all.map((change, at) => ({
      change,
      isInduced: at >= own.length,
      before: before[at] ?? null,
      after: after[at] ?? null,
    }));
  } catch (error) {
    if (error instanceof TooMany) return null;
    throw error;
  }
}

class TooMany extends Error {}

/** Returns the resource's rows that some changed row is or was related to. */
async function touchedRows(
  collecting: Collecting,
  { table, columns, predicates }: RealtimeResource,
): Promise<readonly StoredRow[]> {
  const source = {
    sqlName: table.sqlName,
    columns: columns.map((name) => columnNamed(name, table)),
  };
  return await touched(collecting, source, predicates);
}

type Source = Pick<RowRelation, "sqlName" | "columns">;

async function touched(
  collecting: Collecting,
  source: Source,
  predicates: readonly RowPredicate[],
): Promise<readonly StoredRow[]> {
  const found = new Map<SqlValue, StoredRow>();
  for (const { relation, of } of relationsAt(predicates)) {
    const images = [
      ...(collecting.changes.get(relation.table) ?? []).flatMap(({ before, after }) =>
        [before, after].filter((row) => row !== null)
      ),
      ...await touched(collecting, relation, [of]),
    ];
    const { own, related, tenant } = relation;
    const keys = keysOf(images, related);
    const tenants = tenant && { column: tenant.own, values: keysOf(images, tenant.related) };
    for (const row of await rowsBy(collecting, source, { column: own, values: keys }, tenants)) {
      found.set(row.get(source.columns[0]?.name ?? "") ?? null, row);
    }
    requireFew(found.size);
  }
  return [...found.values()];
}

/** Returns rows with their related rows, in one state. */
async function withRelated(
  collecting: Collecting,
  rows: readonly (StoredRow | null)[],
  predicates: readonly RowPredicate[],
  state: "before" | "after",
): Promise<readonly (RelatedRow | null)[]> {
  const nodes = relationsAt(predicates);
  const present = rows.filter((row) => row !== null);
  const related = await Promise.all(
    nodes.map((node) => relatedRows(collecting, present, node, state)),
  );
  return rows.map((row) => row && { row, related: related.map((of) => of(row)) });
}

/** Returns the rows that one relation leads to, by their source row. */
async function relatedRows(
  collecting: Collecting,
  rows: readonly StoredRow[],
  { relation, of }: RelatedPredicate,
  state: "before" | "after",
): Promise<(row: StoredRow) => readonly RelatedRow[]> {
  const { own, related, tenant, deletedAt, table } = relation;
  const keys = keysOf(rows, own);
  const tenants = tenant && { column: tenant.related, values: keysOf(rows, tenant.own) };
  const now = await rowsBy(collecting, relation, { column: related, values: keys }, tenants);
  const changed = state === "before" ? collecting.changes.get(table) ?? [] : [];
  const gone = new Set(changed.map(({ id }) => id));
  const id = relation.columns[0]?.name ?? "";
  const were = [
    ...now.filter((row) => !gone.has(row.get(id) ?? null)),
    ...changed.flatMap(({ before }) =>
      before && keys.includes(before.get(related) ?? null) ? [before] : []
    ),
  ];
  const there = were.filter((row) => deletedAt === null || (row.get(deletedAt) ?? null) === null);
  const whole = await withRelated(collecting, there, [of], state);
  const byKey = Map.groupBy(
    whole.filter((one) => one !== null),
    (one) => one.row.get(related) ?? null,
  );
  return (row) =>
    (byKey.get(row.get(own) ?? null) ?? []).filter((one) =>
      tenant === null || one.row.get(tenant.related) === row.get(tenant.own)
    );
}

function keysOf(rows: readonly StoredRow[], column: string): readonly SqlValue[] {
  return [...new Set(rows.map((row) => row.get(column) ?? null))].filter((key) => key !== null);
}

/** A column with the values that a row may have in it. */
interface Held {
  readonly column: string;
  readonly values: readonly SqlValue[];
}

/** Selects rows by values. `tenants` are the possible tenants; null: the table has none. */
async function rowsBy(
  { reader }: Collecting,
  { sqlName, columns }: Source,
  keys: Held,
  tenants: Held | null,
): Promise<readonly StoredRow[]> {
  if (keys.values.length === 0) return [];
  const where = allOf([keys, ...(tenants ? [tenants] : [])].map(({ column, values }) => {
    const asked = columns.find(({ name }) => name === column);
    if (!asked) throw new Error(`A relation asks for '${column}', which '${sqlName}' has not`);
    return inSql(cellSql(asked, ROW), values);
  }));
  const { rows } = await reader.run({
    sql: `SELECT ${columns.map((one) => cellSql(one, ROW)).join(", ")} ` +
      `FROM ${sqlIdentifier(sqlName)} AS ${ROW} WHERE ${where.sql} LIMIT ${CHANGES_TOLD_MAX + 1}`,
    args: where.args,
    beyondScope: "framedRows",
  });
  requireFew(rows.length);
  return rows.map((row) => new Map(columns.map(({ name }, at) => [name, row[at] ?? null])));
}

function requireFew(rows: number): void {
  if (rows > CHANGES_TOLD_MAX) throw new TooMany();
}
