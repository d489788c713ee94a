/** The members of a body by their schema. Refuses with `VALIDATION_ERROR`, which names every offending member. */
import type { z } from "zod";
import type { JsonObject } from "../../lib/json_object.ts";
import { pointerTo } from "../../lib/json_pointer.ts";
import { refuse } from "../refusal.ts";

/** Members that a refusal lists at most: the body may hold any number of unknown ones. */
const FIELDS_MAX = 20;

export function requireFields<T>(schema: z.ZodType<T>, body: JsonObject): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap(faultsOf).slice(0, FIELDS_MAX);
  const [first] = faults;
  return refuse("VALIDATION_ERROR", {
    details: { fields: Object.fromEntries(faults) },
    pointer: first ? pointerTo(first[0]) : "",
  });
}

function faultsOf(issue: z.core.$ZodIssue): readonly (readonly [string, string])[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, FIELDS_MAX).map((key) => [key, "Unknown field"] as const);
  }
  return [[String(issue.path[0] ?? ""), issue.message]];
}
