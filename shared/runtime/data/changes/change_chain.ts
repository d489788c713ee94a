/**
 * Writes the history of records (definitions 4, `audit`): one row per changed record in the transaction of the change, linked
 * by hashes within each organization.
 */
import { sha256Hex } from "../../../lib/bytes.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { AUDIT_CHAINS, AUDIT_CHANGES } from "../../../model/mod.ts";
import type { Reader, SqlValue, Statement, Transaction } from "../../ports.ts";
import { jsonList } from "../sql.ts";
import type { ChangeKind } from "../../../surface/mod.ts";

/** A change without its place in the chain. */
export interface NewChange {
  readonly chain: string;
  readonly id: string;
  readonly resource: string;
  readonly recordId: string;
  readonly kind: ChangeKind;
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly actorUserId: string | null;
  readonly impersonatorUserId: string | null;
  /** JSON of stored values by column, with sorted keys. */
  readonly before: string | null;
  readonly after: string | null;
  readonly salt: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A row of `audit_changes` by column, as the hash covers it: complete or erased. */
export type ChangeCells = Readonly<Record<string, SqlValue>>;

const TABLE = sqlIdentifier(AUDIT_CHANGES.name);
const CHAINS = sqlIdentifier(AUDIT_CHAINS.name);
const COLUMNS = AUDIT_CHANGES.columns.map(({ name }) => name);
const HASHED = COLUMNS.filter((name) => name !== "hash");

/** Columns that an erasure sets to null. */
const ERASED = AUDIT_CHANGES.columns.filter(({ notNull }) => !notNull).map(({ name }) => name);

/** `SET` clause of an erasure. */
export const ERASURE_SQL = ERASED.map((name) => `${sqlIdentifier(name)} = NULL`).join(", ");

/** Returns the SHA-256 of the row's cells in column order as a JSON array, in hexadecimal. */
export async function changeHash(cells: ChangeCells): Promise<string> {
  const text = JSON.stringify(HASHED.map((name) => cells[name] ?? null));
  return await sha256Hex(text);
}

/** Rows of one insert. SQLite binds 32,766 values to a statement. */
const ROWS_AT_ONCE = 1000;
/** Number of changes after which a write removes expired ones, and number of those it removes. */
const PRUNED_EVERY = 32;
const PRUNED_AT_ONCE = 100;

interface Head {
  readonly sequence: number;
  readonly hash: string;
}

/** Appends changes to their chains. These must be the last statements of the transaction. */
export async function appendChanges(
  transaction: Transaction,
  changes: readonly NewChange[],
  now: string,
): Promise<void> {
  if (changes.length === 0) return;
  const chains = [...new Set(changes.map(({ chain }) => chain))];
  const heads = await headsOf(transaction, chains);
  const statements: Statement[] = [];
  for (const chain of chains) {
    const first = heads.get(chain) ?? { sequence: 0, hash: "" };
    const own = changes.filter((change) => change.chain === chain);
    const { rows, head } = await chained(own, first);
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      statements.push(insertion(rows.slice(at, at + ROWS_AT_ONCE)));
    }
    statements.push(headStatement(chain, first, head));
    const isDue = Math.floor(first.sequence / PRUNED_EVERY) <
      Math.floor(head.sequence / PRUNED_EVERY);
    if (isDue) statements.push(...pruning(chain, now));
  }
  transaction.line?.conclude();
  await transaction.runAll(statements);
}

async function headsOf(
  reader: Reader,
  chains: readonly string[],
): Promise<ReadonlyMap<string, Head>> {
  const { rows } = await reader.run({
    sql: `SELECT "chain", "last_sequence", "last_hash" FROM ${CHAINS} ` +
      `WHERE "chain" IN (SELECT value FROM json_each(?))`,
    args: [jsonList(chains)],
  });
  return new Map(
    rows.map(([chain, sequence, hash]) => [
      String(chain),
      { sequence: Number(sequence), hash: String(hash) },
    ]),
  );
}

