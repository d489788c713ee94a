/** Reasons that allow a use of a table although its conditions lack part of the firewall (docs/proof.md). */
import type { Node } from "sql-parser-cst";
import { type ColumnModel, sequenceOf, type TableModel } from "../../shared/model/mod.ts";
import { assignmentsIn } from "./assignments.ts";
import type { AuditScope, Lifted, Missing, Subject } from "./audit_scope.ts";
import { includes, isColumn, operatorOf, valuesLeft } from "./bound_values.ts";
import type { Clearance } from "./finding.ts";
import type { KnownRows } from "./known_rows.ts";
import { sqlNameOf } from "./required_scope.ts";
import type { TableUse } from "./table_uses.ts";

/** Returns the reason that allows the use; null: the use is not allowed. */
export function clearanceOf(
  subject: Subject,
  table: TableModel,
  missing: readonly Missing[],
  scope: AuditScope,
): Clearance | null {
  if (missing.length === 0) return "scoped";
  const kinds = missing.map(({ predicate }) => predicate.kind);
  if (kinds.every((kind) => scope.lifted.includes(kind))) return scope.lift;
  if (subject.use.role === "read" && namesOnly(subject, table, scope.known.met)) return "written";
  if (isHeld(subject, table, missing, scope)) return "written";
  // Contract 4.7: the sum counts all files of the tenant, whether the caller may see their rows and whether these are deleted
  // or not.
  const tenant = table.scope.organization === null ? "owner" : "organization";
  const { beyondScope } = subject.statement;
  if (beyondScope === "fileBytes" && !kinds.includes(tenant) && readsFileBytesOnly(subject)) {
    return "fileBytes";
  }
  const isDeletionAlone = kinds.every((kind) => kind === "notDeleted");
  if (isDeletionAlone && scope.restorable.tables.has(subject.use.table)) return "restorable";
  if (scope.restorable.asksParents && isDeletionAsked(subject, table)) return "restorable";
  // Definitions 7 "firewall codes": after a miss, the service checks whether the row is the caller's own and deleted.
  if (
    isDeletionAlone && namesOnly(subject, table, scope.known.asked) &&
    isDeletionAsked(subject, table)
  ) return "deletionProbe";
  if (beyondScope === "takenNumbers" && isNumberProbe(subject, table, kinds)) return "takenNumbers";
  if (beyondScope === "framedRows" && isFramed(subject, kinds)) return "framedRows";
  if (beyondScope === "livingChildren" && isChildProbe(subject, kinds)) return "livingChildren";
  if (beyondScope === "namedTenant" && isTenantProbe(subject, table, scope)) return "namedTenant";
  return isCascade(subject, table, scope) ? "cascade" : null;
}

/**
 * True when the statement reads only the organization of the living row with one text, in the column by which the action finds
 * its tenant.
 */
function isTenantProbe(
  { sql, use }: Subject,
  table: TableModel,
  { tenantOf }: AuditScope,
): boolean {
  const { organization } = table.scope;
  if (tenantOf?.table !== table.name || organization === null) return false;
  const [item, ...others] = selectedBy(use);
  const held = (name: string) => valuesLeft({ sql, use, column: sqlNameOf(table, name) });
  return use.role === "read" && sql.uses.tables.length === 1 && others.length === 0 &&
    item !== undefined && isColumn(item, { use, column: sqlNameOf(table, organization) }) &&
    held(tenantOf.column)?.length === 1 &&
    (!table.softDelete || held("deletedAt")?.every((value) => value === null) === true);
}

/**
 * True when the statement reads only which numbers of a sequence are taken in the organization, whether or not the caller sees
 * their rows (definitions 3).
 */
function isNumberProbe(
  { sql, use }: Subject,
  { columns }: TableModel,
  kinds: readonly Lifted[],
): boolean {
  const [item, ...others] = selectedBy(use);
  return use.role === "read" && sql.uses.tables.length === 1 && others.length === 0 &&
    item !== undefined && !kinds.includes("organization") &&
    columns.some((column) =>
      sequenceOf(column) !== null && isColumn(item, { use, column: column.sqlName })
    );
}

/** True when the statement reads only whether the tenant has such rows, whether or not the caller sees them (contract 3.1). */
function isChildProbe({ use }: Subject, kinds: readonly Lifted[]): boolean {
  const items = selectedBy(use);
  return use.role === "read" && items.length > 0 && !kinds.includes("organization") &&
    items.every(({ type }) => type === "number_literal");
}

/**
 * True when the statement reads rows of the tenant whose visibility a transaction has changed, whether or not the caller sees
 * them: each subscriber is judged by them (contract 6.3).
 */
function isFramed({ use, statement }: Subject, kinds: readonly Lifted[]): boolean {
  return use.role === "read" && statement.transaction !== null && !kinds.includes("organization");
}

function selectedBy({ statement }: TableUse): readonly Node[] {
  const clauses: readonly Node[] = statement.clauses;
  const [list] = clauses.filter((clause) => clause.type === "select_clause");
  return list?.columns?.items ?? [];
}

/**
 * True for an update of a met row that its own transaction has changed since: each condition requires the row's current value.
 */
function isHeld(
  subject: Subject,
  table: TableModel,
  missing: readonly Missing[],
  { known }: AuditScope,
): boolean {
  const { sql, use } = subject;
  return use.role === "update" && namesOnly(subject, table, known.met) &&
    // Rules over relations are judged separately, once the row is written.
    missing.every(({ column }) => column === null || valuesLeft({ sql, use, column }) !== null);
}

