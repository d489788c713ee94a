/** Rows that a request has met in scope, and may name by id afterwards. */
import type { Node } from "sql-parser-cst";
import { includes, isColumn, valueOf, valuesLeft } from "./bound_values.ts";
import type { BoundSql } from "./sql_texts.ts";
import type { RecordedStatement, SqlValue } from "./statement_record.ts";
import type { TableUse } from "./table_uses.ts";

/** Known rows by the table's SQL name, in lower case. */
export interface KnownRows {
  /** Ids that were met or written in scope, in the open transaction. */
  readonly met: Map<string, readonly SqlValue[]>;
  /** Ids that this request looked up in scope. */
  readonly asked: Map<string, readonly SqlValue[]>;
  /** Timestamps of soft deletions in the open transaction. */
  readonly stamps: SqlValue[];
}

/** Adds the ids that a use in scope reveals. */
export function noteRows(known: KnownRows, seen: {
  readonly sql: BoundSql;
  readonly use: TableUse;
  readonly statement: RecordedStatement;
  /** SQL name of the primary key. */
  readonly primaryKey: string;
}): void {
  const { use, statement, primaryKey: column } = seen;
  const named = valuesLeft({ ...seen, column });
  const clauses: readonly Node[] = use.statement.clauses;
  const list = clauses.find((clause) =>
    clause.type === (use.role === "read" ? "select_clause" : "returning_clause")
  );
  const columns = list?.type === "select_clause" || list?.type === "returning_clause"
    ? list.columns?.items ?? []
    : [];
  const at = columns.findIndex((item) => {
    const node = item.type === "alias" ? item.expr : item;
    return isColumn(node, { use: { ...use, isAlone: true }, column });
  });
  // These cells of the answer are ids of this use.
  const answered = at === -1 ? [] : statement.rows.map((row) => row[at] ?? null);
  const changed = use.role !== "read" && statement.changes > 0 ? named ?? [] : [];
  append(known.met, use.table, [
    ...answered,
    ...changed,
    ...seen.use.role !== "insert"
      ? []
      : insertedValues(seen.use, seen.primaryKey).flatMap((node) => {
        const value = node === null ? undefined : valueOf(node, seen.sql);
        return value === undefined ? [] : [value];
      }),
  ]);
  append(known.asked, use.table, named ?? []);
}

function append(
  map: Map<string, readonly SqlValue[]>,
  table: string,
  values: readonly SqlValue[],
): void {
  const old = map.get(table) ?? [];
  const fresh = values.filter((value) => value !== null && !includes(old, value));
  map.set(table, [...old, ...fresh]);
}

/** Returns the value of a column in each inserted row; null: the column is not listed. */
export function insertedValues({ statement }: TableUse, column: string): readonly (Node | null)[] {
  const clauses: readonly Node[] = statement.clauses;
  const insert = clauses.find((clause) => clause.type === "insert_clause");
  if (insert?.type !== "insert_clause") return [null];
  const at =
    insert.columns?.expr.items.findIndex((one) =>
      one.type === "identifier" && one.name.toLowerCase() === column.toLowerCase()
    ) ?? -1;
  const rows = clauses.flatMap(rowsIn);
  return at === -1 || rows.length === 0 ? [null] : rows.map((row) => row[at] ?? null);
}

function rowsIn(clause: Node): readonly (readonly Node[])[] {
  switch (clause.type) {
    case "values_clause":
      return clause.values.items.map((row) =>
        row.type === "paren_expr" && row.expr.type === "list_expr" ? row.expr.items : [row]
      );
    case "compound_select_stmt":
      return [...rowsIn(clause.left), ...rowsIn(clause.right)];
    case "select_stmt": {
      const [list] = clause.clauses.filter((one) => one.type === "select_clause");
      return [list?.columns?.items ?? []];
    }
    default:
      return [];
  }
}
