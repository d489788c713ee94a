/** `webhooks`: what the project sends and receives (definitions 2). */
import { BUILT_IN_PROVIDERS } from "../../../../contract/webhooks.ts";
import { WEBHOOK_PROVIDER } from "../../../../definition_language/services.ts";
import type { WebhooksModel } from "../../../../model/webhooks.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { readField } from "../read/fields.ts";
import type { Reader } from "../read/reader.ts";
import { kindReader, read } from "../read/read_member.ts";
import { listOf } from "../read/scalars.ts";
import type { ConfigFields } from "./config_fields.ts";

const PROVIDER_NAME = kindReader(WEBHOOK_PROVIDER.members.name);

/** `own` are the names of the providers that the project defines; null: not all of them could be read. */
export function readWebhooks(config: ConfigFields, own: readonly string[] | null): WebhooksModel {
  const webhooks = read(config, "webhooks");
  const known = own && [...BUILT_IN_PROVIDERS, ...own];
  const days = read(webhooks, "retentionDays");
  return {
    outbound: read(webhooks, "outbound"),
    inbound: [...new Set(readField(webhooks, "inbound", listOf(providerAmong(known))) ?? [])],
    events: [...new Set(read(webhooks, "events"))],
    maxEndpoints: read(webhooks, "maxEndpoints"),
    schedule: read(webhooks, "schedule"),
    retentionDays: days === false ? null : days,
  };
}

/** Built-in providers, and those that the project defines. */
function providerAmong(known: readonly string[] | null): Reader<string> {
  return (value, at) => {
    const name = PROVIDER_NAME(value, at);
    if (name === undefined || known === null || known.includes(name)) return name;
    at.report.add("WEBHOOK_PROVIDER_UNKNOWN", value.place, { name, nearest: nearest(name, known) });
    return undefined;
  };
}
