/**
 * Validates a push subscription beyond an ordinary create: its destination before any transaction (contract 8.2), and the
 * number of subscriptions that are kept (contract 8). Refuses with `VALIDATION_ERROR` and `WEBHOOK_RESOLVER_UNAVAILABLE`.
 */
import { isJsonObject, pointerTo } from "../../lib/json.ts";
import type { ProjectModel } from "../../model/mod.ts";
import type { StoredValue } from "../../surface/mod.ts";
import { keepNewest, namesIn } from "../data/push.ts";
import type { Admitted } from "../gate.ts";
import type { Call, CreateExtras, InsertedRow } from "./call.ts";
import type { Ports, Resolution, Resolver, Transaction, WebhookPorts } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { checkDestination, type DestinationVerdict } from "../destination/check_destination.ts";

/** Throws when the project has push subscriptions and the host cannot resolve their destinations. */
export function requirePushPorts({ realtime }: ProjectModel, { webhooks }: Ports): void {
  if (!realtime.push || webhooks) return;
  throw new Error("Cannot start: the project has push messages, and the host no ports for them");
}

export const PUSH_REGISTRATION: CreateExtras = {
  foresee: async ({ request }: Call) => {
    const { app, body, database } = request;
    await body.settle();
    const parsed = body.parsed();
    const webhooks = portsOf(request);
    // Each name is resolved once.
    const known = new Map<string, Promise<Resolution>>();
    const resolver: Resolver = {
      resolve(name) {
        const answer = known.get(name) ?? webhooks.resolver.resolve(name);
        known.set(name, answer);
        return answer;
      },
    };
    if (isJsonObject(parsed) && typeof parsed["endpoint"] === "string") {
      await verdictOn(parsed["endpoint"], resolver);
    }
    const ports = { ...app.ports, webhooks: { ...webhooks, resolver } };
    return request.on(database, { ...app, ports });
  },
  requireValues: async (call: Call, values: ReadonlyMap<string, StoredValue>) => {
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
  },
  inserted: async (
    { plan: { table } }: Call,
    transaction: Transaction,
    { id, values, stamps }: InsertedRow,
  ) => {
    const { userId: ownerId } = stamps;
    if (ownerId === null) throw new Error("A push subscription belongs to nobody");
    const endpoint = String(values.get("endpoint"));
    await keepNewest(transaction, namesIn(table), { id, ownerId, endpoint });
  },
};

/** Judges the address of a push service. A push service is reached over TLS, whatever else the project allows (RFC 8030, 2). */
function verdictOn(endpoint: string, resolver: Resolver): Promise<DestinationVerdict> {
  return checkDestination(endpoint, { allowInsecure: false, resolver });
}

function portsOf({ app: { ports: { webhooks } } }: Admitted): WebhookPorts {
  if (!webhooks) throw new Error("The API has push subscriptions, and no ports for them");
  return webhooks;
}
