/**
 * Accepts a provider's webhook: verifies it, stores it once, and leaves it to the worker (contract 4.6, 5.8, 3.3). Refuses with
 * `WEBHOOK_SIGNATURE_INVALID`, `PAYLOAD_TOO_LARGE`, `INVALID_JSON` and `VALIDATION_ERROR`.
 */
import type { ParsedWebhook } from "../../../contract/mod.ts";
import { utf8Text } from "../../../lib/bytes.ts";
import { uuid } from "../../../lib/ids.ts";
import type { RequestContext } from "../../context.ts";
import { attributeEvent, insertEvent } from "../../data/webhooks/events.ts";
import { Refusal, refuse } from "../../refusal.ts";
import { recordAnswer, type UnjudgedCall } from "../webhook_call.ts";
import type { InboundMessage, WebhookProvider } from "./providers.ts";
import { secretVariable } from "./providers.ts";

/** Maximum length of an event's names: no provider sends longer ones. */
const NAME_MAX_LENGTH = 256;

export async function receiveEvent(
  { request, ports }: UnjudgedCall,
  provider: WebhookProvider,
): Promise<Response> {
  const { app: { ports: { random } }, database } = request;
  const payload = await request.body.bytes();
  const { clock, logger } = request.app.ports;
  const variable = secretVariable(provider.name);
  const secret = ports.env[variable] ?? "";
  if (secret === "") {
    const message = `Webhooks of '${provider.name}' are refused: ${variable} is not set`;
    logger.log({ level: "error", message, requestId: request.requestId });
    refuse("WEBHOOK_SIGNATURE_INVALID");
  }
  const message = { payload, headers: request.headers, secret, now: clock.now() };
  if (!await isGenuine(provider, message, request)) refuse("WEBHOOK_SIGNATURE_INVALID");
  const text = utf8Text(payload, { keepsMark: true }) ??
    refuse("INVALID_JSON", { detail: "The body is not valid UTF-8" });
  const parsed = await eventOf(text, provider, request);
  const { type, externalId = null } = parsed;
  const organizationId = await organizationOf(parsed, provider, request);
  const event = {
    id: `whe_${uuid(random.bytes(16))}`,
    provider: provider.name,
    eventType: `${provider.name}:${type}`,
    externalId,
    payload: text,
    createdAt: request.now,
  };
  // The row is the outbox: an event that was answered with 200 is queued, whatever happens to this process.
  const isNew = await database.write(async (transaction) => {
    if (!await insertEvent(transaction, event)) return false;
    if (organizationId !== null) {
      await attributeEvent(transaction, { eventId: event.id, organizationId, isNamed: true });
    }
    return true;
  });
  return recordAnswer({ received: true, duplicate: !isNew });
}

/** True when the message's signature is right. A verification that throws verifies nothing. */
async function isGenuine(
  provider: WebhookProvider,
  message: InboundMessage,
  { app, requestId }: RequestContext,
): Promise<boolean> {
  try {
    return await provider.verify(message);
  } catch (error) {
    const text = `A signature of '${provider.name}' cannot be verified`;
    app.ports.logger.log({ level: "error", message: text, requestId, error });
    return false;
  }
}

async function eventOf(
  text: string,
  provider: WebhookProvider,
  request: RequestContext,
): Promise<ParsedWebhook> {
  const event = await parsed(text, provider, request);
  const isUsable = event !== null && isName(event.type) &&
    (event.externalId === undefined || isName(event.externalId));
  if (isUsable) return event;
  return refuse("VALIDATION_ERROR", {
    detail: `The body is no event of '${provider.name}'`,
    pointer: "",
  });
}

/** Returns the organization that the provider's code names; null: none, also where that code fails. */
async function organizationOf(
  event: ParsedWebhook,
  provider: WebhookProvider,
  { app, requestId }: RequestContext,
): Promise<string | null> {
  if (!app.project.multiTenant) return null;
  try {
    return await provider.organizationOf?.(event) ?? null;
  } catch (error) {
    const message = `The organization of an event of '${provider.name}' is not known`;
    app.ports.logger.log({ level: "error", message, requestId, error });
    return null;
  }
}

/** True for a text that can be stored and compared as a name. */
function isName(text: string): boolean {
  return text !== "" && text.length <= NAME_MAX_LENGTH && text.isWellFormed() &&
    !/\p{Cc}/u.test(text);
}

/** Reads the event in a payload; null when the provider's code fails, of which the sender learns nothing. */
async function parsed(
  text: string,
  provider: WebhookProvider,
  { app, requestId, headers }: RequestContext,
): Promise<ParsedWebhook | null> {
  try {
    return await provider.parse(text, headers);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const message = `A payload of '${provider.name}' cannot be read`;
    app.ports.logger.log({ level: "error", message, requestId, error });
    return null;
  }
}
