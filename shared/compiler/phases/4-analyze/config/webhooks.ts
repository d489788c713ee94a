/** `webhooks`: what the project sends and receives (definitions 2). */
import {
  BUILT_IN_PROVIDERS,
  EVENT_NAME,
  MAX_ENDPOINTS_DEFAULT,
  RECOMMENDED_EVENTS,
  RETENTION_DAYS_DEFAULT,
  SCHEDULES,
} from "../../../../contract/webhooks.ts";
import type { WebhooksModel } from "../../../../model/webhooks.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { type At, type Reader, wrongType } from "../read/reader.ts";
import { integer, listOf, matching, oneOf, readBoolean } from "../read/scalars.ts";

/** Ten years. */
const RETENTION_DAYS_MAX = 3650;
const KEYS = ["outbound", "inbound", "events", "maxEndpoints", "schedule", "retentionDays"];
export const PROVIDER_NAME = matching(/^[a-z][a-z0-9_-]*$/, "a provider name in lower case");
const EVENT = matching(new RegExp(EVENT_NAME, "u"), "an event name");

/** `own` are the names of the providers that the project defines; null: not all of them could be read. */
export function readWebhooks(fields: Fields, own: readonly string[] | null): WebhooksModel {
  const webhooks = readMember(fields, "webhooks", { keys: KEYS });
  const events = webhooks && readField(webhooks, "events", listOf(EVENT));
  return {
    outbound: (webhooks && readField(webhooks, "outbound", readBoolean)) ?? false,
    inbound: webhooks ? readInbound(webhooks, own) : [],
    events: events ? [...new Set(events)] : RECOMMENDED_EVENTS,
    maxEndpoints: (webhooks && readField(webhooks, "maxEndpoints", integer(1))) ??
      MAX_ENDPOINTS_DEFAULT,
    schedule: (webhooks && readField(webhooks, "schedule", oneOf(SCHEDULES))) ?? "standard",
    retentionDays: readRetention(webhooks),
  };
}

/** Days, or `false` for ever. */
function readRetention(webhooks: Fields | undefined): number | null {
  const days = webhooks && readField(webhooks, "retentionDays", daysOrFalse);
  return days === false ? null : days ?? RETENTION_DAYS_DEFAULT;
}

const DAYS = integer(1, RETENTION_DAYS_MAX);

function daysOrFalse(value: Value, at: At): number | false | undefined {
  if (value.kind === "boolean" && !value.value) return false;
  return value.kind === "number"
    ? DAYS(value, at)
    : wrongType(value, `an integer from 1 to ${RETENTION_DAYS_MAX}, or false`, at);
}

/** Built-in providers, and those that the project defines. */
function readInbound(webhooks: Fields, own: readonly string[] | null): readonly string[] {
  const known = own && [...BUILT_IN_PROVIDERS, ...own];
  return [...new Set(readField(webhooks, "inbound", listOf(providerAmong(known))) ?? [])];
}

function providerAmong(known: readonly string[] | null): Reader<string> {
  return (value, at) => {
    const name = PROVIDER_NAME(value, at);
    if (name === undefined || known === null || known.includes(name)) return name;
    at.report.add("WEBHOOK_PROVIDER_UNKNOWN", value.place, { name, nearest: nearest(name, known) });
    return undefined;
  };
}
