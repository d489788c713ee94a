/** Whether an administrator has locked a user out, as the account library keeps it. */
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
