/** Senders that follow Standard Webhooks: three headers, base64 over `<id>.<timestamp>.<body>` (definitions 6). */
import { z } from "zod";
import { jsonOf } from "./json_payload.ts";
import { secretBytes } from "../outbound/secret.ts";
import { isSigned, SIGNATURES_MAX, timelySeconds } from "./verify_hmac.ts";
import type { InboundMessage, WebhookProvider } from "./webhook_provider.ts";

const event = z.object({ type: z.string().min(1), data: z.unknown().optional() });
const ID_MAX_LENGTH = 256;

export const standardProvider: WebhookProvider = {
  name: "standard",
  verify,
  parse(payload, headers) {
    const parsed = event.safeParse(jsonOf(payload));
    if (!parsed.success) return null;
    const { type, data } = parsed.data;
    return { type, data, externalId: headers.get("webhook-id") ?? undefined };
  },
};

async function verify({ payload, headers, secret, now }: InboundMessage): Promise<boolean> {
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
