/**
 * Judges the state of a record for an action (contract 3.2, 4.4 rule 1). Refuses with `ACCESS_ACTION_NOT_ALLOWED_FOR_STATE`;
 * `details.conditions` holds the conditions as their author wrote them.
 */
import type { JsonValue } from "../../../model/column.ts";
import type { Condition } from "../../../model/predicate.ts";
import type { RowRule } from "../../../surface/admission.ts";
import { rowSatisfies } from "../../data/row_satisfies.ts";
import type { Firewall, StoredRow } from "../../data/types.ts";
import { refuse } from "../../refusal.ts";

interface Judged {
  readonly row: StoredRow;
  readonly firewall: Firewall;
}

export function requireState(rule: RowRule | null, { row, firewall }: Judged): void {
  if (rule === null || rowSatisfies(rule, row, firewall)) return;
  refuseState(conditionsShown(rule));
}

export function refuseState(conditions: JsonValue): never {
  return refuse("ACCESS_ACTION_NOT_ALLOWED_FOR_STATE", { details: { conditions } });
}

function conditionsShown(rule: RowRule): JsonValue {
  switch (rule.kind) {
    case "conditions":
      return recordShown(rule.conditions);
    case "all":
      return { and: rule.of.map(conditionsShown) };
    case "any":
      return { or: rule.of.map(conditionsShown) };
  }
}

/** `{ status: { equals: "draft" } }`. */
export function recordShown(conditions: readonly Condition[]): JsonValue {
  const columns = new Map<string, Record<string, JsonValue>>();
  for (const { column, operator, operand } of conditions) {
    columns.set(column, { ...columns.get(column), [operator]: operandShown(operand) });
  }
  return Object.fromEntries(columns);
}

function operandShown(operand: Condition["operand"]): JsonValue {
  switch (operand.kind) {
    case "literal":
      return operand.value;
    case "literals":
      return operand.values;
    case "context":
    case "contextList":
      return `$ctx.${operand.key}`;
  }
}
