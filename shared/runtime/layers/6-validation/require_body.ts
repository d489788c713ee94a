/** The values of a write body (contract 4.1 rules 1 and 2). Refuses with `VALIDATION_ERROR`. */
import type { JsonObject } from "../../../lib/json_object.ts";
import type { StoredValue } from "../../../surface/query.ts";
import type { BodyChecker } from "../../../surface/schema/body.ts";
import { refuse } from "../../refusal.ts";

/** By column, in stored form; what the body left out is absent. */
export function requireBody(
  checkBody: BodyChecker | null,
  body: JsonObject,
): ReadonlyMap<string, StoredValue> {
  if (checkBody === null) throw new Error("The operation takes no body");
  const reading = checkBody(body);
  if (reading.kind === "valid") return reading.values;
  return refuse("VALIDATION_ERROR", {
    details: { fields: reading.fields },
    pointer: reading.pointer,
  });
}
