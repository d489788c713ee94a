/** One statement against the definitions: why each of its tables is in order, or what is wrong (contract 1.3, 4.4 rule 3). */
import type { Node } from "sql-parser-cst";
import type { ColumnModel, FirewallPredicate, PredicateKind } from "../../shared/model/mod.ts";
import type { Principal, TableModel } from "../../shared/model/mod.ts";
import { AUDIT_CHANGES, OWN_CHAIN, sequenceOf } from "../../shared/model/mod.ts";
import { includes, isColumn, operatorOf, valueOf, valuesLeft } from "./bound_values.ts";
import type { Clearance, Fault } from "./finding.ts";
import { insertedValues, type KnownRows, noteRows } from "./known_rows.ts";
import type { RequiredPredicate, ScopeColumn } from "./required_scope.ts";
import { requiredPredicates, scopeColumns, sqlNameOf } from "./required_scope.ts";
import type { BoundSql, SqlTexts } from "./sql_texts.ts";
import type { RecordedStatement } from "./statement_record.ts";
import type { TableUse } from "./table_uses.ts";

/** Facts about a project, by SQL names in lower case. */
export interface AuditedSchema {
  readonly texts: SqlTexts;
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Tables of the service. */
  readonly service: ReadonlySet<string>;
  /** By the tables of a full-text index. */
  readonly indexes: ReadonlyMap<string, IndexedTable>;
  /** Tables whose rows are removed for good. */
  readonly removable: ReadonlySet<string>;
}

/** The table that a full-text index is of. */
interface IndexedTable {
  /** Its SQL name in lower case. */
  readonly table: string;
  /** Numbers of its tenants, and the column that says whose a row is; null: the index has none. */
  readonly tenants: { readonly table: string; readonly column: string } | null;
}

export interface StatementAudit {
  readonly faults: readonly Fault[];
  /** One for each use of a table; empty: the statement uses none. */
  readonly clearances: readonly Clearance[];
  /** SQL names of the tables that it uses, in lower case. */
  readonly used: readonly string[];
}

export interface AuditScope {
  readonly schema: AuditedSchema;
  readonly caller: Principal;
  /** Of the action that runs, where it declares one, or of a job, which sees the rows of every owner. */
  /** Kinds of predicates that need not bind. */
  readonly lifted: readonly PredicateKind[];
  /** The reason that what is lifted is told under. */
  readonly lift: "unsafe" | "job";
  readonly restorable: Restorable;
  readonly known: KnownRows;
}

/** Tables whose soft-deleted rows the request may be about, as its caller may restore them. */
export interface Restorable {
  /** SQL names in lower case. */
  readonly tables: ReadonlySet<string>;
  /** It restores: parents are asked after whether they are deleted, and nothing else. */
  readonly asksParents: boolean;
}

/** Read no table, and name none that could be another's. */
const CONTROL: readonly string[] = [
  "savepoint_stmt",
  "release_savepoint_stmt",
  "rollback_transaction_stmt",
  "commit_transaction_stmt",
  "start_transaction_stmt",
];

const STATEMENTS: readonly string[] = [
  "select_stmt",
  "compound_select_stmt",
  "insert_stmt",
  "update_stmt",
  "delete_stmt",
];

/** Functions that make rows of their arguments alone. */
const PURE_FUNCTIONS: readonly string[] = ["json_each", "json_tree"];

export function auditStatement(statement: RecordedStatement, scope: AuditScope): StatementAudit {
  const sql = scope.schema.texts.parsed(statement);
  if (sql !== null && CONTROL.includes(sql.statement.type)) return NOTHING;
  if (sql === null || !STATEMENTS.includes(sql.statement.type)) {
    return { ...NOTHING, faults: [{ kind: "unreadable" }] };
  }
  const { uses } = sql;
  const strange = [
    ...uses.functions.filter((name) => !PURE_FUNCTIONS.includes(name)),
    ...uses.unknown,
  ].map((name): Fault => ({ kind: "unknownTable", name }));
  const verdicts = uses.tables.map((use) => auditUse({ sql, use, statement }, scope));
  return {
    faults: [...strange, ...verdicts.flatMap(({ faults }) => faults)],
    clearances: verdicts.flatMap(({ clearance }) => clearance === null ? [] : [clearance]),
    used: uses.tables.map(({ table }) => table),
  };
}

