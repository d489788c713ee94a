/**
 * Work in the databases of organizations. A worker looks only into those that the directory has marked, so that ten thousand
 * idle ones cost nothing (definitions 2, `tenancy`).
 */
import { hasPassed } from "../../lib/times.ts";
import type {
  Clock,
  Database,
  Logger,
  TenantDatabases,
  WebhookPorts,
  WorkingTenant,
} from "../ports.ts";
import { Refusal } from "../refusal.ts";

/** The work of one organization's database. */
export interface TenantWork {
  tick(): Promise<number>;
  /** Encrypts some secrets anew. Returns false when none is left. */
  renew(): Promise<boolean>;
  /** Inserts rows for work that no request caused, such as due schedules. */
  queueDue(): Promise<void>;
  /** True when nothing is in progress. */
  readonly isAtRest: boolean;
  /** True while a row is not settled. */
  waits(): Promise<boolean>;
  settled(): Promise<void>;
}

interface TenantsPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
  readonly tenants: TenantDatabases;
  /** True when the embeddings service makes vectors for rows. */
  readonly makesVectors: boolean;
}

/** Most databases that one look visits. */
const VISITED_AT_ONCE = 50;
/** Milliseconds after which a mark is older than any transaction that was open when it was written. */
const REST_AFTER_MS = 60_000;

export function createTenantsWork(
  { tenants, clock, logger, webhooks, makesVectors }: TenantsPorts,
  workOf: (own: { readonly database: Database }, organizationId: string) => TenantWork,
): { tick(): Promise<number>; settled(): Promise<void> } {
  const under = new Map<string, TenantWork>();
  const open = (id: string) => workOf({ database: tenants.atWork(id) }, id);
  const visit = async (tenant: WorkingTenant): Promise<number> => {
    const { organizationId } = tenant;
    const work = under.get(organizationId) ?? open(organizationId);
    under.set(organizationId, work);
    await tenants.endEndpoints(organizationId);
    const taken = await work.tick();
    const isOld = hasPassed(REST_AFTER_MS, tenant.since, clock.now());
    if (taken > 0 || !isOld || await work.waits()) return taken;
    await work.settled();
    under.delete(organizationId);
    await tenants.rest(tenant);
    return taken;
  };
  const tried = async (organizationId: string, body: () => Promise<number>): Promise<number> => {
    try {
      return await body();
    } catch (error) {
      if (error instanceof Refusal) {
        // The organization was deleted.
        under.delete(organizationId);
        return 0;
      }
      const message = "Work of an organization waits: its database failed";
      logger.log({ level: "error", message, error });
      return 0;
    }
  };
  const isNeeded = webhooks.secrets.renew !== undefined ||
    (makesVectors && webhooks.embeddings !== undefined);
  const lookIntoSome = firstLook(tenants, open, isNeeded, logger);
  let after = "";
  const seen = new Set<string>();
  return {
    async tick() {
      await lookIntoSome();
      const found = await tenants.working(after, VISITED_AT_ONCE);
      let taken = 0;
      const visited = new Set(found.map(({ organizationId }) => organizationId));
      for (const tenant of found) taken += await tried(tenant.organizationId, () => visit(tenant));
      for (const [id, work] of under) {
        // Work in progress is renewed without waiting for the organization's turn.
        if (!work.isAtRest && !visited.has(id)) taken += await tried(id, () => work.tick());
      }
      for (const id of visited) seen.add(id);
      // Organizations are visited in turn, however many there are.
      after = found.length < VISITED_AT_ONCE ? "" : found.at(-1)?.organizationId ?? "";
      if (after === "") {
        for (const [id, { isAtRest }] of under) if (isAtRest && !seen.has(id)) under.delete(id);
        seen.clear();
      }
      return taken;
    },
    async settled() {
      for (const work of under.values()) await work.settled();
    },
  };
}

/**
 * Makes a step for work without marks, which visits some databases at a time, each once in the life of a process: secrets under
 * an old key, and rows that wait for vectors since a migration or an outage.
 */
function firstLook(
  tenants: Pick<TenantDatabases, "organizations">,
  open: (organizationId: string) => TenantWork,
  isNeeded: boolean,
  logger: Logger,
): () => Promise<void> {
  /** The last organization that is done; null: all are. */
  let after: string | null = isNeeded ? "" : null;
  return async () => {
    if (after === null) return;
    const ids = await tenants.organizations(after, VISITED_AT_ONCE);
    for (const id of ids) {
      const work = open(id);
      try {
        while (await work.renew()) continue;
        await work.queueDue();
      } catch (error) {
        const message =
          "An organization's secrets and vectors stay as they are: its database failed";
        logger.log({ level: "error", message, error });
      }
    }
    after = ids.at(-1) ?? null;
  };
}
