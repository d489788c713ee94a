/** Providers that a project receives from: its own by name, and those that are built in, in one record each (definitions 6). */
import { z } from "zod";
import { BUILT_IN_PROVIDERS } from "../../../contract/webhooks.ts";
import { secretBytes } from "../outbound/secret.ts";
import { jsonOf } from "./json_payload.ts";
import { isSigned, SIGNATURES_MAX, timelySeconds } from "./verify_hmac.ts";
import type { InboundMessage, WebhookProvider } from "./webhook_provider.ts";

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
  verify: isSignedByStripe,
  parse(payload) {
    const parsed = stripeEvent.safeParse(jsonOf(payload));
    if (!parsed.success) return null;
    const { id, type, data } = parsed.data;
    return { type, data, externalId: id };
  },
};

async function isSignedByStripe(
  { payload, headers, secret, now }: InboundMessage,
): Promise<boolean> {
  const parts = (headers.get("stripe-signature") ?? "").split(",").map((part) => part.trim());
  const [time, ...otherTimes] = valuesOf(parts, "t=");
  const signatures = valuesOf(parts, "v1=").filter((hex) => /^[0-9a-f]{64}$/.test(hex));
  if (time === undefined || otherTimes.length > 0) return false;
  if (timelySeconds(time, now) === null || signatures.length > SIGNATURES_MAX) return false;
  return await isSigned(
    { key: new TextEncoder().encode(secret), prefix: `${time}.`, payload },
    signatures.map((hex) => Uint8Array.fromHex(hex)),
  );
}

function valuesOf(parts: readonly string[], prefix: string): readonly string[] {
  return parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
}

const standardEvent = z.object({ type: z.string().min(1), data: z.unknown().optional() });
const ID_MAX_LENGTH = 256;

/** Senders that follow Standard Webhooks: three headers, base64 over `<id>.<timestamp>.<body>` (definitions 6). */
const standard: Provider = {
  verify: isSignedByStandard,
  parse(payload, headers) {
    const parsed = standardEvent.safeParse(jsonOf(payload));
    if (!parsed.success) return null;
    const { type, data } = parsed.data;
    return { type, data, externalId: headers.get("webhook-id") ?? undefined };
  },
};

async function isSignedByStandard(
  { payload, headers, secret, now }: InboundMessage,
): Promise<boolean> {
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp");
  const signatures = (headers.get("webhook-signature") ?? "").split(" ")
    .filter((part) => part.startsWith("v1,"))
    .flatMap((part) => secretBytes(part.slice("v1,".length)) ?? []);
  const key = secretBytes(secret);
  if (id === "" || id.length > ID_MAX_LENGTH || key === null) return false;
  if (timelySeconds(time, now) === null || signatures.length > SIGNATURES_MAX) return false;
  return await isSigned({ key, prefix: `${id}.${time}.`, payload }, signatures);
}

const BUILT_IN: Readonly<Record<typeof BUILT_IN_PROVIDERS[number], Provider>> = {
  stripe,
  standard,
};

export function builtInProvider(wanted: string): WebhookProvider | null {
  const name = BUILT_IN_PROVIDERS.find((known) => known === wanted);
  return name ? { name, ...BUILT_IN[name] } : null;
}
