/** Reads conditions of statements as terms, and finds the subselects that read related rows (definitions 4.1). */
import type { Node } from "sql-parser-cst";
import { listedValues, operatorOf, valueOf } from "./bound_values.ts";
import { childrenOf, startOf } from "./parsed_sql.ts";
import {
  cellName,
  comparisonTerm,
  keyTerm,
  listTerm,
  type Operator,
} from "../../shared/oracle/rule_terms.ts";
import { tenantTerm } from "../../shared/oracle/rule_terms.ts";
import type { BoundSql } from "./sql_texts.ts";
import type { SqlValue } from "./statement_record.ts";
import {
  all,
  any,
  atom,
  FALSE,
  not,
  type RelatedTerm,
  type Term,
  TRUE,
} from "../../shared/oracle/terms.ts";

/** Facts that are needed to read a statement's conditions. */
export interface Reading {
  readonly sql: BoundSql;
  /** Qualifier, in lower case, of the row that rules start from; null: any qualifier that no subselect has. */
  readonly qualifier: string | null;
  /** True when names without a qualifier are columns of that row. */
  readonly isAlone: boolean;
  /** Special columns by SQL names of tables in lower case. */
  readonly tables: ReadonlyMap<string, SpecialColumns>;
  /** True for a tenant that the caller may name. */
  readonly isTenant: (value: SqlValue) => boolean;
  /** Deletion stamps that the transaction has written: rows deleted with one of them count as living. */
  readonly stamps: readonly SqlValue[];
}

/** SQL names in lower case; null: the table has no such column. */
export interface SpecialColumns {
  /** Column with the tenant of a row. */
  readonly tenant: string | null;
  readonly deletedAt: string | null;
}

interface Scope extends Reading {
  /** Related tables by the names that are visible at the place, with their depth. */
  readonly related: ReadonlyMap<string, { readonly table: string; readonly depth: number }>;
  readonly depth: number;
  /** Subselects that were recognized as checks of related rows. */
  readonly found: Node[];
}

/** Returns the condition that combines all of these. */
export function conditionTerm(conditions: readonly Node[], reading: Reading): Term {
  const scope = scopeOf(reading);
  return all(conditions.map((one) => termOf(one, scope)));
}

/** Returns the subselects of the statement that read related rows as a rule does, with everything inside them. */
export function relatedSelects(
  statement: Node,
  reading: Reading,
  isRule: (term: RelatedTerm) => boolean,
): ReadonlySet<Node> {
  const scope = scopeOf(reading);
  const select = subselectOf(statement);
  const term = select && relatedTerm(select, scope);
  if (term && isRule(term)) return new Set(scope.found);
  return new Set(
    childrenOf(statement).flatMap((child) => [...relatedSelects(child, reading, isRule)]),
  );
}

function scopeOf(reading: Reading): Scope {
  return { ...reading, related: new Map(), depth: 0, found: [] };
}

function termOf(node: Node, scope: Scope): Term {
  switch (node.type) {
    case "paren_expr":
      return termOf(node.expr, scope);
    case "number_literal":
      return node.value === 0 ? FALSE : TRUE;
    case "prefix_op_expr":
      return prefixed(node, scope);
    case "binary_expr":
      return compared(node, scope);
    default:
      return unknown(node);
  }
}

/** Returns a term for a node that is not understood; it equals no other term. */
function unknown(node: Node): Term {
  return atom(`unknown at ${startOf(node)}`);
}

type PrefixExpr = Extract<Node, { readonly type: "prefix_op_expr" }>;
type SelectStmt = Extract<Node, { readonly type: "select_stmt" }>;

function prefixed(node: PrefixExpr, scope: Scope): Term {
  const select = subselectOf(node);
  if (select !== null) return relatedTerm(select, scope) ?? unknown(node);
  if (wordsOf(node.operator) !== "NOT") return unknown(node);
  const { expr } = node;
  if (expr.type === "prefix_op_expr" && subselectOf(expr) !== null) {
    return not(termOf(expr, scope));
  }
  // A condition that is neither true nor false must count as false.
  const [inner, otherwise, ...more] = expr.type === "func_call" ? argumentsOf(expr) : [];
  return inner && otherwise?.type === "number_literal" && otherwise.value === 0 &&
      more.length === 0
    ? not(termOf(inner, scope))
    : unknown(node);
}

function argumentsOf(node: Extract<Node, { readonly type: "func_call" }>): readonly Node[] {
  const args = node.args?.expr;
  const isCoalesce = node.name.type === "identifier" && node.name.name.toLowerCase() === "coalesce";
  return isCoalesce && args?.type === "func_args" ? args.args?.items ?? [] : [];
}

