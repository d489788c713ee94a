/** Phase 4: redaction (definitions 4.4). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";

export const MASKING = {
  MASK_MISPLACED: row<{ column: string; type: string; mask: string }>({
    severity: "error",
    section: "definitions 4.4",
    title: "A mask stands on a column that it cannot mask",
    message: ({ column, type, mask }) =>
      `Column ${quote(column)} of type ${type} cannot be masked as ${quote(mask)}`,
    hint: ({ mask }) =>
      mask === "redact"
        ? "Masks apply to what a client may write, not to ids, scopes and revisions"
        : `${quote(mask)} applies to text, url and enum columns; other columns take "redact"`,
  }),
  MASK_AUTOMATIC: row<{ column: string; mask: string }>({
    severity: "warning",
    section: "definitions 4.4",
    title: "A column with a sensitive name is masked although nobody asked",
    message: ({ column, mask }) =>
      `Column ${quote(column)} is masked as ${quote(mask)} by its name`,
    hint: ({ column }) => `Write a rule for it: masking: { ${column}: { type: …, show: … } }`,
  }),
} as const;
