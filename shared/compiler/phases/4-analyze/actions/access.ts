/** Reads `access`, `unsafe` and `rateLimit` of an action (contract 2.11, 4.4 rules 1 and 2, 8.1.5). */
import type { RateLimit } from "../../../../contract/mod.ts";
import { UNSAFE } from "../../../../definition_language/action.ts";
import type { Members, Shape } from "../../../../definition_language/shape.ts";
import type { Access, UnsafeModel } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { NO_OVERRIDES, readRateLimit, resolveRateLimits } from "../read/rate_limits.ts";
import { read } from "../read/read_member.ts";
import { type At, type Reader, wrongType } from "../read/reader.ts";
import { NOBODY, readAccess } from "../resources/access.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { ActionScope } from "./action_scope.ts";

export function readActionAccess(scope: ActionScope): Access {
  const { fields, found, analysis } = scope;
  const entry = fields.entries.get("access");
  if (!entry) {
    analysis.report.add("KEY_MISSING", fields.place, { key: "access", owner: fields.at.path });
    return NOBODY;
  }
  const conditions = scope.kind === "record" ? null : recordCondition(entry.value);
  if (conditions) {
    analysis.report.add("ACTION_RECORD_CONDITION", conditions, { action: found.name });
  }
  const table = scope.kind === "record" && scope.table ? scope.table : WITHOUT_COLUMNS;
  const reader = readAccess({ table, hierarchy: analysis.config.hierarchy, graph: scope.graph });
  return readField(fields, "access", reader) ?? NOBODY;
}

/** Place and draft of a table that the compiler knows nothing of, so that its columns cause no reports. */
const NOWHERE: Place = { file: "", line: 1, column: 1, length: 1 };
const WITHOUT_COLUMNS: TableDraft = {
  file: "",
  feature: "",
  name: "",
  namePlace: NOWHERE,
  sqlName: "",
  origin: NOWHERE,
  options: null,
  exception: null,
  isComplete: false,
  columns: new Map(),
  softDelete: false,
};

/** Returns the place of the rule's first condition on a record; null if it has none. */
function recordCondition(value: Value): Place | null {
  if (value.kind === "array") return firstOf(value.items);
  if (value.kind !== "object") return null;
  const own = value.entries.find(({ key }) => key === "record");
  if (own) return own.keyPlace;
  return firstOf(
    value.entries.filter(({ key }) => key === "or" || key === "and").map((entry) => entry.value),
  );
}

function firstOf(values: readonly Value[]): Place | null {
  return values.map(recordCondition).find((place) => place !== null) ?? null;
}

/** Returns the fields that are right; undefined if `unsafe` is wrong, which is reported. */
export function readUnsafeFields<Own extends Members>(
  shape: Shape<Own>,
  value: Value,
  at: At,
): Fields<Own> | undefined {
  if (value.kind === "object") return readFields(value, shape, at);
  const form = 'Write unsafe: { reason: "why it goes past the rules of the table" }';
  return wrongType(value, "an object with a reason", at, form);
}

/** Reads `unsafe` (contract 2.11, definitions 7). */
export const readUnsafe: Reader<UnsafeModel> = (value, at) => {
  const fields = readUnsafeFields(UNSAFE, value, at);
  if (!fields) return undefined;
  const crossTenant = read(fields, "crossTenant");
  const wanted = read(fields, "targetScope");
  if (wanted === "all" && !crossTenant) {
    at.report.add("UNSAFE_SCOPE", fields.entries.get("targetScope")?.keyPlace ?? value.place, {});
  }
  return {
    reason: read(fields, "reason") ?? "",
    adminOnly: read(fields, "adminOnly"),
    crossTenant,
    targetScope: wanted ?? (crossTenant ? "all" : "organization"),
  };
};

/**
 * Returns the action's own limit, else the `update` limit of its resource. An action without a record falls back to the
 * project's limit.
 */
export function actionRateLimit(
  { fields, kind, resource, analysis }: ActionScope,
): RateLimit | null {
  const own = readField(fields, "rateLimit", readRateLimit);
  if (own !== undefined) return own;
  if (kind === "record" && resource) return resource.rateLimits.update;
  return resolveRateLimits(analysis.config.rateLimits, NO_OVERRIDES).update;
}
