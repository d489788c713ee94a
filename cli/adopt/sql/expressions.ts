/** Reads expressions of SQL, by trying each dialect: as conditions, and as the computation of a column. */
import * as cst from "sql-parser-cst";
import type { Comparison, Condition, Expression, Literal } from "../conditions.ts";
import { sqlText } from "./cursor.ts";
import { DIALECTS, type Token } from "./tokens.ts";

/** Parses an expression; null: no dialect can read it. */
export function parsedExpression(tokens: readonly Token[]): cst.Expr | null {
  const text = sqlText(tokens).trim();
  if (text === "") return null;
  for (const dialect of DIALECTS) {
    try {
      const [statement] = cst.parse(`SELECT ${text}`, { dialect }).statements;
      const [clause] = statement?.type === "select_stmt" ? statement.clauses : [];
      const [item] = clause?.type === "select_clause" ? clause.columns?.items ?? [] : [];
      if (item !== undefined && item.type !== "alias" && "type" in item) return plainOf(item);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
  return null;
}

/** Removes parentheses and casts, which do not change the meaning here. */
export function plainOf(node: cst.Node): cst.Expr {
  switch (node.type) {
    case "paren_expr":
      return plainOf(node.expr);
    case "cast_operator_expr":
      return plainOf(node.left);
    case "cast_expr":
      return plainOf(node.args.expr.expr);
    case "list_expr":
      return node.items.length === 1 && node.items[0] ? plainOf(node.items[0]) : asExpr(node);
    default:
      return asExpr(node);
  }
}

/** Casts a node to an expression. This is safe, because each reader checks the node's type first. */
function asExpr(node: cst.Node): cst.Expr {
  return node as cst.Expr;
}

/** Returns the condition of a check; null: it cannot be expressed here. */
export function checkOf(tokens: readonly Token[]): Condition | null {
  const parsed = parsedExpression(tokens);
  return parsed === null ? null : conditionOf(parsed);
}

/** Reads a condition that is not about the row's own columns. Undefined: it is not such a condition. */
export type ReadOther = (node: cst.Expr) => Condition | null | undefined;

export function conditionOf(node: cst.Expr, other: ReadOther = () => undefined): Condition | null {
  const said = other(node);
  if (said !== undefined) return said;
  switch (node.type) {
    case "binary_expr":
      return binaryCondition(node, other);
    case "between_expr":
      return betweenCondition(node);
    case "prefix_op_expr": {
      const of = wordsOf(node.operator) === "not" ? conditionOf(plainOf(node.expr), other) : null;
      return of === null ? null : { kind: "not", of };
    }
    case "postfix_op_expr": {
      const column = columnOf(plainOf(node.expr));
      const words = wordsOf(node.operator);
      if (column === null) return null;
      return words === "isnull" ? isNull(column) : /^not ?null$/.test(words) ? isSet(column) : null;
    }
    case "boolean_literal":
      return { kind: node.value ? "always" : "never" };
    default: {
      const column = columnOf(node);
      return column === null
        ? null
        : { kind: "compare", column, by: "equals", with: literal(true) };
    }
  }
}

function binaryCondition(
  node: Extract<cst.Expr, { readonly type: "binary_expr" }>,
  other: ReadOther,
): Condition | null {
  const [left, right] = [plainOf(node.left), plainOf(node.right)];
  const words = wordsOf(node.operator);
  if (words === "and" || words === "or") {
    const [one, two] = [conditionOf(left, other), conditionOf(right, other)];
    if (one === null || two === null) return null;
    return { kind: words === "and" ? "all" : "any", of: [one, two] };
  }
  const column = columnOf(left);
  if (words === "is" || words === "is not") {
    if (column === null) return null;
    const value = literalOf(right);
    if (value === undefined) return null;
    if (value === null) return words === "is" ? isNull(column) : isSet(column);
    const by = words === "is" ? "equals" : "notEquals";
    return { kind: "compare", column, by, with: literal(value) };
  }
  if (words === "in" || words === "not in") {
    const values = column === null ? null : listOf(right);
    if (column === null || values === null) return null;
    const said: Condition = { kind: "in", column, values };
    return words === "in" ? said : { kind: "not", of: said };
  }
  const by = COMPARISONS.get(words);
  if (by === undefined) return null;
  // `a = ANY (ARRAY['x', 'y'])`
  if (right.type === "quantifier_expr" && column !== null && by === "equals") {
    const values = listOf(right.expr);
    return values === null ? null : { kind: "in", column, values };
  }
  const isTurned = columnOf(left) === null && lengthOf(left) === null;
  return isTurned ? comparison(right, MIRRORED.get(by) ?? by, left) : comparison(left, by, right);
}

function comparison(left: cst.Expr, by: Comparison, right: cst.Expr): Condition | null {
  const value = literalOf(right);
  if (value === undefined) return null;
  const measured = lengthOf(left);
  if (measured !== null) {
    return typeof value === "number" ? { kind: "length", column: measured, by, value } : null;
  }
  const column = columnOf(left);
  return column === null ? null : { kind: "compare", column, by, with: literal(value) };
}

function betweenCondition(node: cst.BetweenExpr): Condition | null {
  if (wordsOf(node.betweenKw) !== "between") return null;
  const left = plainOf(node.left);
  const from = comparison(left, "greaterThanOrEqual", plainOf(node.begin));
  const to = comparison(left, "lessThanOrEqual", plainOf(node.end));
  return from === null || to === null ? null : { kind: "all", of: [from, to] };
}

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ["=", "equals"],
  ["==", "equals"],
  ["<>", "notEquals"],
  ["!=", "notEquals"],
  ["<", "lessThan"],
  [">", "greaterThan"],
  ["<=", "lessThanOrEqual"],
  [">=", "greaterThanOrEqual"],
]);

