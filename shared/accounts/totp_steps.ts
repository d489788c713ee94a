/**
 * Accepts the code of each time step once for an account (RFC 6238, 5.2), also during enrolment. The account library checks
 * only the digits; here the step is found and used up first.
 */
import type { Database } from "../runtime/ports.ts";

/** Seconds of a time step, as the account library makes the secrets. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Accepted steps relative to the present one, for clocks that differ and people who type. */
const WINDOW = [-1, 0, 1] as const;

export interface TotpCode {
  readonly userId: string;
  readonly code: string;
  /** Decrypts a stored secret. */
  readonly open: (encrypted: string) => Promise<string>;
}

/**
 * Uses up the step that a code belongs to. Returns false for a wrong code, and for a step that is not later than the last used
 * one.
 */
export async function useTotpStep(
  database: Database,
  { userId, code, open }: TotpCode,
): Promise<boolean> {
  const { rows: [row] } = await database.run({
    sql: `SELECT "id", "secret", unixepoch() FROM "auth_two_factor" WHERE "user_id" = ?`,
    args: [userId],
  });
  if (row === undefined) return false;
  const [id = null, encrypted = null, now] = row;
  const secret = await open(String(encrypted));
  const present = Math.floor(Number(now) / PERIOD_SECONDS);
  const codes = await Promise.all(WINDOW.map((offset) => codeOf(secret, present + offset)));
  const offset = WINDOW.findLast((_, place) => codes[place] === code);
  if (offset === undefined) return false;
  const step = present + offset;
  const { changes } = await database.write((transaction) =>
    transaction.run({
      sql: `UPDATE "auth_two_factor" SET "last_used_step" = ?
        WHERE "id" = ? AND "secret" = ? AND ("last_used_step" IS NULL OR "last_used_step" < ?)`,
      args: [step, id, encrypted, step],
    })
  );
  return changes > 0;
}

/** Returns the code of a step (RFC 4226, 5.3). */
async function codeOf(secret: string, step: number): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const bytes = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer));
  const place = digest.getUint8(digest.byteLength - 1) & 0x0f;
  const number = digest.getUint32(place) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}
