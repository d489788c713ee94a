/** The access rule on a row that is about to be made (contract 4.1): it binds as it does on every other verb. */
import type { RowRule } from "../../surface/admission.ts";
import type { Admitted } from "../gate.ts";
import { rowSatisfies } from "../data/row_satisfies.ts";
import type { Insertion } from "../data/types.ts";
import { refuse } from "../refusal.ts";
import { requireRow } from "./row_access.ts";

/** Refuses with `ACCESS_CONDITION_FAILED` or `ACCESS_OWNERSHIP_REQUIRED`; a null rule asks for nothing. */
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
