/** The access rule on the row that the firewall let through (contract 4.1 rule 6, definitions 4.2). */
import type { RowRule } from "../../surface/admission.ts";
import { rowSatisfies } from "../data/row_satisfies.ts";
import type { Firewall, StoredRow } from "../data/types.ts";
import { refuseRow } from "../layers/4-access/refuse_row.ts";

/** Refuses with `ACCESS_CONDITION_FAILED` or `ACCESS_OWNERSHIP_REQUIRED`. */
export function requireRow(
  rule: RowRule,
  { row, firewall }: { readonly row: StoredRow; readonly firewall: Firewall },
): void {
  if (rowSatisfies(rule, row, firewall)) return;
  refuseRow(
    rule,
    firewall.table,
    (condition) => rowSatisfies({ kind: "conditions", conditions: [condition] }, row, firewall),
  );
}
