/** Phase 4: the configuration and what holds the project together (definitions 1, 2). */
import { row } from "../row.ts";

export const PROJECT = {
  UNKNOWN_KEY: row<{ key: string; owner: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 2",
    title: "A definition has a key that does not exist",
    message: ({ key, owner }) => `Unknown key ${JSON.stringify(key)} in ${owner}`,
    hint: ({ nearest }) => nearest === null ? null : `Did you mean ${JSON.stringify(nearest)}?`,
  }),
} as const;
