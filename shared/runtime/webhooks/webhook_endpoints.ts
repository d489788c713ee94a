/** Mounts the webhook routes that the project has (contract 4.5, 4.6); without the configuration there are none. */
import { type ManagedWebhookKind, receivingId, webhookOperationsOf } from "../../surface/mod.ts";
import type { Endpoint, OperationContext } from "../gate.ts";
import { serviceGate } from "../gate.ts";
import { authoredProvider, providersOf } from "./inbound/providers.ts";
import * as manage from "./manage_webhooks.ts";
import { receiveEvent } from "./inbound/receive_event.ts";
import type { Preparation, WebhookCall } from "./webhook_call.ts";
import { answerManagedWrite, judgedCall, managedGate, scopedCall } from "./webhook_call.ts";

type Management =
  | { readonly read: (call: WebhookCall) => Promise<Response> }
  | { readonly write: Preparation };

const MANAGEMENT: Readonly<Record<ManagedWebhookKind, Management>> = {
  listEndpoints: { read: manage.listEndpoints },
  getEndpoint: { read: manage.getEndpoint },
  listDeliveries: { read: manage.listDeliveries },
  listEventTypes: { read: manage.listEventTypes },
  listInboundEvents: { read: manage.listInboundEvents },
  registerEndpoint: { write: manage.registerEndpoint },
  updateEndpoint: { write: manage.updateOneEndpoint },
  deleteEndpoint: { write: manage.deleteOneEndpoint },
  testEndpoint: { write: manage.testEndpoint },
  rotateSecret: { write: manage.rotateSecret },
  retryInboundEvent: { write: manage.retryInboundEvent },
};

/**
 * Builds the webhook endpoints. Throws when the project has webhooks and the host brings no ports for them, or a provider is
 * unknown.
 */
export function webhookEndpoints(app: OperationContext): readonly Endpoint[] {
  const operations = webhookOperationsOf(app.project);
  if (operations.length === 0) return [];
  const ports = app.ports.webhooks;
  if (!ports) {
    throw new Error("Cannot start: the project has webhooks, and the host no ports for them");
  }
  const own = app.handlers.code.webhookProviders.map(authoredProvider);
  const providers = providersOf(app.project.webhooks.inbound, own);
  return operations.map((operation) => {
    const { id, method, path, kind } = operation;
    const endpoint = { id, method, path };
    if (kind === "receive") {
      const provider = providers.find(({ name }) => id === receivingId(name));
      if (!provider) throw new Error(`No provider for ${id}`);
      return {
        ...endpoint,
        gate: { ...serviceGate(operation), home: "directory" },
        handle: afterEndings(app, (request, id) => receiveEvent({ request, ports, id }, provider)),
      };
    }
    const management = MANAGEMENT[kind];
    return {
      ...endpoint,
      // Inbound events are in the directory's database, whichever organization they are attributed to.
      gate: managedGate(operation, kind.includes("Inbound") ? "directory" : "either"),
      handle: afterEndings(app, async (request, id) => {
        const call = { request, ports, id };
        return "write" in management
          ? await answerManagedWrite(operation, call, management.write)
          : await management.read(judgedCall(operation, scopedCall(call)));
      }),
    };
  });
}

/** Disables the endpoints that a taking over has ended, before an organization's endpoints are shown or changed. */
function afterEndings(
  { endEndpoints }: OperationContext,
  handle: Endpoint["handle"],
): Endpoint["handle"] {
  if (endEndpoints === null) return handle;
  return async (request, id) => {
    const { organizationId } = request.principal;
    if (organizationId !== null) await endEndpoints(organizationId);
    return await handle(request, id);
  };
}
