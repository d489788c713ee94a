/** A payload in JSON. Refuses with `INVALID_JSON`. */
import { refuse } from "../../refusal.ts";

export function jsonOf(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return refuse("INVALID_JSON", { detail: "The body is not valid JSON" });
    }
    throw error;
  }
}
