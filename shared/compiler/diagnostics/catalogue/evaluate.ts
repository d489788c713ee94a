/** Phase 3: what cannot be read statically (contract 4.8). */
import { row } from "../row.ts";

export const EVALUATE = {
  NOT_STATIC: row<{ construct: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "A value is computed and cannot be read statically",
    message: ({ construct }) => `Value cannot be read statically: ${construct}`,
    hint: () => "Write the value out as a literal",
  }),
} as const;
