/** Stored answers for `Idempotency-Key`, in `idempotency_keys` (contract 4.1 rule 8, definitions 7). */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { IDEMPOTENCY_KEYS } from "../../model/mod.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";

export interface KeptAnswer {
  /** Digest of the key within its tenant or user. */
  readonly id: string;
  /** Digest of the request. */
  readonly fingerprint: string;
  /** Digest of the caller and what they may do. */
  readonly principal: string;
  /** The organization whose records the answer may contain; null: none. */
  readonly organizationId: string | null;
  readonly status: number;
  /** Code of the refusal; null: the request succeeded. */
  readonly code: string | null;
  /** Pairs as JSON. */
  readonly headers: string;
  readonly body: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

const TABLE = sqlIdentifier(IDEMPOTENCY_KEYS.name);
const COLUMNS = IDEMPOTENCY_KEYS.columns.map(({ name }) => sqlIdentifier(name)).join(", ");
const PLACES = IDEMPOTENCY_KEYS.columns.map(() => "?").join(", ");

/** Number of expired answers that each new one removes, so that the table does not grow. */
const PURGED_AT_ONCE = 10;

/** Returns the answer; null: it was never stored, or has expired. */
export async function findKeptAnswer(
  reader: Reader,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<KeptAnswer | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT ${COLUMNS} FROM ${TABLE} WHERE id = ? AND expires_at > ?`,
    args: [id, now],
  });
  return row ? answerOf(row) : null;
}

/** Stores an answer. It replaces an expired one. */
export async function keepAnswer(
  transaction: Transaction,
  answer: KeptAnswer,
  now: string,
): Promise<void> {
  const { id, fingerprint, principal, organizationId, status, code, headers, body, expiresAt } =
    answer;
  const keep = {
    sql: `INSERT OR REPLACE INTO ${TABLE} (${COLUMNS}) VALUES (${PLACES})`,
    args: [id, fingerprint, principal, organizationId, status, code, headers, body, expiresAt],
  };
  const over = `SELECT id FROM ${TABLE} WHERE expires_at <= ? LIMIT ${PURGED_AT_ONCE}`;
  const purge = { sql: `DELETE FROM ${TABLE} WHERE id IN (${over})`, args: [now] };
  await transaction.runAll([keep, purge]);
}

function answerOf(row: readonly SqlValue[]): KeptAnswer {
  const [id, fingerprint, principal, organizationId, status, code, headers, body, expiresAt] = row;
  return {
    id: String(id),
    fingerprint: String(fingerprint),
    principal: String(principal),
    organizationId: typeof organizationId === "string" ? organizationId : null,
    status: Number(status),
    code: code === null || code === undefined ? null : String(code),
    headers: String(headers),
    body: String(body),
    expiresAt: String(expiresAt),
  };
}