const NOTHING: StatementAudit = { faults: [], clearances: [], used: [] };

interface Subject {
  readonly sql: BoundSql;
  readonly use: TableUse;
  readonly statement: RecordedStatement;
}

interface Verdict {
  readonly faults: readonly Fault[];
  readonly clearance: Clearance | null;
}

function auditUse(subject: Subject, scope: AuditScope): Verdict {
  const { use } = subject;
  const table = scope.schema.tables.get(use.table);
  if (use.table === AUDIT_CHANGES.name && !isChainBound(subject, scope)) {
    return { faults: [{ kind: "chainNotBound" }], clearance: null };
  }
  if (table === undefined) {
    // What an index finds is read only where its table's own rows are, which are held to their scope.
    const indexed = scope.schema.indexes.get(use.table);
    const isLookUp = use.role === "read" && indexed !== undefined &&
      subject.sql.uses.tables.some((one) => one.table === indexed.table);
    if (isLookUp) return auditLookUp(subject, indexed, scope);
    return scope.schema.service.has(use.table)
      ? cleared("service")
      : { faults: [{ kind: "unknownTable", name: use.table }], clearance: null };
  }
  if (use.role === "insert") return auditInsert(subject, table, scope);
  const missing = requiredPredicates(table, scope.caller)
    .filter(({ column, allowed }) => {
      const values = valuesLeft({ sql: subject.sql, use, column });
      return !(values !== null && values.every((value) => includes(allowed, value)));
    });
  const moved = movedScopes(subject, table, scope);
  const clearance = moved.length > 0 ? null : clearanceOf(subject, table, missing, scope);
  if (clearance !== null) {
    if (clearance !== "deletionProbe" && clearance !== "fileBytes") note(subject, table, scope);
    return cleared(clearance);
  }
  const { role } = subject.use;
  // Missing predicates that nothing declared lifts.
  const { lifted } = scope;
  return {
    faults: [
      ...moved,
      ...missing.flatMap(({ predicate }): Fault[] =>
        isLifted(predicate.kind, lifted) || role === "insert"
          ? []
          : [{ kind: "predicateMissing", table, predicate, role }]
      ),
    ],
    clearance,
  };
}

/** Words of other tenants are not read where the caller sees one tenant's rows (docs/decisions/reads.md). */
function auditLookUp(
  { sql }: Subject,
  { table: name, tenants }: IndexedTable,
  { schema, caller, lifted }: AuditScope,
): Verdict {
  const table = schema.tables.get(name);
  const required = table === undefined || tenants === null
    ? []
    : requiredPredicates(table, caller).filter(({ predicate }) =>
      predicate.kind !== "rule" && predicate.column === tenants.column &&
      predicate.operand.kind === "context" &&
      !lifted.includes(predicate.kind)
    );
  const missing = required.filter(({ allowed }) =>
    !sql.uses.tables.some((use) => {
      const values = use.table === tenants?.table
        ? valuesLeft({ sql, use, column: "tenant" })
        : null;
      return values !== null && values.every((value) => includes(allowed, value));
    })
  );
  return table === undefined || missing.length === 0 ? cleared("service") : {
    faults: missing.map(({ predicate }) => ({
      kind: "predicateMissing",
      table,
      predicate,
      role: "read",
    })),
    clearance: null,
  };
}

/** Changes are read in the chain of the caller's organization, or in that of what belongs to none. */
function isChainBound({ sql, use }: Subject, { caller }: AuditScope): boolean {
  if (sql.statement.type !== "select_stmt") return true;
  const values = valuesLeft({ sql, use, column: "chain" });
  return values !== null &&
    values.every((value) => value === OWN_CHAIN || value === caller.organizationId);
}

function cleared(clearance: Clearance): Verdict {
  return { faults: [], clearance };
}

