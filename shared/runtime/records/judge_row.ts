/** Judges the access rule on single rows (contract 4.1, definitions 4.2). */
import type { TableModel } from "../../model/mod.ts";
import { type Soon, soon } from "../../lib/soon.ts";
import { followsRelations, type RowRule } from "../../surface/mod.ts";
import { isBehindColumns, rowSatisfies } from "../data/conditions.ts";
import type { ColumnValues, DataLayer, Firewall, Insertion, StoredRow } from "../data/types.ts";
import { refuseRow } from "../layers/4-access/require_role.ts";
import type { Reader } from "../ports.ts";
import { refuse } from "../refusal.ts";

/**
 * Judges the access rule on a row that the firewall shows (contract 4.1 rule 6, definitions 4.2). Refuses with
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

/** Refuses a row that does not meet the rule. */
export function refuseFailed(rule: RowRule, row: StoredRow, firewall: Firewall): never {
  return refuseRow(
    rule,
    firewall.table,
    (condition) => rowSatisfies({ kind: "conditions", conditions: [condition] }, row, firewall),
  );
}

/**
 * Judges the access rule on a new row before it is written, as on every other verb (contract 4.1). A rule that follows
 * relations is judged on the written row (`judge_written.ts`). Refuses with `ACCESS_OWNERSHIP_REQUIRED` also a row that must
 * name its creator, if the caller has no account.
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
  // A row that its creator could not see cannot be judged either.
  if (!isBehindColumns(row, firewall)) refuse("ACCESS_CONDITION_FAILED");
  if (followsRelations(rule) || rowSatisfies(rule, row, firewall)) return;
  refuseFailed(rule, row, firewall);
}

/** True when a required column defaults to the caller's id and gets no value. */
function lacksMaker({ columns }: TableModel, values: ColumnValues): boolean {
  return columns.some(({ name, nullable, default: value }) =>
    value?.kind === "made" && value.value.kind === "userId" && !nullable && !values.has(name)
  );
}
