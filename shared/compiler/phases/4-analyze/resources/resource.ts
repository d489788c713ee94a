/** One resource: the configuration of a table with routes, key by key (definitions 4). */
import type { JsonValue } from "../../../../model/column.ts";
import type { ResourceModel } from "../../../../model/resource.ts";
import { kebabCase } from "../../../../surface/names.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { readJson } from "../read/literal.ts";
import { oneOf, readBoolean } from "../read/scalars.ts";
import { NO_OVERRIDES, readRateLimits, resolveRateLimits } from "../rate_limits.ts";
import { readGuards } from "./guards.ts";
import { labelsOf } from "./labels.ts";
import { readMasking } from "./masking.ts";
import { readReadModel } from "./read_model.ts";
import { columnTokens, type ResourceScope } from "./resource_scope.ts";
import { readRoles } from "./roles.ts";
import { NEWEST_FIRST, readSort } from "./sort.ts";
import { readTransitions } from "./transitions.ts";
import { readWrites } from "./writes.ts";

export function readResource(
  scope: ResourceScope,
  displayColumns: ReadonlyMap<string, string | null>,
): ResourceModel {
  const { analysis, table, options } = scope;
  const defaultSort = readField(options, "defaultSort", readSort(table)) ?? NEWEST_FIRST;
  const rateLimits = readField(options, "rateLimit", readRateLimits) ?? NO_OVERRIDES;
  checkRealtime(scope);
  return {
    name: table.name,
    segment: kebabCase(table.name),
    feature: table.feature,
    table: table.name,
    origin: table.origin,
    firewallErrorMode: readField(options, "firewallErrorMode", oneOf(["reveal", "hide"])) ??
      "reveal",
    guards: readGuards(table, analysis),
    masks: readMasking(scope),
    read: readReadModel(scope, defaultSort),
    ...readWrites(scope),
    labels: labelsOf(scope, displayColumns),
    defaultSort,
    rateLimits: resolveRateLimits(analysis.config.rateLimits, rateLimits),
    transitions: readTransitions(scope),
    inputHints: readAnything(options, "inputHints"),
    layouts: readAnything(options, "layouts"),
  };
}

function readAnything(options: Fields, key: string): JsonValue {
  return readField(options, key, readJson) ?? null;
}

/** `true`, or which changes reach whom. */
function checkRealtime(scope: ResourceScope): void {
  const { options, analysis } = scope;
  const entry = options.entries.get("realtime");
  if (!entry) return;
  const { hierarchy } = analysis.config;
  const isOn = readField(options, "realtime", (value, at) => {
    if (value.kind !== "object") return readBoolean(value, at);
    const keys = ["onInsert", "onUpdate", "onDelete", "roles", "fields"];
    const fields = readFields(value, { keys }, at);
    if (!fields) return undefined;
    for (const key of ["onInsert", "onUpdate", "onDelete"]) readField(fields, key, readBoolean);
    readField(fields, "roles", (roles, place) => readRoles(roles, hierarchy, place));
    readField(fields, "fields", columnTokens(scope));
    return true;
  });
  if (isOn) analysis.report.add("FEATURE_NOT_SERVED", entry.keyPlace, { feature: "realtime" });
}
