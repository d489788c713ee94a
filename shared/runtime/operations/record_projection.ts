/** Projection of a write's answer: every column (contract 4.1). */
import type { Call } from "./call.ts";
import type { Projection } from "../data/types.ts";

export function recordProjection({ plan }: Call): Projection {
  return { resource: plan.resource, columns: plan.query.columns };
}
