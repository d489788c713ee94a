/** Random texts and numbers that the service makes for new rows (definitions 3, made defaults). */
import { columnNamed } from "../../surface/mod.ts";
import { storageOf } from "../../column_types/mod.ts";
import { SEQUENCE_TRIES } from "../../contract/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { numberedText, sequenceId, sequenceName, sequenceOf, SEQUENCES } from "../../model/mod.ts";
import type { ColumnModel, Sequence, TableModel } from "../../model/mod.ts";
import { ConstraintError, type Randomness, type SqlValue, type Transaction } from "../ports.ts";
import { cellSql, equalsSql, inSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import { allOf, fragment } from "./sql.ts";
import type { ColumnValues, Firewall } from "./types.ts";
import { inSavepoint } from "./within.ts";

/** True for a default that does not follow from the request. `completeRows` fills it in. */
export function isDrawn({ default: value }: Pick<ColumnModel, "default">): boolean {
  return value?.kind === "made" &&
    (value.value.kind === "random" || value.value.kind === "sequence");
}

/** Runs a part that draws values and inserts rows. If it fails, no number is used up, even if the rest is kept. */
export function insertingDrawn<T>(
  transaction: Transaction,
  { columns }: TableModel,
  insert: (part: Transaction) => Promise<T>,
): Promise<T> {
  const isNumbered = columns.some((column) => sequenceOf(column) !== null);
  return isNumbered ? inSavepoint(transaction, insert) : insert(transaction);
}

/**
 * Fills in drawn values of new rows. Call it in the transaction of the insert, in the order of the rows; a rollback then uses
 * up no number. Throws `ConstraintError` if clients have taken too many numbers.
 */
export async function completeRows<Row extends { readonly values: ColumnValues }>(
  transaction: Transaction,
  { firewall, rows }: { readonly firewall: Firewall; readonly rows: readonly Row[] },
  random: Randomness,
): Promise<readonly Row[]> {
  let completed = rows;
  for (const column of firewall.table.columns.filter(isDrawn)) {
    const lacking = completed.filter(({ values }) => !values.has(column.name));
    if (lacking.length === 0) continue;
    const made = await drawnValues(
      transaction,
      { firewall, column, count: lacking.length },
      random,
    );
    const values = made.values();
    completed = completed.map((row) =>
      row.values.has(column.name)
        ? row
        : { ...row, values: new Map([...row.values, [column.name, values.next().value ?? null]]) }
    );
  }
  return completed;
}

interface Drawing {
  readonly firewall: Pick<Firewall, "table" | "organizationId">;
  readonly column: ColumnModel;
  readonly count: number;
}

/** Draws values for rows behind the firewall, in their order. */
export async function drawnValues(
  transaction: Transaction,
  drawing: Drawing,
  random: Randomness,
): Promise<readonly SqlValue[]> {
  const { column: { name, default: value }, count } = drawing;
  if (value?.kind === "made" && value.value.kind === "random") {
    const { length } = value.value;
    return Array.from({ length: count }, () => randomText(random, length));
  }
  const sequence = sequenceOf(drawing.column);
  if (sequence === null) throw new Error(`Column '${name}' has no value that is drawn`);
  return await nextNumbers(transaction, { ...drawing, sequence });
}

/** Makes a random text of base64url, six bits a character. */
function randomText(random: Randomness, length: number): string {
  return random.bytes(Math.ceil(length * 6 / 8))
    .toBase64({ alphabet: "base64url", omitPadding: true }).slice(0, length);
}

/** Reserves numbers in the rows' transaction, and skips those whose values exist already. */
async function nextNumbers(
  transaction: Transaction,
  { firewall, column, count, sequence }: Drawing & { readonly sequence: Sequence },
): Promise<readonly SqlValue[]> {
  const { table } = firewall;
  const organizationId = sequence.per === "organization" ? organizationOf(firewall) : null;
  const name = sequenceName(table, column);
  const made: SqlValue[] = [];
  for (let round = 0; round < SEQUENCE_TRIES && made.length < count; round += 1) {
    const wanted = count - made.length;
    const { rows } = await transaction.run({
      sql: `INSERT INTO ${sqlIdentifier(SEQUENCES.name)} ` +
        `("id", "sequence", "organization_id", "value") VALUES (?1, ?2, ?3, ?4 + ?5) ` +
        `ON CONFLICT ("id") DO UPDATE SET "value" = "value" + ?5 RETURNING "value"`,
      args: [sequenceId(name, organizationId), name, organizationId, sequence.start - 1, wanted],
    });
    const last = Number(rows[0]?.[0]);
    const numbers = Array.from({ length: wanted }, (_, at) => last - wanted + 1 + at);
    const values = numbers.map((number) =>
      storageOf(column.type).sql === "text" ? numberedText(sequence, number) : number
    );
    const taken = await takenValues(transaction, { firewall, column, values });
    made.push(...values.filter((value) => !taken.has(value)));
  }
  if (made.length < count) {
    const index = table.indexes.find(({ unique, columns }) =>
      unique && columns.at(-1) === column.name
    );
    throw new ConstraintError("unique", index ? [index.name] : []);
  }
  return made;
}

function organizationOf({ table, organizationId }: Drawing["firewall"]): string {
  if (organizationId !== null) return organizationId;
  throw new Error(`A row of "${table.name}" is numbered in no organization`);
}

/** Returns the values that live rows of the tenant have. */
async function takenValues(
  transaction: Transaction,
  { firewall: { table, organizationId }, column, values }: Omit<Drawing, "count"> & {
    readonly values: readonly SqlValue[];
  },
): Promise<ReadonlySet<SqlValue>> {
  const scope = table.scope.organization;
  const cell = cellSql(column, ROW);
  const where = allOf([
    ...(scope === null ? [] : [equalsSql(cellSql(columnNamed(scope, table), ROW), organizationId)]),
    inSql(cell, values),
    ...(table.softDelete
      ? [fragment(`${cellSql(columnNamed("deletedAt", table), ROW)} IS NULL`)]
      : []),
  ]);
  const { rows } = await transaction.run({
    sql: `SELECT ${cell} FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} WHERE ${where.sql}`,
    args: where.args,
    beyondScope: "takenNumbers",
  });
  return new Set(rows.map(([value = null]) => value));
}
