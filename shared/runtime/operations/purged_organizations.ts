/**
 * Organizations whose tokens are over with them: a token needs no row in any table, and would otherwise write on into what is
 * being deleted (definitions 7, "deleting an organization").
 */
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../contract/limits.ts";
import { organizationsPurgedSince } from "../data/organization_purges.ts";
import type { PurgedOrganizations } from "../context.ts";
import type { Clock, Reader } from "../ports.ts";

/** For so long another process may not know of one. */
const ASK_EVERY_MS = 1000;

export function purgedOrganizations(
  { database, clock }: { readonly database: Reader; readonly clock: Clock },
  /** Of those that this process deletes. */
  onAdded: (organizationId: string) => void,
): PurgedOrganizations {
  let asking: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>());
  let askAt = -Infinity;
  const own = new Set<string>();
  return {
    async has(organizationId) {
      const now = clock.now();
      if (now >= askAt) {
        askAt = now + ASK_EVERY_MS;
        // A margin for clocks that differ; no token lives longer.
        const since = now - 2 * TOKEN_LIFETIME_MAX_SECONDS * 1000;
        asking = organizationsPurgedSince(database, new Date(since).toISOString());
        asking.catch(() => askAt = -Infinity);
      }
      return own.has(organizationId) || (await asking).has(organizationId);
    },
    add(organizationId) {
      own.add(organizationId);
      onAdded(organizationId);
    },
  };
}
