/** The access rule on the row that the firewall let through (contract 4.1 rule 6, definitions 4.2). */
import type { RowRule } from "../../surface/admission.ts";
import { rowSatisfies } from "../data/row_satisfies.ts";
import type { Firewall, Insertion, StoredRow } from "../data/types.ts";
import type { Admitted } from "../gate.ts";
import { refuseRow } from "../layers/4-access/require_role.ts";
import { refuse } from "../refusal.ts";

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

/** The same on a row that is about to be made (contract 4.1): the rule binds as it does on every other verb. */
export function requireNewRow(
  { app }: Admitted,
  rule: RowRule | null,
  insertion: Insertion,
): void {
  if (rule === null) return;
  const { firewall } = insertion;
  const row = app.data.newRow(insertion);
  // A row that its maker could not see cannot be judged either.
  const isBehind = rowSatisfies(
    { kind: "conditions", conditions: firewall.predicates },
    row,
    firewall,
  );
  if (!isBehind) refuse("ACCESS_CONDITION_FAILED");
  requireRow(rule, { row, firewall });
}
