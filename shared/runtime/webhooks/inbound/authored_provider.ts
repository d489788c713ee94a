/** A provider that an author defined, as the runtime takes one (contract 4.6, definitions 6). */
import { utf8Text } from "../../../lib/utf8_text.ts";
import type { WebhookProviderCode } from "../../../surface/authored_code.ts";
import type { InboundMessage, ParsedEvent, WebhookProvider } from "./webhook_provider.ts";

export function authoredProvider(code: WebhookProviderCode): WebhookProvider {
  return {
    name: code.name,
    verify: (message) => verify(code, message),
    async parse(text) {
      return eventOf(await Reflect.apply(code.parseEvent, code, [text]));
    },
  };
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

function eventOf(event: unknown): ParsedEvent | null {
  if (typeof event !== "object" || event === null) return null;
  const [type, data, externalId]: unknown[] = ["type", "data", "externalId"]
    .map((name) => Reflect.get(event, name));
  if (typeof type !== "string") return null;
  if (externalId === undefined || externalId === null) return { type, data };
  return typeof externalId === "string" ? { type, data, externalId } : null;
}
