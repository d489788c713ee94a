/** `defineSeed`: rows that a project begins with (definitions 1, `seed.ts`). */
import type { SEED } from "../definition_language/seed.ts";
import type { Written } from "../definition_language/shape.ts";

export interface SeedDefinition extends Written<typeof SEED> {}

/** Defines the default export of `quickback/seed.ts`: accounts, and rows that they write through every layer. */
export function defineSeed(definition: SeedDefinition): SeedDefinition {
  return definition;
}
