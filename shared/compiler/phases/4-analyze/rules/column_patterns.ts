/**
 * Checks patterns of columns. They run in the generated API, so each must be proved linear, and must match its examples
 * (definitions 3).
 */
import { valuesOf } from "../../../../column_types/mod.ts";
import { PatternProofs } from "../actions/schema/pattern_proofs.ts";
import type { RuleInput } from "./rule.ts";

export function columnPatterns({ analysis, subjects }: RuleInput): void {
  const proofs = new PatternProofs();
  for (const { firewall: { table } } of subjects) {
    for (const { name: column, type, place, default: byDefault } of table.columns.values()) {
      const values = type && valuesOf({ type });
      if (!values?.pattern) continue;
      const { source, examples } = values.pattern;
      const fault = proofs.faultOf({ source, flags: "u" });
      if (fault !== null) {
        analysis.report.add("PATTERN_UNSAFE", place, { pattern: source, fault });
        continue;
      }
      const body = values.body();
      const isDefault = byDefault?.kind === "literal" && byDefault.value !== null;
      const unmet = [...examples, ...(isDefault ? [byDefault.value] : [])]
        .find((text) => !body.safeParse(text).success);
      if (unmet === undefined) continue;
      analysis.report.add("PATTERN_UNMET", place, { column, text: JSON.stringify(unmet) });
    }
  }
}
