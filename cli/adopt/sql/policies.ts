/** Reads policies of PostgreSQL as conditions on the caller, on own columns, and on rows of other tables by EXISTS and IN. */
import type * as cst from "sql-parser-cst";
import type { Condition } from "../conditions.ts";
import * as expressions from "./expressions.ts";
import type { Token } from "./tokens.ts";

interface Scope {
  /** Table's own name, and its alias in the query. */
  readonly names: readonly string[];
  readonly columns: ReadonlySet<string>;
}

/** Returns the columns of a table in lower case; undefined: the file does not define it. */
type ColumnsOf = (table: string) => ReadonlySet<string> | undefined;

/** Returns the condition of all parts of a policy; null: one of them cannot be read. */
export function policyCondition(
  parts: readonly (readonly Token[])[],
  table: string,
  columnsOf: ColumnsOf,
): Condition | null {
  const outer = { names: [table.toLowerCase()], columns: columnsOf(table) ?? new Set<string>() };
  const read = parts.map((part) => {
    const parsed = expressions.parsedExpression(part);
    return parsed === null ? null : conditionIn(parsed, [outer], columnsOf);
  });
  const known = read.filter((one) => one !== null);
  if (known.length < read.length) return null;
  const distinct = [...new Map(known.map((one) => [JSON.stringify(one), one])).values()];
  const [only, ...others] = distinct;
  return only && others.length === 0 ? only : { kind: "all", of: distinct };
}

/** Reads a condition. `scopes`: the query's own table first, then those around it. */
function conditionIn(
  node: cst.Expr,
  scopes: readonly Scope[],
  columnsOf: ColumnsOf,
): Condition | null {
  return expressions.conditionOf(node, (inner) => otherIn(inner, scopes, columnsOf));
}

/** Reads conditions that are not about own columns only. */
function otherIn(
  node: cst.Expr,
  scopes: readonly Scope[],
  columnsOf: ColumnsOf,
): Condition | null | undefined {
  if (node.type === "prefix_op_expr" && expressions.wordsOf(node.operator) === "exists") {
    const query = selectIn(node.expr);
    return query && existsIn(query, null, scopes, columnsOf);
  }
  if (node.type !== "binary_expr") return undefined;
  const [left, right] = [expressions.plainOf(node.left), expressions.plainOf(node.right)];
  const words = expressions.wordsOf(node.operator);
  if (words === "is not" && isCaller(left)) return { kind: "signedIn" };
  if (isCallersRole(left) || isCallersRole(right)) {
    const role = expressions.literalOf(isCallersRole(left) ? right : left);
    return words === "=" && role === "authenticated" ? { kind: "signedIn" } : null;
  }
  const isIn = words === "in" || (words === "=" && right.type === "quantifier_expr");
  const query = isIn ? selectIn(right.type === "quantifier_expr" ? right.expr : node.right) : null;
  if (query) return existsIn(query, left, scopes, columnsOf);
  const [caller, other] = isCaller(left) ? [left, right] : [right, left];
  if (!isCaller(caller)) return otherTableIn(left, right, scopes);
  const column = words === "=" || words === "<>" || words === "!="
    ? expressions.columnOf(other)
    : null;
  if (column === null || !isOwn(other, scopes)) return null;
  const by = words === "=" ? "equals" : "notEquals";
  return { kind: "compare", column, by, with: { kind: "userId" } };
}

/** Refuses a comparison with a column of another table: it is no condition on one row. */
function otherTableIn(left: cst.Expr, right: cst.Expr, scopes: readonly Scope[]): null | undefined {
  const columns = [left, right].filter((side) => expressions.columnOf(side) !== null);
  return columns.some((side) => !isOwn(side, scopes)) || columns.length > 1 ? null : undefined;
}

/** Reads EXISTS, or IN; `member` is the value that IN compares with the query's column. */
function existsIn(
  query: cst.SelectStmt,
  member: cst.Expr | null,
  scopes: readonly Scope[],
  columnsOf: ColumnsOf,
): Condition | null {
  const from = fromOf(query);
  const columns = from && columnsOf(from.table);
  if (!from || !columns) return null;
  const own = { names: [from.table.toLowerCase(), from.alias.toLowerCase()], columns };
  const inner = [own, ...scopes];
  const parts = conjunctsOf(whereOf(query));
  const keys: { theirs: string; own: string }[] = [];
  const conditions: Condition[] = [];
  if (member !== null) {
    const selected = selectedOf(query);
    const column = selected && expressions.columnOf(selected);
    const outer = expressions.columnOf(member);
    if (!column) return null;
    if (isCaller(member)) {
      conditions.push({ kind: "compare", column, by: "equals", with: { kind: "userId" } });
    } else if (outer !== null && isOwn(member, scopes)) keys.push({ theirs: column, own: outer });
    else return null;
  }
  for (const part of parts) {
    const pair = pairIn(part, inner, scopes);
    if (pair) keys.push(pair);
    else {
      const condition = conditionIn(part, inner, columnsOf);
      if (condition === null) return null;
      conditions.push(condition);
    }
  }
  if (keys.length === 0) return null;
  const [only, ...others] = conditions;
  const of: Condition = only && others.length === 0 ? only : { kind: "all", of: conditions };
  return { kind: "exists", table: from.table, keys, of };
}

