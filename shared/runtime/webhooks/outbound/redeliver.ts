/**
 * Emits the events of earlier deliveries again, each to the endpoint that it went to (contract 8.2.7): new deliveries with
 * ids of their own, which name the delivery that they repeat.
 */
import {
  insertDeliveries,
  type RedeliveryFilter,
  selectRedeliverable,
} from "../../data/webhooks/deliveries.ts";
import { selectEndpointOfDelivery } from "../../data/webhooks/endpoints.ts";
import type { Clock, Database, Randomness } from "../../ports.ts";
import { newDelivery } from "../../authored/emit_event.ts";

interface RedeliveryPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
}

export interface RedeliveryCounts {
  readonly deliveries: number;
  readonly endpoints: number;
}

/** In one transaction a time: what a run that broke off had emitted is not emitted again by the next one. */
const BATCH = 200;

/**
 * Leaves out what was emitted again before, and what goes to an endpoint that is disabled or deleted; throws when such an
 * endpoint is asked for by its id. `isRehearsal` counts and emits nothing.
 */
export async function redeliver(
  filter: RedeliveryFilter & { readonly isRehearsal: boolean },
  ports: RedeliveryPorts,
): Promise<RedeliveryCounts> {
  const { endpointId: asked } = filter;
  if (asked !== null) {
    // Nothing would be emitted, and nobody would know why.
    const endpoint = await selectEndpointOfDelivery(ports.database, asked);
    if (endpoint === null) {
      throw new Error(
        `No endpoint has the id '${asked}': it was deleted, or is in another database`,
      );
    }
    if (!endpoint.enabled) throw new Error(`Endpoint '${asked}' is disabled: enable it first`);
  }
  const endpoints = new Set<string>();
  let deliveries = 0;
  let after: string | null = null;
  for (;;) {
    const ids: readonly (readonly [string, string])[] = await ports.database.write(
      async (transaction) => {
        const sources = await selectRedeliverable(transaction, filter, { after, limit: BATCH });
        if (!filter.isRehearsal) {
          const copies = sources.map(({ id, endpointId, eventType, payload }) =>
            newDelivery({ endpointId, eventType, payload, sourceId: id }, ports)
          );
          await insertDeliveries(transaction, copies);
        }
        return sources.map(({ id, endpointId }) => [id, endpointId] as const);
      },
    );
    for (const [, endpointId] of ids) endpoints.add(endpointId);
    deliveries += ids.length;
    after = ids.at(-1)?.[0] ?? null;
    if (ids.length < BATCH) return { deliveries, endpoints: endpoints.size };
  }
}