/** True when the statement reads only whether there is such a deleted row. */
function isDeletionAsked(subject: Subject, table: TableModel): boolean {
  const { use } = subject;
  return use.role === "read" && readsKeyOnly(subject, table) &&
    use.conditions.some((one) => asksForDeleted(one, subject, table));
}

/** True when the statement selects rows only by ids, and each is one of these. */
function namesOnly({ sql, use }: Subject, table: TableModel, ids: KnownRows["met"]): boolean {
  const column = sqlNameOf(table, table.primaryKey);
  const values = valuesLeft({ sql, use, column });
  return values !== null && values.every((value) => includes(ids.get(use.table) ?? [], value));
}

function readsKeyOnly({ use }: Subject, table: TableModel): boolean {
  const column = sqlNameOf(table, table.primaryKey);
  const items = selectedBy(use);
  return items.length > 0 &&
    items.every((item) => item.type === "number_literal" || isColumn(item, { use, column }));
}

/** True when the statement reads only the sum of the files' sizes. */
function readsFileBytesOnly({ use }: Subject): boolean {
  const items = selectedBy(use);
  const [sum] = items.flatMap((item) => argumentsOf(item, "coalesce"));
  const [size] = argumentsOf(sum, "sum");
  const [, path] = argumentsOf(size, "json_extract");
  return use.role === "read" && items.length === 1 && path?.type === "string_literal" &&
    path.value === "$.size";
}

/** Returns the arguments of a call of this function; empty for any other node. */
function argumentsOf(node: Node | undefined, name: string): readonly Node[] {
  if (node?.type !== "func_call" || node.name.type !== "identifier") return [];
  const args = node.args?.expr;
  const isCalled = node.name.name.toLowerCase() === name && args?.type === "func_args";
  return isCalled ? args.args?.items ?? [] : [];
}

function asksForDeleted(condition: Node, subject: Subject, table: TableModel): boolean {
  if (condition.type === "paren_expr") return asksForDeleted(condition.expr, subject, table);
  if (condition.type !== "binary_expr") return false;
  const operator = operatorOf(condition);
  if (operator === "AND") {
    return asksForDeleted(condition.left, subject, table) ||
      asksForDeleted(condition.right, subject, table);
  }
  const deletedAt = table.columns.find(({ name }) => name === "deletedAt");
  return operator === "IS NOT" && deletedAt !== undefined &&
    isColumn(condition.left, { use: subject.use, column: deletedAt.sqlName }) &&
    condition.right.type === "null_literal";
}

/**
 * True for the statements that follow when the database itself clears or removes rows with another, as their foreign key
 * declares: they count revisions, and read rows for frames (contract 3.1, definitions 7 "revision"). They write nothing but a
 * revision, and read only rows that refer to rows in scope.
 */
function isCascade(subject: Subject, table: TableModel, scope: AuditScope): boolean {
  const { use, statement } = subject;
  if (statement.transaction === null) return false;
  if (use.role !== "read" && !countsRevision(use, table)) return false;
  return table.columns.some((column) => refersToKnown(column, subject, scope));
}

function countsRevision(use: TableUse, table: TableModel): boolean {
  const assigned = assignmentsIn(use);
  return use.role === "update" && table.revision !== null && assigned.length === 1 &&
    assigned[0]?.name === sqlNameOf(table, table.revision).toLowerCase();
}

function refersToKnown(
  { sqlName: column, references }: ColumnModel,
  { sql, use }: Subject,
  scope: AuditScope,
): boolean {
  if (references === null || !["set null", "cascade"].includes(references.onDelete ?? "")) {
    return false;
  }
  const parent = [...scope.schema.tables.values()].find(({ name }) => name === references.table);
  if (parent === undefined) return false;
  if (!scope.schema.removable.has(parent.sqlName.toLowerCase())) return false;
  const values = valuesLeft({ sql, use, column });
  const met = scope.known.met.get(parent.sqlName.toLowerCase()) ?? [];
  return values !== null
    ? references.column === parent.primaryKey && values.every((value) => includes(met, value))
    : use.conditions.some((one) => isInSelectOf(one, { use, column }, parent));
}

/** True for `<fk> IN (SELECT … FROM <parent> …)`. That select is a separate use, and audited as one. */
function isInSelectOf(
  condition: Node,
  asked: { readonly use: TableUse; readonly column: string },
  parent: TableModel,
): boolean {
  if (condition.type === "paren_expr") return isInSelectOf(condition.expr, asked, parent);
  if (condition.type !== "binary_expr") return false;
  if (operatorOf(condition) === "AND") {
    return isInSelectOf(condition.left, asked, parent) ||
      isInSelectOf(condition.right, asked, parent);
  }
  if (operatorOf(condition) !== "IN" || !isColumn(condition.left, asked)) return false;
  const { right } = condition;
  const select = right.type === "paren_expr" ? right.expr : right;
  return select.type === "select_stmt" && readsOnly(select.clauses, parent);
}

function readsOnly(clauses: readonly Node[], { sqlName }: TableModel): boolean {
  const from = clauses.find((clause) => clause.type === "from_clause");
  const source = from?.type === "from_clause" && from.expr.type === "alias"
    ? from.expr.expr
    : from?.type === "from_clause"
    ? from.expr
    : null;
  return source?.type === "identifier" && source.name.toLowerCase() === sqlName.toLowerCase();
}
