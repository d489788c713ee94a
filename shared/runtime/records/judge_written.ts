/**
 * Judges rows as they were written by the rules that follow relations, in the transaction that wrote them: a refusal undoes the
 * write (docs/decisions/relations.md). A rule's columns alone are judged on the row as it was.
 */
import type { ResourceModel } from "../../model/mod.ts";
import { followsRelations, type RowRule, writtenPart } from "../../surface/mod.ts";
import { relationRule } from "../data/judged_rows.ts";
import type { DataLayer, Firewall } from "../data/types.ts";
import { hiddenCode } from "../layers/3-firewall/firewall.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { Refusal } from "../refusal.ts";

/** The rules that written rows must still meet. */
export interface WrittenRules {
  readonly firewall: Firewall;
  /** Of the firewall; null: it follows no relation. */
  readonly related: RowRule | null;
  /** Of the access rule; null: it follows none. */
  readonly rule: RowRule | null;
}

/** The rules of a write; null: none of them follows a relation, and nothing is judged again. */
export function writtenRules(
  firewall: Firewall,
  rule: RowRule | null,
  { isNew }: { readonly isNew: boolean },
): WrittenRules | null {
  const related = relationRule(firewall);
  const following = rule !== null && followsRelations(rule) ? rule : null;
  if (related === null && following === null) return null;
  return { firewall, related, rule: isNew ? following : following && writtenPart(following) };
}

interface Judging {
  readonly data: DataLayer;
  /** Null: the table has no routes. */
  readonly resource: ResourceModel | null;
  readonly transaction: Transaction;
  /** Refusal of a record that its access rule does not allow. */
  readonly refusalBy?: (rule: RowRule) => Refusal;
}

/** The refusals of those rows that do not meet the rules, by id. */
export async function writtenRefusals(
  {
    data,
    resource,
    transaction,
    refusalBy = () => new Refusal("ACCESS_CONDITION_FAILED"),
  }: Judging,
  { rule, ...rules }: WrittenRules,
  ids: readonly SqlValue[],
): Promise<ReadonlyMap<SqlValue, Refusal>> {
  const judged = await data.judgeWritten(transaction, { ...rules, rule, ids });
  return new Map(ids.flatMap((id): [SqlValue, Refusal][] => {
    const { isBehind, isAllowed } = judged.get(id) ?? { isBehind: false, isAllowed: false };
    if (!isBehind) return [[id, new Refusal(hiddenCode(resource, "FIREWALL_NOT_FOUND"))]];
    return isAllowed || rule === null ? [] : [[id, refusalBy(rule)]];
  }));
}

/** Refuses one written row that does not meet the rules. */
export async function requireWritten(
  judging: Judging,
  rules: WrittenRules,
  id: SqlValue,
): Promise<void> {
  const refusal = (await writtenRefusals(judging, rules, [id])).get(id);
  if (refusal) throw refusal;
}
