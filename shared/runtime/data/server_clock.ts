/** The clock of a database server, which instances on several machines share. */
import type { Clock, Reader } from "../ports.ts";

/** Largest difference. It is below a lease of the queue, so that no instance takes another's lease for expired. */
const APART_MAX_MS = 5_000;
const NOW = "SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)";

/**
 * Refuses to start if the clock differs from the database's by more than the round trip and five seconds. Otherwise leases,
 * sessions and tokens of other instances would end too soon, or never.
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
