/**
 * Rows that the database itself clears or removes with another, because their foreign key declares so: their revisions are
 * counted, and their changes are published (contract 3.1, definitions 7 "revision").
 */
import type { Node } from "sql-parser-cst";
import type { ColumnModel, TableModel } from "../../shared/model/table.ts";
import { assignmentsIn } from "./assignments.ts";
import type { AuditScope } from "./audit_statement.ts";
import { includes, isColumn, operatorOf, valuesLeft } from "./bound_values.ts";
import type { BoundSql } from "./sql_texts.ts";
import { sqlNameOf } from "./required_scope.ts";
import type { RecordedStatement } from "./statement_record.ts";
import type { TableUse } from "./table_uses.ts";

interface Subject {
  readonly sql: BoundSql;
  readonly use: TableUse;
  readonly statement: RecordedStatement;
}

/** Nothing but a revision is written, and nothing is read but what refers to rows in scope. */
export function isCascade(subject: Subject, table: TableModel, scope: AuditScope): boolean {
  const { use, statement } = subject;
  if (statement.transaction === null) return false;
  if (use.role !== "read" && !countsRevision(use, table)) return false;
  return table.columns.some((column) => refersToKnown(column, subject, { table, scope }));
}

function countsRevision(use: TableUse, table: TableModel): boolean {
  const assigned = assignmentsIn(use);
  return use.role === "update" && table.revision !== null && assigned.length === 1 &&
    assigned[0]?.name === sqlNameOf(table, table.revision).toLowerCase();
}

interface Within {
  readonly table: TableModel;
  readonly scope: AuditScope;
}

function refersToKnown(
  { sqlName: column, references }: ColumnModel,
  { sql, use }: Subject,
  { scope }: Within,
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

/** `<fk> IN (SELECT … FROM <parent> …)`: that select is a use of its own, and judged by itself. */
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
