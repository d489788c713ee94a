/** Phase 4: redaction (definitions 4.4). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";

export const MASKING = {
  MASK_MISPLACED: row<{ column: string; type: string }>({
    severity: "error",
    section: "definitions 4.4",
    title: "A mask stands on a column that holds no text",
    message: ({ column, type }) => `Column ${quote(column)} of type ${type} cannot be masked`,
    hint: () => "Masks apply to text, url and enum columns",
  }),
  MASK_AUTOMATIC: row<{ column: string; mask: string }>({
    severity: "warning",
    section: "definitions 4.4",
    title: "A column with a sensitive name is masked although nobody asked",
    message: ({ column, mask }) =>
      `Column ${quote(column)} is masked as ${quote(mask)} by its name`,
    hint: ({ column }) => `Write a rule for it: masking: { ${column}: { type: …, show: … } }`,
  }),
  MASK_IMPOSSIBLE: row<{ column: string; type: string }>({
    severity: "warning",
    section: "definitions 4.4",
    title: "A column with a sensitive name holds no text and is not masked",
    message: ({ column, type }) =>
      `Column ${quote(column)} has a sensitive name but its type ${type} cannot be masked`,
    hint: () => "Make it a text column, or rename it",
  }),
} as const;
