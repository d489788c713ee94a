/** Reads `rateLimit` of the project and of a resource, and decides which of the two applies (contract 8.1). */
import type { RateLimit, RateOperation } from "../../../../contract/mod.ts";
import { DEFAULT_RATE_LIMITS, RATE_OPERATIONS } from "../../../../contract/mod.ts";
import { RATE_LIMIT } from "../../../../definition_language/config.ts";
import type { Value } from "../../values.ts";
import { readFields } from "./fields.ts";
import { read } from "./read_member.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { type At, below, wrongType } from "./reader.ts";

/**
 * Limits of a project or a resource. False: no limits at all. Null: no limit for this operation. An absent operation is not
 * set.
 */
export type RateOverrides = false | ReadonlyMap<RateOperation, RateLimit | null>;

export const NO_OVERRIDES: RateOverrides = new Map();

export function readRateLimits(value: Value, at: At): RateOverrides | undefined {
  if (value.kind === "boolean" && !value.value) return false;
  if (value.kind !== "object") return wrongType(value, "false, or limits per operation", at);
  const limits = new Map<RateOperation, RateLimit | null>();
  for (const entry of value.entries) {
    const operation = RATE_OPERATIONS.find((name) => name === entry.key);
    if (!operation) {
      at.report.add("RATE_OPERATION_UNKNOWN", entry.keyPlace, {
        operation: entry.key,
        nearest: entry.key === "list" || entry.key === "get"
          ? "read"
          : nearest(entry.key, RATE_OPERATIONS),
      });
      continue;
    }
    const limit = readRateLimit(entry.value, below(at, entry.key));
    if (limit !== undefined) limits.set(operation, limit);
  }
  return limits;
}

/** Reads one limit; null for `false`. */
export function readRateLimit(value: Value, at: At): RateLimit | null | undefined {
  if (value.kind === "boolean" && !value.value) return null;
  const fields = readFields(value, RATE_LIMIT, at);
  if (!fields) return undefined;
  const limit = read(fields, "limit");
  const period = read(fields, "period");
  return limit === undefined || period === undefined ? undefined : { limit, period };
}

/**
 * Returns the limits of a resource. The first of these that is set applies: project `false`, resource `false`, resource per
 * operation, project per operation, built-in default (contract 8.1.3).
 */
export function resolveRateLimits(
  project: RateOverrides,
  resource: RateOverrides,
): Record<RateOperation, RateLimit | null> {
  const limitOf = (operation: RateOperation): RateLimit | null => {
    if (project === false || resource === false) return null;
    const deciding = [resource, project].find((overrides) => overrides.has(operation));
    return deciding ? deciding.get(operation) ?? null : DEFAULT_RATE_LIMITS[operation];
  };
  return {
    read: limitOf("read"),
    create: limitOf("create"),
    update: limitOf("update"),
    delete: limitOf("delete"),
  };
}
