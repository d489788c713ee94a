/** Mounts the webhook routes that the project has (contract 4.5, 4.6); without the configuration there are none. */
import { isKeyedWebhook, type KeyedWebhookKind, type WebhookOperation } from "../../surface/mod.ts";
import { type WebhookOperationKind, webhookOperationsOf } from "../../surface/mod.ts";
import type { WebhookPorts } from "../ports.ts";
import type { Endpoint, OperationContext } from "../gate.ts";
import { authoredProvider, providersOf, type WebhookProvider } from "./inbound/providers.ts";
import * as manage from "./manage_webhooks.ts";
import { receiveEvent } from "./inbound/receive_event.ts";
import type { Preparation, WebhookCall } from "./webhook_call.ts";
import { answerManagedWrite, gateOf, judgedCall, scopedCall } from "./webhook_call.ts";

type ReadKind = Exclude<WebhookOperationKind, KeyedWebhookKind | "receive">;

const READS: Readonly<Record<ReadKind, (call: WebhookCall) => Promise<Response>>> = {
  listEndpoints: manage.listEndpoints,
  getEndpoint: manage.getEndpoint,
  listDeliveries: manage.listDeliveries,
  listEventTypes: manage.listEventTypes,
  listInboundEvents: manage.listInboundEvents,
};

const WRITES: Readonly<Record<KeyedWebhookKind, Preparation>> = {
  registerEndpoint: manage.registerEndpoint,
  updateEndpoint: manage.updateOneEndpoint,
  deleteEndpoint: manage.deleteOneEndpoint,
  testEndpoint: manage.testEndpoint,
  rotateSecret: manage.rotateSecret,
  retryInboundEvent: manage.retryInboundEvent,
};

/** Throws when the project has webhooks and the host brings no ports for them, or a provider is unknown. */
export function webhookEndpoints(app: OperationContext): readonly Endpoint[] {
  const operations = webhookOperationsOf(app.project);
  if (operations.length === 0) return [];
  const ports = app.ports.webhooks;
  if (!ports) {
    throw new Error("Cannot start: the project has webhooks, and the host no ports for them");
  }
  const own = app.handlers.code.webhookProviders.map(authoredProvider);
  const providers = providersOf(app.project.webhooks.inbound, own);
  return operations.map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    gate: gateOf(operation, app.project),
    handle: afterEndings(app, handlerOf(operation, ports, providers)),
  }));
}

/** What a taking over has ended is disabled before an organization's endpoints are shown or changed. */
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

function handlerOf(
  operation: WebhookOperation,
  ports: WebhookPorts,
  providers: readonly WebhookProvider[],
): Endpoint["handle"] {
  const { kind } = operation;
  if (isKeyedWebhook(kind)) {
    return (request, id) => answerManagedWrite(operation, { request, ports, id }, WRITES[kind]);
  }
  if (kind !== "receive") {
    return async (request, id) => {
      const call = scopedCall({ request, ports, id });
      return await READS[kind](judgedCall(operation, call));
    };
  }
  const provider = providers.find(({ name }) => name === operation.provider);
  if (!provider) throw new Error(`No provider for ${operation.id}`);
  return (request, id) => receiveEvent({ request, ports, id }, provider);
}
