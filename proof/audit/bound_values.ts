/**
 * Returns the values that a condition allows for a column, as far as they are known. A condition that cannot be read allows any
 * value.
 */
import type { Node } from "sql-parser-cst";
import type { BoundSql } from "./sql_texts.ts";
import type { SqlValue } from "./statement_record.ts";
import type { TableUse } from "./table_uses.ts";

/** Possible values; null: any. */
type BoundValues = readonly SqlValue[] | null;

interface Question {
  readonly sql: BoundSql;
  readonly use: TableUse;
  /** SQL name of the column. */
  readonly column: string;
}

/** Returns the values that all conditions of the use allow together. */
export function valuesLeft(question: Question): BoundValues {
  return question.use.conditions.map((one) => valuesAfter(one, question)).reduce(both, null);
}

type BinaryExpr = Extract<Node, { readonly type: "binary_expr" }>;

function valuesAfter(condition: Node, question: Question): BoundValues {
  switch (condition.type) {
    case "paren_expr":
      return valuesAfter(condition.expr, question);
    case "binary_expr":
      return valuesAfterOperator(condition, question);
    case "number_literal":
      return condition.value === 0 ? [] : null;
    case "boolean_literal":
      return condition.value ? null : [];
    case "null_literal":
      return [];
    default:
      return null;
  }
}

function valuesAfterOperator(condition: BinaryExpr, question: Question): BoundValues {
  const operator = operatorOf(condition);
  switch (operator) {
    case "AND":
      return both(valuesAfter(condition.left, question), valuesAfter(condition.right, question));
    case "OR": {
      const one = valuesAfter(condition.left, question);
      const other = valuesAfter(condition.right, question);
      return one === null || other === null ? null : [...one, ...other];
    }
    case "=":
    case "==":
    case "IS": {
      // `= NULL` is true for no row.
      const other = isColumn(condition.left, question)
        ? condition.right
        : isColumn(condition.right, question)
        ? condition.left
        : null;
      const value = other === null ? undefined : valueOf(other, question.sql);
      if (value === undefined) return null;
      return value === null && operator !== "IS" ? [] : [value];
    }
    case "IN":
      return isColumn(condition.left, question)
        ? listedValues(condition.right, question.sql)
        : null;
    default:
      return null;
  }
}

export function operatorOf({ operator }: BinaryExpr): string {
  return [operator].flat()
    .map((word) => typeof word === "string" ? word : "text" in word ? word.text.toUpperCase() : "?")
    .join(" ");
}

function both(one: BoundValues, other: BoundValues): BoundValues {
  if (one === null) return other;
  return other === null ? one : one.filter((value) => includes(other, value));
}

/** Returns the values of `(?, ?)` or `(SELECT value FROM json_each(?))` without NULLs; null for any other list. */
export function listedValues(node: Node, sql: BoundSql): BoundValues {
  if (node.type !== "paren_expr") return null;
  const { expr } = node;
  if (expr.type === "select_stmt") return jsonValues(expr, sql);
  if (expr.type === "compound_select_stmt") return null;
  const items: readonly Node[] = expr.type === "list_expr" ? expr.items : [expr];
  const values = items.map((item) => valueOf(item, sql));
  return values.some((value) => value === undefined)
    ? null
    : values.flatMap((value) => value === undefined || value === null ? [] : [value]);
}

/** Returns the values of a `json_each` subselect. The rest of the select is ignored: it can only remove values. */
function jsonValues(
  { clauses }: Extract<Node, { readonly type: "select_stmt" }>,
  sql: BoundSql,
): BoundValues {
  const [first, ...others] = clauses;
  const columns = first?.type === "select_clause" ? first.columns?.items ?? [] : [];
  const [only] = columns;
  const from = others.find((clause) => clause.type === "from_clause")?.expr;
  if (columns.length !== 1 || only?.type !== "identifier" || only.name !== "value") return null;
  if (from?.type !== "func_call" || from.name.type !== "identifier") return null;
  if (from.name.name.toLowerCase() !== "json_each" || from.args === undefined) return null;
  const args = from.args.expr.args?.items ?? [];
  const [argument] = args;
  if (argument === undefined || args.length !== 1) return null;
  const text = valueOf(argument, sql);
  if (typeof text !== "string") return null;
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return null;
  const values = list.map((item) => {
    if (item === null || typeof item === "string" || typeof item === "number") return item;
    return typeof item === "boolean" ? Number(item) : undefined;
  });
  return values.some((value) => value === undefined)
    ? null
    : values.filter((value) => value !== undefined && value !== null);
}

/** Returns the value of a node; undefined if it is not known before the statement runs. */
export function valueOf(node: Node, sql: BoundSql): SqlValue | undefined {
  switch (node.type) {
    case "paren_expr":
      return valueOf(node.expr, sql);
    case "parameter":
      return sql.valueOf(node);
    case "string_literal":
    case "number_literal":
      return node.value;
    case "boolean_literal":
      return Number(node.value);
    case "null_literal":
      return null;
    default:
      return undefined;
  }
}

/** True for the column of this use, and of no other table of the statement. */
export function isColumn(node: Node, { use, column }: Omit<Question, "sql">): boolean {
  switch (node.type) {
    case "paren_expr":
      return isColumn(node.expr, { use, column });
    case "prefix_op_expr":
      // A unary plus does not change a column's value.
      return node.operator === "+" && isColumn(node.expr, { use, column });
    case "identifier":
      return use.isAlone && node.name.toLowerCase() === column.toLowerCase();
    case "member_expr":
      return node.object.type === "identifier" && node.property.type === "identifier" &&
        node.object.name.toLowerCase() === use.qualifier &&
        node.property.name.toLowerCase() === column.toLowerCase();
    default:
      return false;
  }
}

export function includes(values: readonly SqlValue[], value: SqlValue): boolean {
  return values.some((one) => {
    // SQLite compares numbers by value, whether JavaScript has a number or a bigint.
    const isNumber = (value: SqlValue) => typeof value === "number" || typeof value === "bigint";
    if (isNumber(one) && isNumber(value)) return Number(one) === Number(value);
    return one === value;
  });
}
