/**
 * Checks a push subscription beyond an ordinary create: its destination before any transaction (contract 8.2), and the
 * number of subscriptions that stay (contract 8). Refuses with `VALIDATION_ERROR` and `WEBHOOK_RESOLVER_UNAVAILABLE`.
 */
import { pointerTo } from "../../lib/json_pointer.ts";
import type { ProjectModel } from "../../model/project.ts";
import { registersPush } from "../../surface/push.ts";
import type { StoredValue } from "../../surface/query.ts";
import type { Call } from "../context.ts";
import { keepNewest, namesIn } from "../data/push/subscriptions.ts";
import type { Insertion } from "../data/types.ts";
import type { Ports, SqlValue, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import {
  checkDestination,
  type DestinationVerdict,
} from "../webhooks/destination/check_destination.ts";

type Values = ReadonlyMap<string, StoredValue>;

/** Throws when the project has push subscriptions and the host nothing to resolve their destinations with. */
export function requirePushPorts({ realtime }: ProjectModel, { webhooks }: Ports): void {
  if (!realtime.push || webhooks) return;
  throw new Error("Cannot start: the project has push messages, and the host no ports for them");
}

/** For a call that will run in a transaction, where no resolver may be waited for; null: there is nothing to ask. */
export async function foreseenDestination(call: Call): Promise<DestinationVerdict | null> {
  if (!registersPush(call.plan.operation)) return null;
  const { body } = call.request;
  await body.settle();
  const parsed = body.parsed();
  if (typeof parsed !== "object" || parsed === null || !("endpoint" in parsed)) return null;
  const { endpoint } = parsed;
  return typeof endpoint === "string" ? await verdictOn(call, endpoint) : null;
}

export async function requireDestination(call: Call, values: Values): Promise<void> {
  if (!registersPush(call.plan.operation)) return;
  const verdict = call.foreseen ?? await verdictOn(call, String(values.get("endpoint")));
  if (verdict.kind === "refused") {
    refuse("VALIDATION_ERROR", {
      details: { fields: { endpoint: verdict.reason } },
      pointer: pointerTo("endpoint"),
    });
  }
  if (verdict.kind === "unresolved") {
    refuse("WEBHOOK_RESOLVER_UNAVAILABLE", { detail: verdict.reason });
  }
}

/** A push service is reached over TLS, whatever else the project allows (RFC 8030, 2). */
async function verdictOn({ request }: Call, endpoint: string): Promise<DestinationVerdict> {
  const { webhooks } = request.app.ports;
  if (!webhooks) throw new Error("The API has push subscriptions, and no ports for them");
  return await checkDestination(endpoint, { allowInsecure: false, resolver: webhooks.resolver });
}

/** In the transaction of a create that has inserted its row. */
export async function keepNewestSubscriptions(
  { plan: { operation, table } }: Call,
  transaction: Transaction,
  { id, values, stamps }: Pick<Insertion, "values" | "stamps"> & { readonly id: SqlValue },
): Promise<void> {
  if (!registersPush(operation)) return;
  const { userId: ownerId } = stamps;
  if (ownerId === null) throw new Error("A push subscription belongs to nobody");
  const endpoint = String(values.get("endpoint"));
  await keepNewest(transaction, namesIn(table), { id, ownerId, endpoint });
}