function auditInsert(subject: Subject, table: TableModel, scope: AuditScope): Verdict {
  const { use, sql } = subject;
  const wrong = unlifted(scopeColumns(table, scope.caller), scope).filter((column) =>
    !insertedValues(use, column.column).every((node) =>
      node !== null && column.value !== null && valueOf(node, sql) === column.value
    )
  );
  const replaces = use.statement.clauses.some((clause) =>
    clause.type === "insert_clause" && clause.orAction !== undefined
  );
  const faults: readonly Fault[] = [
    ...wrong.map(({ column }): Fault => ({ kind: "scopeNotWritten", table, column })),
    ...(replaces ? [{ kind: "replacesRows", table } as const] : []),
  ];
  if (faults.length > 0) return { faults, clearance: null };
  note(subject, table, scope);
  return cleared(scope.lifted.length > 0 ? scope.lift : "stamped");
}

function unlifted(
  columns: readonly ScopeColumn[],
  { lifted }: AuditScope,
): readonly ScopeColumn[] {
  return columns.filter(({ kind }) => !lifted.includes(kind));
}

function isLifted(kind: FirewallPredicate["kind"], lifted: readonly PredicateKind[]): boolean {
  return kind !== "rule" && lifted.includes(kind);
}

function note(subject: Subject, table: TableModel, { known }: AuditScope): void {
  noteRows(known, { ...subject, primaryKey: sqlNameOf(table, table.primaryKey) });
}

/** Null: the use is not in order. */
function clearanceOf(
  subject: Subject,
  table: TableModel,
  missing: readonly RequiredPredicate[],
  scope: AuditScope,
): Clearance | null {
  if (missing.length === 0) return "scoped";
  const kinds = missing.map(({ predicate }) => predicate.kind);
  if (kinds.every((kind) => isLifted(kind, scope.lifted))) return scope.lift;
  if (subject.use.role === "read" && namesOnly(subject, table, scope.known.met)) return "written";
  if (isHeld(subject, table, missing, scope)) return "written";
  // Contract 4.7: files count whoever may see their rows, and whether these are deleted or not.
  const tenant = table.scope.organization === null ? "owner" : "organization";
  if (!kinds.includes(tenant) && readsFileBytesOnly(subject)) return "fileBytes";
  const isDeletionAlone = kinds.every((kind) => kind === "notDeleted");
  if (isDeletionAlone && scope.restorable.tables.has(subject.use.table)) return "restorable";
  if (scope.restorable.asksParents && isDeletionAsked(subject, table)) return "restorable";
  // Definitions 7 "firewall codes": after a miss, whether the row is the caller's own and deleted.
  if (
    isDeletionAlone && namesOnly(subject, table, scope.known.asked) &&
    isDeletionAsked(subject, table)
  ) return "deletionProbe";
  if (!kinds.includes("organization") && isNumberProbe(subject, table)) return "numberProbe";
  return isCascade(subject, table, scope) ? "cascade" : null;
}

/** Asks which numbers of a sequence are taken, whoever in the organization took them, and nothing else of their rows (definitions 3). */
function isNumberProbe(
  { sql, use, statement }: Subject,
  { columns, sqlName }: TableModel,
): boolean {
  if (use.role !== "read" || sql.uses.tables.length !== 1) return false;
  return columns.some((column) =>
    sequenceOf(column) !== null &&
    new RegExp(`^SELECT \\w+\\.\`${column.sqlName}\` FROM \`${sqlName}\` AS \\w+ WHERE `)
      .test(statement.sql)
  );
}

/** An update of a met row that its own transaction has moved since: each column holds the row to the value that it has by now. */
function isHeld(
  subject: Subject,
  table: TableModel,
  missing: readonly RequiredPredicate[],
  { known }: AuditScope,
): boolean {
  const { sql, use } = subject;
  return use.role === "update" && namesOnly(subject, table, known.met) &&
    missing.every(({ column }) => valuesLeft({ sql, use, column }) !== null);
}

/** Nothing is read but whether there is such a deleted row. */
function isDeletionAsked(subject: Subject, table: TableModel): boolean {
  const { use } = subject;
  return use.role === "read" && readsKeyOnly(subject, table) &&
    use.conditions.some((one) => asksForDeleted(one, subject, table));
}

