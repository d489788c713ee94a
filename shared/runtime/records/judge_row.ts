/** The access rule on single rows (contract 4.1, definitions 4.2). */
import type { TableModel } from "../../model/mod.ts";
import { type Soon, soon } from "../../lib/soon.ts";
import { followsRelations, type RowRule } from "../../surface/mod.ts";
import { isBehindColumns, rowSatisfies } from "../data/conditions.ts";
import type { ColumnValues, DataLayer, Firewall, Insertion, StoredRow } from "../data/types.ts";
import { refuseRow } from "../layers/4-access/require_role.ts";
import type { Reader } from "../ports.ts";
import { refuse } from "../refusal.ts";

/**
 * The access rule on the row that the firewall let through (contract 4.1 rule 6, definitions 4.2). Refuses with
 * `ACCESS_CONDITION_FAILED` or `ACCESS_OWNERSHIP_REQUIRED`.
 */
export function requireRow(
  { app, database }: {
    readonly app: { readonly data: DataLayer };
    readonly database: Reader;
  },
  rule: RowRule,
  { row, firewall }: { readonly row: StoredRow; readonly firewall: Firewall },
): Soon<void> {
  return soon(
    app.data.judgeRows(database, { rule, rows: [row], firewall }),
    ([holds]) => holds === true ? undefined : refuseFailed(rule, row, firewall),
  );
}

/** Refuses a row on which the rule does not hold. */
export function refuseFailed(rule: RowRule, row: StoredRow, firewall: Firewall): never {
  return refuseRow(
    rule,
    firewall.table,
    (condition) => rowSatisfies({ kind: "conditions", conditions: [condition] }, row, firewall),
  );
}

/**
 * The same on a row that is about to be made (contract 4.1): the rule binds as it does on every other verb. One that follows
 * relations is judged on the row as it is written (`judge_written.ts`). Refuses with `ACCESS_OWNERSHIP_REQUIRED` also a row
 * that nobody makes where it must name who did.
 */
export function requireNewRow(
  data: DataLayer,
  rule: RowRule | null,
  insertion: Insertion,
): void {
  const { firewall, values, stamps } = insertion;
  if (stamps.userId === null && lacksMaker(firewall.table, values)) {
    refuse("ACCESS_OWNERSHIP_REQUIRED");
  }
  if (rule === null) return;
  const row = data.newRow(insertion);
  // A row that its maker could not see cannot be judged either.
  if (!isBehindColumns(row, firewall)) refuse("ACCESS_CONDITION_FAILED");
  if (followsRelations(rule) || rowSatisfies(rule, row, firewall)) return;
  refuseFailed(rule, row, firewall);
}

/** A column is the caller's id by default and cannot be null. */
function lacksMaker({ columns }: TableModel, values: ColumnValues): boolean {
  return columns.some(({ name, nullable, default: value }) =>
    value?.kind === "made" && value.value.kind === "userId" && !nullable && !values.has(name)
  );
}
