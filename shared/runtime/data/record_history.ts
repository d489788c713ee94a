/** Reads the recorded changes of one record (definitions 4, `audit`). */
import { z } from "zod";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { AUDIT_CHANGES, type TableModel } from "../../model/mod.ts";
import { CHANGE_KINDS, storedColumns, withComputed } from "../../surface/mod.ts";
import type { Reader, SqlValue } from "../ports.ts";
import { CELL, rowOf } from "./changes/stored_cells.ts";
import { fragment } from "./sql.ts";
import type { HistoryPage, HistoryQuery, KeptChange, StoredRow } from "./types.ts";

const COLUMNS = [
  "sequence",
  "id",
  "kind",
  "operation",
  "request_id",
  "actor_user_id",
  "impersonator_user_id",
  "before",
  "after",
  "created_at",
] as const;

const TABLE = sqlIdentifier(AUDIT_CHANGES.name);
const SELECTED = COLUMNS.map((name) => sqlIdentifier(name)).join(", ");

/** Returns a page of a record's changes, the newest first, from its own chain only. */
export async function selectHistory(
  reader: Reader,
  { firewall: { table }, chain, id, since, now, limit, from }: HistoryQuery,
): Promise<HistoryPage> {
  const isBackward = from?.direction === "before";
  const place = from === null
    ? fragment("")
    : fragment(` AND "sequence" ${isBackward ? ">" : "<"} ?`, from.sequence);
  const { rows } = await reader.run(fragment(
    `SELECT ${SELECTED} FROM ${TABLE}
      WHERE "chain" = ? AND "resource" = ? AND "record_id" = ?
        AND "created_at" > ? AND "expires_at" > ?${place.sql}
      ORDER BY "sequence" ${isBackward ? "ASC" : "DESC"} LIMIT ?`,
    chain,
    table.name,
    id,
    since,
    now,
    ...place.args,
    limit + 1,
  ));
  const changes = rows.slice(0, limit).map((row) => changeOf(row, table));
  return {
    changes: isBackward ? changes.toReversed() : changes,
    hasMore: rows.length > limit,
  };
}

const ROW = z.record(z.string(), CELL);
const KIND = z.enum(CHANGE_KINDS);

function changeOf(cells: readonly SqlValue[], table: TableModel): KeptChange {
  const cell = (name: typeof COLUMNS[number]) => cells[COLUMNS.indexOf(name)] ?? null;
  const text = (name: typeof COLUMNS[number]) => {
    const value = cell(name);
    return value === null ? null : String(value);
  };
  const row = (name: "before" | "after") => {
    const value = text(name);
    return value === null ? null : rowOf(ROW.parse(JSON.parse(value)));
  };
  const [before, after] = [row("before"), row("after")];
  return {
    sequence: Number(cell("sequence")),
    id: String(cell("id")),
    kind: KIND.parse(cell("kind")),
    at: String(cell("created_at")),
    actorUserId: text("actor_user_id"),
    impersonatorUserId: text("impersonator_user_id"),
    operation: text("operation"),
    requestId: text("request_id"),
    // An update stores only the changed values.
    before: before && ofToday(new Map([...after ?? [], ...before]), table),
    after: after && ofToday(after, table),
  };
}

/** Returns the row with today's columns. Columns that it did not have yet are null. */
function ofToday(row: StoredRow, table: TableModel): StoredRow {
  const stored = storedColumns(table).map(({ name }) => [name, row.get(name) ?? null] as const);
  return withComputed(new Map(stored), table);
}