/** Ids are all that it asks for, and each is one of these. */
function namesOnly({ sql, use }: Subject, table: TableModel, ids: KnownRows["met"]): boolean {
  const column = sqlNameOf(table, table.primaryKey);
  const values = valuesLeft({ sql, use, column });
  return values !== null && values.every((value) => includes(ids.get(use.table) ?? [], value));
}

function readsKeyOnly({ use }: Subject, table: TableModel): boolean {
  const column = sqlNameOf(table, table.primaryKey);
  const clauses: readonly Node[] = use.statement.clauses;
  const [list] = clauses.filter((clause) => clause.type === "select_clause");
  const items: readonly Node[] = list?.columns?.items ?? [];
  return items.length > 0 &&
    items.every((item) => item.type === "number_literal" || isColumn(item, { use, column }));
}

/** Nothing is read but the sum of files' sizes. */
function readsFileBytesOnly({ use }: Subject): boolean {
  const clauses: readonly Node[] = use.statement.clauses;
  const [list] = clauses.filter((clause) => clause.type === "select_clause");
  const items: readonly Node[] = list?.columns?.items ?? [];
  const [sum] = items.flatMap((item) => argumentsOf(item, "coalesce"));
  const [size] = argumentsOf(sum, "sum");
  const [, path] = argumentsOf(size, "json_extract");
  return use.role === "read" && items.length === 1 && path?.type === "string_literal" &&
    path.value === "$.size";
}

/** Arguments of a call of this function; empty: it is none. */
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

/** An update that gives a row to somebody else. */
function movedScopes(subject: Subject, table: TableModel, scope: AuditScope): readonly Fault[] {
  const { use, sql } = subject;
  if (use.role !== "update" && use.role !== "upsert") return [];
  const columns = unlifted(scopeColumns(table, scope.caller), scope);
  return assignmentsIn(use).flatMap(({ name, value }): Fault[] => {
    const scoped = columns.find(({ column }) => column.toLowerCase() === name);
    if (scoped === undefined) return [];
    // `excluded.<column>` is what the insert beside it was checked for.
    const isKept = (value.type === "member_expr" && value.object.type === "identifier" &&
      value.object.name.toLowerCase() === "excluded" && value.property.type === "identifier" &&
      value.property.name.toLowerCase() === name) ||
      (scoped.value !== null && valueOf(value, sql) === scoped.value);
    return isKept ? [] : [{ kind: "scopeNotWritten", table, column: scoped.column }];
  });
}

/**
 * True for what follows when the database itself clears or removes rows with another, as their foreign key declares: their
 * revisions are counted, and they are read for frames (contract 3.1, definitions 7 "revision"). Nothing but a revision is
 * written, and nothing is read but what refers to rows in scope.
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

/** Values that an UPDATE, or an insert that turns into one, puts into columns. */
interface Assigned {
  /** SQL name in lower case; empty where it is no column's. */
  readonly name: string;
  readonly value: Node;
}

function assignmentsIn({ statement, role }: TableUse): readonly Assigned[] {
  const clauses: readonly Node[] = statement.clauses;
  const sets = clauses.flatMap((clause): readonly Node[] => {
    if (role === "update") return clause.type === "set_clause" ? [clause] : [];
    return clause.type === "upsert_clause" && clause.action.type === "upsert_action_update"
      ? [clause.action.set]
      : [];
  });
  return sets.flatMap((set) =>
    set.type === "set_clause" ? set.assignments.items.flatMap((one) => assignedBy(one)) : []
  );
}

/** Of several columns at once, none has a value of its own. */
function assignedBy(assignment: Node): readonly Assigned[] {
  if (assignment.type !== "column_assignment") return [{ name: "", value: assignment }];
  const { column, expr } = assignment;
  if (column.type === "identifier") return [{ name: column.name.toLowerCase(), value: expr }];
  const names: readonly Node[] = column.type === "paren_expr" ? column.expr.items : [];
  return names.map((one) => ({
    name: one.type === "identifier" ? one.name.toLowerCase() : "",
    value: assignment,
  }));
}
