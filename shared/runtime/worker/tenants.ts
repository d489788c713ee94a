/**
 * Work in the databases of organizations: a worker looks into those in which the directory says that work was left, and into no
 * other, so that ten thousand idle ones cost nothing (definitions 2, `tenancy`).
 */
import { hasPassed } from "../../lib/times.ts";
import type {
  Clock,
  Database,
  Logger,
  Randomness,
  TenantDatabases,
  WebhookPorts,
  WorkingTenant,
} from "../ports.ts";

/** Of one organization's database. */
export interface TenantWork {
  tick(): Promise<number>;
  /** True while a row is not settled. */
  waits(): Promise<boolean>;
  settled(): Promise<void>;
}

export interface TenantPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
}

interface TenantsPorts extends TenantPorts {
  readonly tenants: TenantDatabases;
}

/** Databases that one look of a worker visits. */
const VISITED_AT_ONCE = 50;
/** Milliseconds after which a mark is older than any transaction that was open when it was written. */
const REST_AFTER_MS = 60_000;

export function createTenantsWork(
  ports: TenantsPorts,
  workOf: (own: TenantPorts) => TenantWork,
): { tick(): Promise<number>; settled(): Promise<void> } {
  const { tenants, clock, logger } = ports;
  const under = new Map<string, TenantWork>();
  let after = "";
  const visit = async (tenant: WorkingTenant): Promise<number> => {
    const { organizationId } = tenant;
    const database = tenants.atWork(organizationId);
    const work = under.get(organizationId) ?? workOf({ ...ports, database });
    under.set(organizationId, work);
    const taken = await work.tick();
    const isOld = hasPassed(REST_AFTER_MS, tenant.since, clock.now());
    if (taken > 0 || !isOld || await work.waits()) return taken;
    await work.settled();
    under.delete(organizationId);
    await tenants.rest(tenant);
    return taken;
  };
  /** The next organization whose secrets may be sealed under an old one; null: none is. */
  let unrenewed: string | null = ports.webhooks.secrets.renew ? "" : null;
  const renewSome = async () => {
    if (unrenewed === null) return;
    const ids = await tenants.organizations(unrenewed, VISITED_AT_ONCE);
    for (const id of ids) {
      const work = workOf({ ...ports, database: tenants.atWork(id) });
      while (await work.tick() > 0) continue;
      await work.settled();
    }
    unrenewed = ids.at(-1) ?? null;
  };
  return {
    async tick() {
      await renewSome();
      const found = await tenants.working(after, VISITED_AT_ONCE);
      // Each in its turn, however many there are.
      after = found.length < VISITED_AT_ONCE ? "" : found.at(-1)?.organizationId ?? "";
      let taken = 0;
      for (const tenant of found) {
        try {
          taken += await visit(tenant);
        } catch (error) {
          const message = "Work of an organization waits: its database failed";
          logger.log({ level: "error", message, error });
        }
      }
      return taken;
    },
    async settled() {
      for (const work of under.values()) await work.settled();
    },
  };
}
