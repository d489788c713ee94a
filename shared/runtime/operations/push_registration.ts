/**
 * Checks a push subscription beyond an ordinary create: its destination before any transaction (contract 8.2), and the
 * number of subscriptions that stay (contract 8). Refuses with `VALIDATION_ERROR` and `WEBHOOK_RESOLVER_UNAVAILABLE`.
 */
import { isJsonObject } from "../../lib/json_object.ts";
import { pointerTo } from "../../lib/json_pointer.ts";
import type { ProjectModel } from "../../model/project.ts";
import { registersPush } from "../../surface/push.ts";
import type { StoredValue } from "../../surface/query.ts";
import { keepNewest, namesIn } from "../data/push/subscriptions.ts";
import type { Insertion } from "../data/types.ts";
import type { Admitted } from "../gate.ts";
import type { Call } from "./call.ts";
import type { Ports, Resolution, Resolver, SqlValue, Transaction, WebhookPorts } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { checkDestination, type DestinationVerdict } from "../destination/check_destination.ts";

type Values = ReadonlyMap<string, StoredValue>;

/** Throws when the project has push subscriptions and the host nothing to resolve their destinations with. */
export function requirePushPorts({ realtime }: ProjectModel, { webhooks }: Ports): void {
  if (!realtime.push || webhooks) return;
  throw new Error("Cannot start: the project has push messages, and the host no ports for them");
}

/**
 * For a call that will run in a transaction, where no resolver may be waited for: the same request, to which the answers about
 * its destination are known.
 */
export async function knowingDestination({ request, plan }: Call): Promise<Admitted> {
  if (!registersPush(plan.operation)) return request;
  const { app, body, database } = request;
  await body.settle();
  const parsed = body.parsed();
  const webhooks = portsOf(request);
  const resolver = rememberingResolver(webhooks.resolver);
  if (isJsonObject(parsed) && typeof parsed["endpoint"] === "string") {
    await verdictOn(parsed["endpoint"], resolver);
  }
  const ports = { ...app.ports, webhooks: { ...webhooks, resolver } };
  return request.on(database, { ...app, ports });
}

/** Asks once about each name. */
function rememberingResolver(resolver: Resolver): Resolver {
  const known = new Map<string, Promise<Resolution>>();
  return {
    resolve(name) {
      const answer = known.get(name) ?? resolver.resolve(name);
      known.set(name, answer);
      return answer;
    },
  };
}

export async function requireDestination(call: Call, values: Values): Promise<void> {
  if (!registersPush(call.plan.operation)) return;
  const { resolver } = portsOf(call.request);
  const verdict = await verdictOn(String(values.get("endpoint")), resolver);
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
function verdictOn(endpoint: string, resolver: Resolver): Promise<DestinationVerdict> {
  return checkDestination(endpoint, { allowInsecure: false, resolver });
}

function portsOf({ app: { ports: { webhooks } } }: Admitted): WebhookPorts {
  if (!webhooks) throw new Error("The API has push subscriptions, and no ports for them");
  return webhooks;
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
