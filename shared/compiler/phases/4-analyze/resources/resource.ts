/** One resource: the configuration of a table with routes, key by key (definitions 4). */
import type { ResourceModel } from "../../../../model/resource.ts";
import { kebabCase } from "../../../../surface/names.ts";
import { readField } from "../read/fields.ts";
import { readJson } from "../read/literal.ts";
import { read } from "../read/read_member.ts";
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
  const reads = readReadModel(scope, { defaultSort, masks });
  return {
    name: table.name,
    segment: kebabCase(table.name),
    feature: table.feature,
    table: table.name,
    origin: table.origin,
    firewallErrorMode: read(options, "firewallErrorMode"),
    guards: readGuards(table, analysis),
    masks,
    read: reads,
    ...readWrites(scope),
    labels: labelsOf(scope, displayColumns),
    defaultSort,
    rateLimits: resolveRateLimits(analysis.config.rateLimits, rateLimits),
    transitions: readTransitions(scope),
    realtime: readResourceRealtime(scope, { read: reads, masks }),
    inputHints: readField(options, "inputHints", readJson) ?? null,
    layouts: readField(options, "layouts", readJson) ?? null,
    ...(table.builtIn === undefined ? {} : { builtIn: table.builtIn }),
  };
}