function wordsOf(operator: PrefixExpr["operator"]): string {
  return [operator].flat()
    .map((word) => typeof word === "string" ? word : "text" in word ? word.text.toUpperCase() : "?")
    .join(" ");
}

const ORDERS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="] satisfies Operator[]);

function isOrder(operator: string): operator is Operator {
  return ORDERS.has(operator);
}

function compared(node: Extract<Node, { readonly type: "binary_expr" }>, scope: Scope): Term {
  const { left, right } = node;
  const operator = operatorOf(node);
  if (operator === "AND") return all([left, right].map((one) => termOf(one, scope)));
  if (operator === "OR") return any([left, right].map((one) => deletionTerm(one, scope)));
  const select = subselectOf(node);
  if (select !== null) return relatedTerm(select, scope) ?? unknown(node);
  const cell = cellOf(left, scope);
  if (cell === null) return unknown(node);
  if (operator === "IN" || operator === "NOT IN") {
    const values = isWhole(right) ? listedValues(right, scope.sql) : null;
    if (values === null) return unknown(node);
    return listTerm(cell.name, operator === "IN" ? "in" : "notIn", values);
  }
  const other = cellOf(right, scope);
  if (other !== null) return operator === "=" ? joined(cell, other, scope) : unknown(node);
  const value = valueOf(right, scope.sql);
  if (value === undefined) return unknown(node);
  if (operator === "=" || operator === "==") {
    return cell.depth > 0 && isTenant(cell, scope) && scope.isTenant(value)
      ? tenantTerm(cell.name)
      : value === null
      ? FALSE
      : comparisonTerm(cell.name, "=", value);
  }
  if (operator === "IS") return comparisonTerm(cell.name, "=", value);
  if (operator === "IS NOT") return comparisonTerm(cell.name, "<>", value);
  return isOrder(operator) ? comparisonTerm(cell.name, operator, value) : unknown(node);
}

/** True when a select lists all rows of its source: a select with a condition lists fewer. */
function isWhole(list: Node): boolean {
  const select = selectIn(list);
  return select === null || select.clauses.length === 2;
}

/** Reads `deleted_at IS NULL OR deleted_at = <stamp>`: a row that this same deletion has stamped counts as living. */
function deletionTerm(node: Node, scope: Scope): Term {
  const inner = node.type === "paren_expr" ? node.expr : node;
  if (inner.type !== "binary_expr" || operatorOf(inner) !== "=") return termOf(node, scope);
  const cell = cellOf(inner.left, scope);
  const value = valueOf(inner.right, scope.sql);
  const isStamp = cell !== null && cell.depth > 0 && value !== undefined &&
    cell.column === scope.tables.get(cell.table ?? "")?.deletedAt && scope.stamps.includes(value);
  return isStamp ? FALSE : termOf(node, scope);
}

interface Cell {
  /** Name of the column as terms write it. */
  readonly name: string;
  readonly column: string;
  readonly depth: number;
  /** Table of the cell; null: the row that rules start from. */
  readonly table: string | null;
}

function cellOf(node: Node, scope: Scope): Cell | null {
  switch (node.type) {
    case "paren_expr":
      return cellOf(node.expr, scope);
    case "prefix_op_expr":
      // A unary plus does not change a column's value.
      return node.operator === "+" ? cellOf(node.expr, scope) : null;
    case "identifier":
      return scope.isAlone && scope.depth === 0 ? ownCell(node.name) : null;
    case "member_expr": {
      if (node.object.type !== "identifier" || node.property.type !== "identifier") return null;
      const [qualifier, column] = [node.object.name.toLowerCase(), node.property.name];
      const related = scope.related.get(qualifier);
      if (related) {
        const name = cellName(column, related.depth);
        return { name, column: column.toLowerCase(), ...related };
      }
      return scope.qualifier === null || scope.qualifier === qualifier ? ownCell(column) : null;
    }
    default:
      return null;
  }
}

function ownCell(column: string): Cell {
  return { name: cellName(column, 0), column: column.toLowerCase(), depth: 0, table: null };
}

function joined(one: Cell, other: Cell, scope: Scope): Term {
  const [related, own] = one.depth > other.depth ? [one, other] : [other, one];
  if (related.depth !== own.depth + 1) return atom(`${one.name} = ${other.name}`);
  if (isTenant(related, scope) && isTenant(own, scope)) return tenantTerm(related.name);
  return keyTerm(related.name, own.name);
}

function isTenant({ column, table }: Cell, { tables }: Scope): boolean {
  return table === null
    ? [...tables.values()].some(({ tenant }) => tenant === column)
    : tables.get(table)?.tenant === column;
}

/** Subselect of the form `EXISTS (SELECT 1 …)`, `<cells> IN (SELECT <cells> …)` or `NOT IN`. */
interface Subselect {
  readonly kind: "exists" | "in" | "notIn";
  readonly select: SelectStmt;
  /** Cells of the outer row that are compared with the list. */
  readonly asked: readonly Node[];
}

