/**
 * Emits the events of earlier deliveries again, each to the endpoint that it went to (contract 8.2.7): new deliveries with
 * ids of their own, which name the delivery that they repeat.
 */
import {
  insertDeliveries,
  type RedeliveryFilter,
  selectRedeliverable,
} from "../../data/webhooks/deliveries.ts";
import type { Clock, Database, Randomness } from "../../ports.ts";
import { newDelivery } from "./emit_event.ts";

export interface RedeliveryPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
}

export interface Redelivered {
  readonly deliveries: number;
  readonly endpoints: number;
}

/** In one transaction a time: what a run that broke off had emitted is not emitted again by the next one. */
const BATCH = 200;

/**
 * Leaves out what was emitted again before, and what goes to an endpoint that is disabled or deleted. `isRehearsal` counts
 * and emits nothing.
 */
export async function redeliver(
  filter: RedeliveryFilter & { readonly isRehearsal: boolean },
  ports: RedeliveryPorts,
): Promise<Redelivered> {
  const endpoints = new Set<string>();
  let deliveries = 0;
  let after: string | null = null;
  for (;;) {
    const ids: readonly (readonly [string, string])[] = await redeliverBatch(filter, after, ports);
    for (const [, endpointId] of ids) endpoints.add(endpointId);
    deliveries += ids.length;
    after = ids.at(-1)?.[0] ?? null;
    if (ids.length < BATCH) return { deliveries, endpoints: endpoints.size };
  }
}

/** Ids of deliveries and of their endpoints, in the order of the deliveries' ids. */
async function redeliverBatch(
  filter: RedeliveryFilter & { readonly isRehearsal: boolean },
  after: string | null,
  ports: RedeliveryPorts,
): Promise<readonly (readonly [string, string])[]> {
  return await ports.database.write(async (transaction) => {
    const sources = await selectRedeliverable(transaction, filter, { after, limit: BATCH });
    if (!filter.isRehearsal) {
      const copies = sources.map(({ id, endpointId, eventType, payload }) =>
        newDelivery({ endpointId, eventType, payload, sourceId: id }, ports)
      );
      await insertDeliveries(transaction, copies);
    }
    return sources.map(({ id, endpointId }) => [id, endpointId] as const);
  });
}
