/** Providers that a project receives from: its own by name, and those that are built in, in one record each (definitions 6). */
import { z } from "zod";
import { BUILT_IN_PROVIDERS, SIGNATURE_TOLERANCE_SECONDS } from "../../../contract/mod.ts";
import type { ParsedWebhook } from "../../../contract/mod.ts";
import { utf8Text } from "../../../lib/bytes.ts";
import { parsedJson } from "../../../lib/json.ts";
import type { WebhookProviderCode } from "../../../surface/mod.ts";
import { refuse } from "../../refusal.ts";
import { HMAC, secretBytes } from "../outbound/secret.ts";

type Provider = Omit<WebhookProvider, "name">;

/** Throws for a name that nobody defined: such an API must not start. */
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

/** Stripe, and whoever signs as Stripe does: `t=<seconds>,v1=<hex>` over `<t>.<body>` (contract 5.8, definitions 6). */
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

/** Senders that follow Standard Webhooks: three headers, base64 over `<id>.<timestamp>.<body>` (definitions 6). */
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

/** A source of inbound webhooks: its signatures, and the reading of its payloads (contract 4.6, 5.8, definitions 6). */

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
  /** Within the tolerance and in constant time. */
  verify(message: InboundMessage): Promise<boolean>;
  /** Null for a payload that says nothing about an event; throws the refusal of one that is not in its notation. */
  parse(payload: string, headers: Headers): ParsedWebhook | null | Promise<ParsedWebhook | null>;
  /** The organization of an event; null: nobody's. Absent: the provider's events name none. Throws what its code throws. */
  organizationOf?(event: ParsedWebhook): Promise<string | null>;
}

/** `<PROVIDER>_WEBHOOK_SECRET` (contract 5.8). */
export function secretVariable(provider: string): string {
  return `${provider.toUpperCase().replaceAll("-", "_")}_WEBHOOK_SECRET`;
}

/** A payload in JSON. Refuses with `INVALID_JSON`. */
function jsonOf(payload: string): unknown {
  const value = parsedJson(payload);
  if (value === undefined) refuse("INVALID_JSON", { detail: "The body is not valid JSON" });
  return value;
}

/**
 * Verification of HMAC signatures, for all providers (contract 5.8, 8). True when one of the signatures is right;
 * `verify` compares in constant time.
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

/** Seconds as a header carries them; null when they are none, or too far from now in either direction. */
function timelySeconds(text: string | null, now: number): number | null {
  if (text === null || !/^\d{1,12}$/.test(text)) return null;
  const seconds = Number(text);
  // In whole seconds, as senders and their libraries count.
  const distance = Math.abs(Math.floor(now / 1000) - seconds);
  return distance <= SIGNATURE_TOLERANCE_SECONDS ? seconds : null;
}

/** More signatures than that are nobody's rotation. */
const SIGNATURES_MAX = 16;

/** A provider that an author defined, as the runtime takes one (contract 4.6, definitions 6). */
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

/** Only `true` is a yes: a promise that nobody awaited, for one, is none. */
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