/** Reads `m.order_id = orders.id`: a column of the query's table and one of the table around it. */
function pairIn(
  node: cst.Expr,
  inner: readonly Scope[],
  outer: readonly Scope[],
): { readonly theirs: string; readonly own: string } | null {
  if (node.type !== "binary_expr" || expressions.wordsOf(node.operator) !== "=") return null;
  const sides = [expressions.plainOf(node.left), expressions.plainOf(node.right)];
  const names = sides.map(expressions.columnOf);
  const [one, two] = names;
  if (!one || !two || !sides[0] || !sides[1]) return null;
  const [isFirst, isSecond] = [isOwn(sides[0], inner), isOwn(sides[1], inner)];
  if (isFirst === isSecond) return null;
  const far = isFirst ? sides[1] : sides[0];
  if (!isOwn(far, outer)) return null;
  return isFirst ? { theirs: one, own: two } : { theirs: two, own: one };
}

/** True for a column of the first scope. */
function isOwn(node: cst.Expr, [own, ...around]: readonly Scope[]): boolean {
  const column = expressions.columnOf(node);
  if (column === null || !own) return false;
  if (node.type === "member_expr") {
    const object = expressions.plainOf(node.object);
    const table = object.type === "identifier" ? object.name.toLowerCase() : "";
    return own.names.includes(table);
  }
  return own.columns.has(column.toLowerCase()) || around.length === 0;
}

/** True for `auth.uid()`, also as `(select auth.uid())`. */
function isCaller(node: cst.Expr): boolean {
  const called = callOf(node);
  return called === "auth.uid" || called === "uid";
}

function isCallersRole(node: cst.Expr): boolean {
  return callOf(node) === "auth.role";
}

function callOf(node: cst.Expr): string | null {
  const query = selectIn(node);
  const call = query ? selectedOf(query) : node;
  if (call?.type !== "func_call") return null;
  const { name } = call;
  const object = name.type === "member_expr" ? expressions.plainOf(name.object) : null;
  const schema = object?.type === "identifier" ? `${object.name.toLowerCase()}.` : "";
  return `${schema}${expressions.nameOf(call)}`;
}

function selectIn(node: cst.Node): cst.SelectStmt | null {
  const inner = node.type === "paren_expr" ? node.expr : node;
  if (inner.type === "paren_expr") return selectIn(inner);
  if (inner.type === "list_expr" && inner.items.length === 1 && inner.items[0]) {
    return selectIn(inner.items[0]);
  }
  return inner.type === "select_stmt" ? inner : null;
}

function selectedOf({ clauses }: cst.SelectStmt): cst.Expr | null {
  const clause = clauses.find((one) => one.type === "select_clause");
  const [first, ...others] = clause?.columns?.items ?? [];
  if (!first || others.length > 0) return null;
  const node: cst.Node = first.type === "alias" ? first.expr : first;
  return expressions.plainOf(node);
}

/** Returns the one table of a query; null: it has several, or none. */
function fromOf({ clauses }: cst.SelectStmt) {
  const clause = clauses.find((one) => one.type === "from_clause");
  const expr = clause?.expr;
  if (!expr) return null;
  const [node, alias] = expr.type === "alias" ? [expr.expr, expr.alias] : [expr, null];
  const table = expressions.columnOf(expressions.plainOf(node));
  const called = alias?.type === "identifier" ? alias.name : table;
  return table === null || called === null ? null : { table, alias: called };
}

function whereOf({ clauses }: cst.SelectStmt): cst.Expr | null {
  const clause = clauses.find((one) => one.type === "where_clause");
  return clause ? expressions.plainOf(clause.expr) : null;
}

function conjunctsOf(node: cst.Expr | null): readonly cst.Expr[] {
  if (node === null) return [];
  if (node.type !== "binary_expr" || expressions.wordsOf(node.operator) !== "and") return [node];
  return [node.left, node.right].flatMap((side) => conjunctsOf(expressions.plainOf(side)));
}