function subselectOf(node: Node): Subselect | null {
  if (node.type === "prefix_op_expr") {
    const select = wordsOf(node.operator) === "EXISTS" ? selectIn(node.expr) : null;
    return select && { kind: "exists", select, asked: [] };
  }
  if (node.type !== "binary_expr") return null;
  const operator = operatorOf(node);
  if (operator !== "IN" && operator !== "NOT IN") return null;
  const select = selectIn(node.right);
  if (select === null || !isOverTables(select)) return null;
  const { left } = node;
  const asked: readonly Node[] = left.type === "paren_expr" && left.expr.type === "list_expr"
    ? left.expr.items
    : [left];
  return { kind: operator === "IN" ? "in" : "notIn", select, asked };
}

function selectIn(node: Node): SelectStmt | null {
  return node.type === "paren_expr" && node.expr.type === "select_stmt" ? node.expr : null;
}

/** True for a select from tables; a select that lists bound values is not one. */
function isOverTables({ clauses }: SelectStmt): boolean {
  return clauses.some((clause) =>
    clause.type === "from_clause" && clause.expr.type !== "func_call"
  );
}

/** Returns the term of a subselect; null if it does not select rows of one table by their key alone. */
function relatedTerm({ kind, select, asked }: Subselect, scope: Scope): RelatedTerm | null {
  const source = sourceOf(select);
  if (source === null) return null;
  const { alias, table } = source;
  const depth = scope.depth + 1;
  const inner: Scope = {
    ...scope,
    related: new Map([...scope.related, [alias, { table, depth }]]),
    depth,
    found: [],
  };
  const where = select.clauses.flatMap((clause) =>
    clause.type === "where_clause" ? [termOf(clause.expr, inner)] : []
  );
  const listed = kind === "exists" ? [] : selectedCells(select, inner);
  if (listed.length !== asked.length) return null;
  const keys = asked.map((node, at) => {
    const [own, cell] = [cellOf(node, scope), listed[at]];
    return own && cell ? { own, cell } : null;
  });
  if (keys.some((key) => key === null)) return null;
  const pairs = keys.filter((key) => key !== null);
  const known = pairs.map(({ cell }) => `${cell.name} <> null`);
  const conditions = where.flatMap((term) => term.kind === "all" ? term.of : [term]);
  const texts = conditions.flatMap((one) => one.kind === "atom" ? [one.text] : []);
  // With a null in the list, `NOT IN` is true for no row.
  if (kind === "notIn" && !known.every((one) => texts.includes(one))) return null;
  const parts = conditions.filter((one) => one.kind !== "atom" || !known.includes(one.text));
  const term: RelatedTerm = {
    kind: kind === "notIn" ? "unlisted" : "some",
    table,
    asked: all([...pairs.map(({ own, cell }) => joined(cell, own, inner)), ...parts]),
    absent: absentOf(kind, pairs.map(({ own }) => own), parts),
  };
  scope.found.push(select, ...inner.found);
  return term;
}

/**
 * Returns the conditions under which the key is missing. For a single row the key is a condition; in a list each of its cells
 * may be null.
 */
function absentOf(
  kind: Subselect["kind"],
  asked: readonly Cell[],
  parts: readonly Term[],
): readonly string[] {
  if (kind !== "exists") return asked.map(({ name }) => `${name} = null`);
  return parts.flatMap((part) => {
    const own = part.kind === "atom" ? /^key \S+ = (\S+)$/.exec(part.text)?.[1] : undefined;
    return own === undefined ? [] : [`${own} = null`];
  });
}

function selectedCells({ clauses }: SelectStmt, scope: Scope): readonly (Cell | null)[] {
  const [list] = clauses.filter((clause) => clause.type === "select_clause");
  const items: readonly Node[] = list?.columns?.items ?? [];
  return items.map((item) => cellOf(item, scope));
}

/** Returns the table of a select that has one table, and no join, group or limit. */
function sourceOf(
  { clauses }: SelectStmt,
): { readonly alias: string; readonly table: string } | null {
  const kinds = clauses.map(({ type }) => type);
  const [from] = clauses.filter((clause) => clause.type === "from_clause");
  const isPlain = kinds.every((kind) =>
    kind === "select_clause" || kind === "from_clause" || kind === "where_clause"
  );
  if (!isPlain || from?.expr.type !== "alias" || from.expr.alias.type !== "identifier") return null;
  const { expr, alias: { name: alias } } = from.expr;
  const named = expr.type === "member_expr" ? expr.property : expr;
  if (named.type !== "identifier") return null;
  return { alias: alias.toLowerCase(), table: named.name.toLowerCase() };
}
