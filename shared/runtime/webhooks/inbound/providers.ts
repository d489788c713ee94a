/**
 * Lists the providers from which a project receives webhooks: its own by name, and the built-in ones, in one record each
 * (definitions 6).
 */
import { z } from "zod";
import { BUILT_IN_PROVIDERS, SIGNATURE_TOLERANCE_SECONDS } from "../../../contract/mod.ts";
import type { ParsedWebhook } from "../../../contract/mod.ts";
import { utf8Text } from "../../../lib/bytes.ts";
import { parsedJson } from "../../../lib/json.ts";
import type { WebhookProviderCode } from "../../../surface/mod.ts";
import { refuse } from "../../refusal.ts";
import { HMAC, secretBytes } from "../outbound/secret.ts";

type Provider = Omit<WebhookProvider, "name">;

/** Returns the providers of these names. Throws for a name that is not defined: such an API must not start. */
export function providersOf(
  names: readonly string[],
  own: readonly WebhookProvider[],
): readonly WebhookProvider[] {
  return names.map((name) => {
    const provider = own.find((candidate) => candidate.name === name) ?? builtInProvider(name);
    if (provider) return provider;
    throw new Error(`Cannot start: no webhook provider '${name}' is defined`);
  });
}

const stripeEvent = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  data: z.unknown().optional(),
});

/**
 * Verifies Stripe, and other senders that sign as Stripe does: `t=<seconds>,v1=<hex>` over `<t>.<body>` (contract 5.8,
 * definitions 6).
 */
const stripe: Provider = {
  verify: async ({ payload, headers, secret, now }: InboundMessage) => {
    const parts = (headers.get("stripe-signature") ?? "").split(",").map((part) => part.trim());
    const [time, ...otherTimes] = valuesOf(parts, "t=");
    const signatures = valuesOf(parts, "v1=").filter((hex) => /^[0-9a-f]{64}$/.test(hex));
    if (time === undefined || otherTimes.length > 0) return false;
    if (timelySeconds(time, now) === null || signatures.length > SIGNATURES_MAX) return false;
    return await isSigned(
      new TextEncoder().encode(secret),
      `${time}.`,
      payload,
      signatures.map((hex) => Uint8Array.fromHex(hex)),
    );
  },
  parse(payload) {
    const parsed = stripeEvent.safeParse(jsonOf(payload));
    if (!parsed.success) return null;
    const { id, type, data } = parsed.data;
    return { type, data, externalId: id };
  },
};

function valuesOf(parts: readonly string[], prefix: string): readonly string[] {
  return parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
}

const standardEvent = z.object({ type: z.string().min(1), data: z.unknown().optional() });
const ID_MAX_LENGTH = 256;

/** Verifies senders that follow Standard Webhooks: three headers, base64 over `<id>.<timestamp>.<body>` (definitions 6). */
const standard: Provider = {
  verify: async ({ payload, headers, secret, now }: InboundMessage) => {
    const id = headers.get("webhook-id") ?? "";
    const time = headers.get("webhook-timestamp");
    const signatures = (headers.get("webhook-signature") ?? "").split(" ")
      .filter((part) => part.startsWith("v1,"))
      .flatMap((part) => secretBytes(part.slice("v1,".length)) ?? []);
    const key = secretBytes(secret);
    if (id === "" || id.length > ID_MAX_LENGTH || key === null) return false;
    if (timelySeconds(time, now) === null || signatures.length > SIGNATURES_MAX) return false;
    return await isSigned(key, `${id}.${time}.`, payload, signatures);
  },
  parse(payload, headers) {
    const parsed = standardEvent.safeParse(jsonOf(payload));
    if (!parsed.success) return null;
    const { type, data } = parsed.data;
    return { type, data, externalId: headers.get("webhook-id") ?? undefined };
  },
};

const BUILT_IN: Readonly<Record<typeof BUILT_IN_PROVIDERS[number], Provider>> = {
  stripe,
  standard,
};

export function builtInProvider(wanted: string): WebhookProvider | null {
  const name = BUILT_IN_PROVIDERS.find((known) => known === wanted);
  return name ? { name, ...BUILT_IN[name] } : null;
}

/**
 * A message from a source of inbound webhooks, before its signature and payload are read (contract 4.6, 5.8, definitions 6).
 */

