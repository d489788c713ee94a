/** One resource: the configuration of a table with routes, key by key (definitions 4). */
import type { JsonValue } from "../../../../model/column.ts";
import type { ResourceModel } from "../../../../model/resource.ts";
import { kebabCase } from "../../../../surface/names.ts";
import { type Fields, readField } from "../read/fields.ts";
import { readJson } from "../read/literal.ts";
import { oneOf } from "../read/scalars.ts";
import { NO_OVERRIDES, readRateLimits, resolveRateLimits } from "../read/rate_limits.ts";
import { readGuards } from "./guards.ts";
import { labelsOf } from "./labels.ts";
import { readMasking } from "./masking.ts";
import { readReadModel } from "./read_model.ts";
import { readResourceRealtime } from "./realtime.ts";
import type { ResourceScope } from "./resource_scope.ts";
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
  const masks = readMasking(scope);
  const read = readReadModel(scope, { defaultSort, masks });
  return {
    name: table.name,
    segment: kebabCase(table.name),
    feature: table.feature,
    table: table.name,
    origin: table.origin,
    firewallErrorMode: readField(options, "firewallErrorMode", oneOf(["reveal", "hide"])) ??
      "reveal",
    guards: readGuards(table, analysis),
    masks,
    read,
    ...readWrites(scope),
    labels: labelsOf(scope, displayColumns),
    defaultSort,
    rateLimits: resolveRateLimits(analysis.config.rateLimits, rateLimits),
    transitions: readTransitions(scope),
    realtime: readResourceRealtime(scope, { read, masks }),
    inputHints: readAnything(options, "inputHints"),
    layouts: readAnything(options, "layouts"),
    ...(table.builtIn === undefined ? {} : { builtIn: table.builtIn }),
  };
}

function readAnything(options: Fields, key: string): JsonValue {
  return readField(options, key, readJson) ?? null;
}
