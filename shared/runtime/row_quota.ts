/** Counts tenants' rows in the memory of one process (definitions 8, `ROWS_MAX_PER_TENANT`). */
import { COUNT_MAX_AGE_MS } from "../contract/mod.ts";
import type { Clock, RowQuota } from "./ports.ts";

/** Milliseconds after which a full tenant is counted again. */
const RECOUNTED_AFTER_MS = 1000;
/** Maximum tenants whose counts are kept. */
const TENANTS_KEPT = 100_000;

interface Counted {
  rows: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Builds the quota; null: a tenant may have any number of rows. */
export function rowQuotaOf(max: number | null, clock: Clock): RowQuota | null {
  if (max === null) return null;
  const counts = new Map<string, Counted>();
  return {
    max,
    async take(tenant, rows, count) {
      let counted = counts.get(tenant);
      const isFull = counted !== undefined && counted.rows + rows > max;
      const age = clock.now() - (counted?.at ?? -Infinity);
      if (counted === undefined || age > (isFull ? RECOUNTED_AFTER_MS : COUNT_MAX_AGE_MS)) {
        const rows = await count();
        const other = counts.get(tenant);
        // Another write that counted meanwhile has added its own rows, which this count does not include.
        const known = other === undefined || other === counted ? 0 : other.rows;
        if (counts.size >= TENANTS_KEPT) counts.clear();
        counted = { rows: Math.max(rows, known), at: clock.now() };
        counts.set(tenant, counted);
      }
      if (counted.rows + rows > max) return false;
      counted.rows += rows;
      return true;
    },
    add(tenant, rows) {
      const counted = counts.get(tenant);
      if (counted !== undefined) counted.rows = Math.max(0, counted.rows + rows);
    },
  };
}
