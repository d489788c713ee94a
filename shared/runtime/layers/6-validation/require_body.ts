/** The values of a write body (contract 4.1 rules 1 and 2). Refuses with `VALIDATION_ERROR`. */
import type { JsonObject } from "../../../lib/json_object.ts";
import type { StoredValue } from "../../../surface/query.ts";
import type { Call } from "../../context.ts";
import { refuse } from "../../refusal.ts";

/** By column, in stored form; what the body left out is absent. */
export function requireBody({ plan }: Call, body: JsonObject): ReadonlyMap<string, StoredValue> {
  const { checkBody } = plan;
  if (checkBody === null) throw new Error(`${plan.operation.id} takes no body`);
  const reading = checkBody(body);
  if (reading.kind === "valid") return reading.values;
  return refuse("VALIDATION_ERROR", {
    details: { fields: reading.fields },
    pointer: reading.pointer,
  });
}
