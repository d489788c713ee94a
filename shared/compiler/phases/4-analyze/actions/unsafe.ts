/** `unsafe` and `rateLimit` of an action (contract 2.11, 8.1.5, definitions 7). */
import { UNSAFE } from "../../../../definition_language/action.ts";
import type { RateLimit } from "../../../../contract/limits.ts";
import type { UnsafeModel } from "../../../../model/action.ts";
import { readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type Reader, wrongType } from "../read/reader.ts";
import { NO_OVERRIDES, readRateLimit, resolveRateLimits } from "../read/rate_limits.ts";
import type { ActionScope } from "./action_scope.ts";

export const readUnsafe: Reader<UnsafeModel> = (value, at) => {
  if (value.kind !== "object") {
    const form = 'Write unsafe: { reason: "why it goes past the rules of the table" }';
    return wrongType(value, "an object with a reason", at, form);
  }
  const fields = readFields(value, UNSAFE, at);
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

/** Its own limit, else the `update` limit of the resource, or of the project where it binds no record. */
export function actionRateLimit(
  { fields, kind, resource, analysis }: ActionScope,
): RateLimit | null {
  const own = readField(fields, "rateLimit", readRateLimit);
  if (own !== undefined) return own;
  if (kind === "record" && resource) return resource.rateLimits.update;
  return resolveRateLimits(analysis.config.rateLimits, NO_OVERRIDES).update;
}