const MIRRORED: ReadonlyMap<Comparison, Comparison> = new Map<Comparison, Comparison>([
  ["lessThan", "greaterThan"],
  ["greaterThan", "lessThan"],
  ["lessThanOrEqual", "greaterThanOrEqual"],
  ["greaterThanOrEqual", "lessThanOrEqual"],
]);

function literal(value: Literal) {
  return { kind: "literal", value } as const;
}

function isNull(column: string): Condition {
  return { kind: "compare", column, by: "equals", with: literal(null) };
}

function isSet(column: string): Condition {
  return { kind: "compare", column, by: "notEquals", with: literal(null) };
}

/** Returns a column's name without its table; null: the node is not a column. */
export function columnOf(node: cst.Expr): string | null {
  if (node.type === "identifier") return node.name;
  if (node.type !== "member_expr" || node.property.type !== "identifier") return null;
  return plainOf(node.object).type === "identifier" ? node.property.name : null;
}

/** Returns the column whose characters are counted. */
function lengthOf(node: cst.Expr): string | null {
  if (node.type !== "func_call" || !LENGTHS.includes(nameOf(node))) return null;
  const [argument, ...others] = argumentsOf(node);
  if (argument === undefined || others.length > 0) return null;
  // Blanks at the ends are counted here.
  return columnOf(argument);
}

const LENGTHS = ["length", "char_length", "character_length"];

/** Returns the value of a literal; undefined: the node is not one. */
export function literalOf(node: cst.Expr): Literal | undefined {
  switch (node.type) {
    case "string_literal":
      return node.value;
    case "number_literal":
      return node.value;
    case "boolean_literal":
      return node.value;
    case "null_literal":
      return null;
    case "prefix_op_expr": {
      const value = node.operator === "-" ? literalOf(plainOf(node.expr)) : undefined;
      return typeof value === "number" ? -value : undefined;
    }
    default:
      return undefined;
  }
}

function listOf(node: cst.Node): readonly Literal[] | null {
  const items = itemsOf(node);
  const values = items?.map((item) => literalOf(plainOf(item))) ?? [];
  const known = values.filter((value) => value !== undefined);
  return items === null || known.length === 0 || known.length < values.length ? null : known;
}

function itemsOf(node: cst.Node): readonly cst.Node[] | null {
  switch (node.type) {
    case "list_expr":
      return node.items.length === 1 && node.items[0]
        ? itemsOf(node.items[0]) ?? node.items
        : node.items;
    case "paren_expr":
      return itemsOf(node.expr);
    case "cast_operator_expr":
      return itemsOf(node.left);
    case "array_literal_expr":
      return itemsOf(node.expr);
    case "array_expr":
      return node.expr.items;
    default:
      return literalOf(asExpr(node)) === undefined ? null : [node];
  }
}

/** Returns the expression of a generated column; null: it cannot be expressed here. */
export function expressionOf(node: cst.Expr): Expression | null {
  const name = columnOf(node);
  if (name !== null) return { kind: "column", name };
  const value = literalOf(node);
  if (value !== undefined) return value === null ? null : { kind: "literal", value };
  if (node.type === "func_call") return callOf(node);
  if (node.type !== "binary_expr") return null;
  const [left, right] = [node.left, node.right].map((one) => expressionOf(plainOf(one)));
  const by = OPERATORS.get(wordsOf(node.operator));
  if (!left || !right || by === undefined) return null;
  return by === "join"
    ? { kind: "join", parts: [left, right] }
    : { kind: "binary", by, left, right };
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ...["+", "-", "*", "<", ">", "<=", ">="].map((sign) => [sign, sign] as const),
  ["=", "=="],
  ["<>", "!="],
  ["!=", "!="],
  ["and", "&&"],
  ["or", "||"],
  ["||", "join"],
]);

function callOf(node: cst.FuncCall): Expression | null {
  const parts = argumentsOf(node).map(expressionOf);
  const known = parts.filter((part) => part !== null);
  const [first, second] = known;
  if (known.length < parts.length || !first) return null;
  switch (nameOf(node)) {
    case "concat":
      return { kind: "join", parts: known };
    case "coalesce":
    case "ifnull":
      return second && known.length === 2 ? { kind: "fallback", of: first, instead: second } : null;
    default:
      return null;
  }
}

export function nameOf({ name }: cst.FuncCall): string {
  const last = name.type === "identifier" ? name : name.property;
  return last.type === "identifier" ? last.name.toLowerCase() : "";
}

export function argumentsOf({ args }: cst.FuncCall): readonly cst.Expr[] {
  return (args?.expr.args.items ?? []).map((one) => plainOf(one));
}

/** Returns an operator in lower case, whether it is a sign or words. */
export function wordsOf(operator: unknown): string {
  if (typeof operator === "string") return operator;
  const parts = Array.isArray(operator) ? operator : [operator];
  return parts.map((part: unknown) =>
    typeof part === "object" && part !== null && "name" in part
      ? String(part.name).toLowerCase()
      : ""
  ).join(" ");
}
