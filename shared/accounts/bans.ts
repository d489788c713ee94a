/** Ban of a user by an administrator, as the account library stores it. */
import type { SqlValue } from "../runtime/ports.ts";

interface BanColumns {
  readonly banned: SqlValue | undefined;
  readonly banExpires: SqlValue | undefined;
}

/** `now` as ISO 8601, like the dates in the table. */
export function isBanned({ banned, banExpires }: BanColumns, now: string): boolean {
  if (banned === null || banned === undefined || banned === 0) return false;
  return typeof banExpires !== "string" || banExpires > now;
}
