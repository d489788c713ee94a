/** Stripe, and whoever signs as Stripe does: `t=<seconds>,v1=<hex>` over `<t>.<body>` (contract 5.8, definitions 6). */
import { z } from "zod";
import { jsonOf } from "./json_payload.ts";
import { isSigned, SIGNATURES_MAX, timelySeconds } from "./verify_hmac.ts";
import type { InboundMessage, WebhookProvider } from "./webhook_provider.ts";

const event = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  data: z.unknown().optional(),
});

export const stripeProvider: WebhookProvider = {
  name: "stripe",
  verify,
  parse(payload) {
    const parsed = event.safeParse(jsonOf(payload));
    if (!parsed.success) return null;
    const { id, type, data } = parsed.data;
    return { type, data, externalId: id };
  },
};

async function verify({ payload, headers, secret, now }: InboundMessage): Promise<boolean> {
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
