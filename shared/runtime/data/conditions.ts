/**
 * Record conditions once the caller is known (definitions 4.1, 4.2): one reading of operands, behind the SQL form and
 * the form that judges a row in memory.
 */
import { storageOf } from "../../column_types/mod.ts";
import type { ColumnModel } from "../../model/column.ts";
import type { Condition, Scalar } from "../../model/predicate.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import { columnOf } from "./catalog.ts";

export type OrderOperator =
  | "lessThan"
  | "greaterThan"
  | "lessThanOrEqual"
  | "greaterThanOrEqual";

/** NULL is a value that equals itself and nothing else; it is neither less nor greater than anything. */
export type Comparison =
  | { readonly kind: "never" }
  | {
    readonly kind: "equals" | "notEquals";
    readonly column: ColumnModel;
    readonly value: SqlValue;
  }
  | {
    readonly kind: "in" | "notIn";
    readonly column: ColumnModel;
    readonly values: readonly SqlValue[];
  }
  | {
    readonly kind: "order";
    readonly operator: OrderOperator;
    readonly column: ColumnModel;
    readonly value: SqlValue;
  };

const NEVER: Comparison = { kind: "never" };

/** A context value that is absent matches no row, whatever the operator. */
export function comparisonOf(condition: Condition, firewall: Firewall): Comparison {
  const { table } = firewall;
  const column = columnOf(table, condition.column);
  const { operand } = condition;
  switch (operand.kind) {
    case "literal":
      return single({ condition, column, firewall }, operand.value);
    case "context": {
      const value = firewall.contextValue(operand.key);
      return value === null ? NEVER : single({ condition, column, firewall }, value);
    }
    case "literals":
      return list({ condition, column, firewall }, operand.values);
    case "contextList":
      return list({ condition, column, firewall }, firewall.contextList(operand.key));
  }
}

interface Subject {
  readonly condition: Condition;
  readonly column: ColumnModel;
  readonly firewall: Firewall;
}

function single({ condition, column, firewall }: Subject, operand: Scalar): Comparison {
  const value = storedOperand({ column, firewall }, operand);
  if (value === undefined) return NEVER;
  const { operator } = condition;
  switch (operator) {
    case "equals":
    case "notEquals":
      return { kind: operator, column, value };
    case "in":
    case "notIn":
      return { kind: operator, column, values: [value] };
    default:
      return value === null ? NEVER : { kind: "order", operator, column, value };
  }
}

function storedOperand(
  { column, firewall }: Pick<Subject, "column" | "firewall">,
  value: Scalar,
): SqlValue | undefined {
  return value === null ? null : storageOf(column.type, firewall.table).operand(value);
}

function list({ condition, column, firewall }: Subject, operands: readonly Scalar[]): Comparison {
  const { operator } = condition;
  if (operator !== "in" && operator !== "notIn") return NEVER;
  const values = operands.flatMap((operand) => {
    const value = storedOperand({ column, firewall }, operand);
    return value === undefined ? [] : [value];
  });
  return { kind: operator, column, values };
}