async function chained(
  changes: readonly NewChange[],
  first: Head,
): Promise<{ readonly rows: readonly ChangeCells[]; readonly head: Head }> {
  const rows: ChangeCells[] = [];
  let head = first;
  for (const change of changes) {
    const cells = {
      id: change.id,
      chain: change.chain,
      sequence: head.sequence + 1,
      resource: change.resource,
      record_id: change.recordId,
      kind: change.kind,
      operation: change.operation,
      request_id: change.requestId,
      actor_user_id: change.actorUserId,
      impersonator_user_id: change.impersonatorUserId,
      before: change.before,
      after: change.after,
      salt: change.salt,
      created_at: change.createdAt,
      expires_at: change.expiresAt,
      previous_hash: head.hash,
    };
    const hash = await changeHash(cells);
    rows.push({ ...cells, hash });
    head = { sequence: cells.sequence, hash };
  }
  return { rows, head };
}

function insertion(rows: readonly ChangeCells[]): Statement {
  const names = COLUMNS.map(sqlIdentifier).join(", ");
  const places = `(${COLUMNS.map(() => "?").join(", ")})`;
  return {
    sql: `INSERT INTO ${TABLE} (${names}) VALUES ${rows.map(() => places).join(", ")}`,
    args: rows.flatMap((cells) => COLUMNS.map((name) => cells[name] ?? null)),
  };
}

function headStatement(chain: string, first: Head, head: Head): Statement {
  return {
    sql: `INSERT INTO ${CHAINS}
        ("chain", "first_sequence", "first_previous_hash", "last_sequence", "last_hash")
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT ("chain") DO UPDATE SET
        "last_sequence" = excluded."last_sequence", "last_hash" = excluded."last_hash"`,
    args: [chain, first.sequence + 1, first.hash, head.sequence, head.hash],
  };
}

/** Returns statements that erase some expired changes, and remove erased ones from the beginning of the chain. */
function pruning(chain: string, now: string): readonly Statement[] {
  const expired = `SELECT "id" FROM ${TABLE} WHERE "expires_at" <= ? LIMIT ${PRUNED_AT_ONCE}`;
  const kept = `(SELECT "sequence" FROM ${TABLE} WHERE "chain" = ? AND "kind" IS NOT NULL
    ORDER BY "sequence" LIMIT 1)`;
  const begin = (column: string) =>
    `(SELECT "${column}" FROM ${TABLE} WHERE "chain" = ? ORDER BY "sequence" LIMIT 1)`;
  return [
    { sql: `UPDATE ${TABLE} SET ${ERASURE_SQL} WHERE "id" IN (${expired})`, args: [now] },
    {
      sql: `DELETE FROM ${TABLE} WHERE "id" IN (SELECT "id" FROM ${TABLE}
        WHERE "chain" = ? AND "sequence" < ${kept} ORDER BY "sequence" LIMIT ${PRUNED_AT_ONCE})`,
      args: [chain, chain],
    },
    {
      sql: `UPDATE ${CHAINS} SET "first_sequence" = ${begin("sequence")},
        "first_previous_hash" = ${begin("previous_hash")} WHERE "chain" = ?`,
      args: [chain, chain, chain],
    },
  ];
}

/** Stores the hash of an organization's newest change before its database is removed. */
export async function keepHead(
  transaction: Transaction,
  own: Reader,
  organizationId: string,
): Promise<void> {
  const head = (await headsOf(own, [organizationId])).get(organizationId);
  if (head === undefined) return;
  await transaction.run({
    sql: `INSERT OR IGNORE INTO ${CHAINS}
        ("chain", "first_sequence", "first_previous_hash", "last_sequence", "last_hash")
      VALUES (?, ?, ?, ?, ?)`,
    args: [organizationId, head.sequence + 1, head.hash, head.sequence, head.hash],
  });
}
