/** The clock of a database server, which instances on several machines have in common. */
import type { Clock, Reader } from "../ports.ts";

/** Less than a lease of the queue: what one instance has leased no other takes for abandoned. */
const APART_MAX_MS = 5_000;
const NOW = "SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)";

/**
 * Refuses to start with a clock that is further from the database's than the journey of the question and five seconds: leases,
 * sessions and tokens of other instances would end too soon, or not at all.
 */
export async function requireServerClock(database: Reader, clock: Clock): Promise<void> {
  const before = clock.now();
  const { rows: [[now] = []] } = await database.run({ sql: NOW, args: [] });
  const after = clock.now();
  const ahead = before - Number(now);
  const behind = Number(now) - after;
  const apart = Math.max(ahead, behind);
  if (apart <= APART_MAX_MS) return;
  throw new Error(
    `Cannot start: this machine's clock is ${Math.round(apart / 1000)} s ${
      ahead > behind ? "ahead of" : "behind"
    } the database server's: have both follow the same time (NTP)`,
  );
}
