/** `webhooks`, `realtime` and `agents`: checked in full; what has no routes yet says so (definitions 2). */
import { type Fields, readField, readMember } from "../read/fields.ts";
import { integer, listOf, matching, readBoolean } from "../read/scalars.ts";

const PROVIDER = matching(/^[a-z][a-z0-9_-]*$/, "a provider name in lower case");
const EVENT = matching(/^[A-Za-z0-9_.:-]+$/, "an event name");

export function checkWebhooks(fields: Fields): void {
  const keys = ["outbound", "inbound", "events", "maxEndpoints"];
  const webhooks = readMember(fields, "webhooks", { keys });
  if (!webhooks) return;
  const outbound = readField(webhooks, "outbound", readBoolean);
  const inbound = readField(webhooks, "inbound", listOf(PROVIDER));
  readField(webhooks, "events", listOf(EVENT));
  readField(webhooks, "maxEndpoints", integer(1));
  if (outbound || inbound?.length) warn(fields, "webhooks");
}

export function checkRealtime(fields: Fields): void {
  const realtime = readMember(fields, "realtime", { keys: ["enabled", "emitFromActions", "push"] });
  if (!realtime) return;
  const enabled = readField(realtime, "enabled", readBoolean);
  const push = readField(realtime, "push", readBoolean);
  readField(realtime, "emitFromActions", readBoolean);
  if (enabled || push) warn(fields, "realtime");
}

export function checkAgents(fields: Fields): void {
  const keys = ["mcp", "llmsTxt", "robotsTxt"];
  const agents = readMember(fields, "agents", { keys });
  for (const key of keys) if (agents) readField(agents, key, readBoolean);
}

function warn(fields: Fields, key: string): void {
  const entry = fields.entries.get(key);
  if (entry) fields.at.report.add("FEATURE_NOT_SERVED", entry.keyPlace, { feature: key });
}
