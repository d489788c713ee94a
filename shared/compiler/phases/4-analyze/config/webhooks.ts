/** `webhooks`: what the project sends and receives (definitions 2). */
import {
  BUILT_IN_PROVIDERS,
  EVENT_NAME,
  MAX_ENDPOINTS_DEFAULT,
  RECOMMENDED_EVENTS,
} from "../../../../contract/webhooks.ts";
import type { WebhooksModel } from "../../../../model/webhooks.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { integer, listOf, matching, readBoolean } from "../read/scalars.ts";

const KEYS = ["outbound", "inbound", "events", "maxEndpoints"];
const PROVIDER = matching(/^[a-z][a-z0-9_-]*$/, "a provider name in lower case");
const EVENT = matching(new RegExp(EVENT_NAME), "an event name");

export function readWebhooks(fields: Fields): WebhooksModel {
  const webhooks = readMember(fields, "webhooks", { keys: KEYS });
  const events = webhooks && readField(webhooks, "events", listOf(EVENT));
  return {
    outbound: (webhooks && readField(webhooks, "outbound", readBoolean)) ?? false,
    inbound: webhooks ? readInbound(webhooks) : [],
    events: events ? [...new Set(events)] : RECOMMENDED_EVENTS,
    maxEndpoints: (webhooks && readField(webhooks, "maxEndpoints", integer(1))) ??
      MAX_ENDPOINTS_DEFAULT,
  };
}

/** Providers that an author defines are not served yet, and say so. */
function readInbound(webhooks: Fields): readonly string[] {
  const names = [...new Set(readField(webhooks, "inbound", listOf(PROVIDER)) ?? [])];
  const builtIn: readonly string[] = BUILT_IN_PROVIDERS;
  const entry = webhooks.entries.get("inbound");
  for (const name of names.filter((name) => !builtIn.includes(name))) {
    const feature = `webhooks.inbound "${name}"`;
    if (entry) webhooks.at.report.add("FEATURE_NOT_SERVED", entry.keyPlace, { feature });
  }
  return names.filter((name) => builtIn.includes(name));
}