export interface InboundMessage {
  /** The body, byte for byte. */
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface WebhookProvider {
  readonly name: string;
  /** Verifies the signature, within the time tolerance and in constant time. */
  verify(message: InboundMessage): Promise<boolean>;
  /** Reads the event in a payload; null for a payload without one. Throws the refusal of a payload in another notation. */
  parse(payload: string, headers: Headers): ParsedWebhook | null | Promise<ParsedWebhook | null>;
  /**
   * Returns the organization of an event; null: none. Absent: the provider's events name none. Throws what the author's code
   * throws.
   */
  organizationOf?(event: ParsedWebhook): Promise<string | null>;
}

/** Returns the variable's name `<PROVIDER>_WEBHOOK_SECRET` (contract 5.8). */
export function secretVariable(provider: string): string {
  return `${provider.toUpperCase().replaceAll("-", "_")}_WEBHOOK_SECRET`;
}

/** Parses a payload in JSON. Refuses with `INVALID_JSON`. */
function jsonOf(payload: string): unknown {
  const value = parsedJson(payload);
  if (value === undefined) refuse("INVALID_JSON", { detail: "The body is not valid JSON" });
  return value;
}

/**
 * Verifies HMAC signatures, for all providers (contract 5.8, 8). True when one of the signatures is right; `verify` compares in
 * constant time.
 */
async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  /** The part of the signed content before the payload. */
  prefix: string,
  payload: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  if (key.byteLength === 0) return false;
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["verify"]);
  const head = new TextEncoder().encode(prefix);
  const content = new Uint8Array(head.byteLength + payload.byteLength);
  content.set(head);
  content.set(payload, head.byteLength);
  let found = false;
  for (const signature of signatures) {
    if (await crypto.subtle.verify("HMAC", imported, signature, content)) found = true;
  }
  return found;
}

/** Parses seconds in a header; null when they are malformed, or too far from now in either direction. */
function timelySeconds(text: string | null, now: number): number | null {
  if (text === null || !/^\d{1,12}$/.test(text)) return null;
  const seconds = Number(text);
  // The distance is in whole seconds, as senders and their libraries count.
  const distance = Math.abs(Math.floor(now / 1000) - seconds);
  return distance <= SIGNATURE_TOLERANCE_SECONDS ? seconds : null;
}

/** Maximum signatures of a message: no rotation of secrets needs more. */
const SIGNATURES_MAX = 16;

/** Wraps a provider that an author defined as the runtime takes one (contract 4.6, definitions 6). */
export function authoredProvider(code: WebhookProviderCode): WebhookProvider {
  return {
    name: code.name,
    verify: (message) => verify(code, message),
    ...(code.organizationOf === undefined
      ? {}
      : { organizationOf: (event: ParsedWebhook) => organizationOf(code, event) }),
    async parse(text) {
      const event: unknown = await Reflect.apply(code.parseEvent, code, [text]);
      if (typeof event !== "object" || event === null) return null;
      const [type, data, externalId]: unknown[] = ["type", "data", "externalId"]
        .map((name) => Reflect.get(event, name));
      if (typeof type !== "string") return null;
      if (externalId === undefined || externalId === null) return { type, data };
      return typeof externalId === "string" ? { type, data, externalId } : null;
    },
  };
}

async function organizationOf(
  code: WebhookProviderCode,
  event: ParsedWebhook,
): Promise<string | null> {
  const named: unknown = code.organizationOf &&
    await Reflect.apply(code.organizationOf, code, [event]);
  if (named === undefined || named === null) return null;
  if (typeof named === "string" && named !== "") return named;
  throw new TypeError("organizationOf gave neither the id of an organization nor nothing");
}

/** Verifies by the author's code. Only `true` accepts: a promise that was not awaited, for one, does not. */
async function verify(
  code: WebhookProviderCode,
  { payload, headers, secret }: InboundMessage,
): Promise<boolean> {
  const signature = headers.get(code.signatureHeader ?? `${code.name}-signature`);
  const text = utf8Text(payload, { keepsMark: true });
  if (signature === null || text === null) return false;
  const verdict: unknown = await Reflect.apply(code.verifySignature, code, [
    text,
    signature,
    secret,
  ]);
  return verdict === true;
}
