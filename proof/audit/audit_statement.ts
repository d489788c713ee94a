/**
 * Audits one statement against the definitions: returns why each of its tables is allowed, or what is wrong (contract 1.3, 4.4
 * rule 3).
 */
import { AUDIT_CHANGES, OWN_CHAIN, type TableModel } from "../../shared/model/mod.ts";
import { assignmentsIn } from "./assignments.ts";
import { type AuditScope, ruleScope, type Subject } from "./audit_scope.ts";
import type { IndexedTable, Missing } from "./audit_scope.ts";
import { includes, valueOf, valuesLeft } from "./bound_values.ts";
import { clearanceOf } from "./clearances.ts";
import type { Clearance, Fault } from "./finding.ts";
import { missingRules, ruleSelects } from "./held_rules.ts";
import { insertedValues, noteRows } from "./known_rows.ts";
import { requiredPredicates, type ScopeColumn, scopeColumns, sqlNameOf } from "./required_scope.ts";
import type { RecordedStatement, SqlValue } from "./statement_record.ts";

export interface StatementAudit {
  readonly faults: readonly Fault[];
  /** Clearances, one for each use of a table; empty: the statement uses none. */
  readonly clearances: readonly Clearance[];
  /** SQL names in lower case of the tables that the statement uses. */
  readonly used: readonly string[];
}

/** Statements that read no table, and contain no name that could be a table's. */
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

/** Functions that compute rows from their arguments only. */
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
  const asked = ruleSelects(sql, ruleScope(scope));
  const verdicts = uses.tables.map((use) =>
    asked.has(use.statement) ? cleared("related") : auditUse({ sql, use, statement }, scope)
  );
  return {
    faults: [...strange, ...verdicts.flatMap(({ faults }) => faults)],
    clearances: verdicts.flatMap(({ clearance }) => clearance === null ? [] : [clearance]),
    used: uses.tables.map(({ table }) => table),
  };
}

const NOTHING: StatementAudit = { faults: [], clearances: [], used: [] };

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
    // A match in an index gives access only to rows of its table, whose use is audited too.
    const indexed = scope.schema.indexes.get(use.table);
    const isLookUp = use.role === "read" && indexed !== undefined &&
      subject.sql.uses.tables.some((one) => one.table === indexed.table);
    if (isLookUp) return auditLookUp(subject, indexed, scope);
    return scope.schema.service.has(use.table)
      ? cleared("service")
      : { faults: [{ kind: "unknownTable", name: use.table }], clearance: null };
  }
  if (use.role === "insert") return auditInsert(subject, table, scope);
  const missing: readonly Missing[] = [
    ...requiredPredicates(table, scope.caller).filter(({ column, allowed }) => {
      const values = valuesLeft({ sql: subject.sql, use, column });
      return !(values !== null && values.every((value) => includes(allowed, value)));
    }),
    ...missingRules(subject.sql, use, table, ruleScope(scope))
      .map((predicate) => ({ predicate, column: null })),
  ];
  const moved = movedScopes(subject, table, scope);
  const clearance = moved.length > 0 ? null : clearanceOf(subject, table, missing, scope);
  if (clearance !== null) {
    if (!LOOKS_BEYOND.has(clearance)) note(subject, table, scope);
    return cleared(clearance);
  }
  const { role } = subject.use;
  // Predicates are missing, and nothing declared lifts them.
  const { lifted } = scope;
  return {
    faults: [
      ...moved,
      ...missing.flatMap(({ predicate }): Fault[] =>
        lifted.includes(predicate.kind) || role === "insert"
          ? []
          : [{ kind: "predicateMissing", table, predicate, role }]
      ),
    ],
    clearance,
  };
}

/** Clearances whose rows do not count as met in scope. */
const LOOKS_BEYOND: ReadonlySet<Clearance> = new Set(
  ["deletionProbe", "fileBytes", "takenNumbers", "framedRows", "livingChildren", "namedTenant"],
);

/**
 * Audits a look-up in a full-text index. A caller who sees one tenant's rows must not match words of other tenants
 * (docs/decisions/reads.md).
 */
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

/** True when changes are read in the chain of the caller's organization, or in the chain of changes without an organization. */
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

function note(subject: Subject, table: TableModel, { known }: AuditScope): void {
  known.stamps.push(...stampsIn(subject, table));
  noteRows(known, { ...subject, primaryKey: sqlNameOf(table, table.primaryKey) });
}

/** Returns the deletion stamps that an update writes. */
function stampsIn({ use, sql }: Subject, table: TableModel): readonly SqlValue[] {
  if (use.role !== "update" || !table.softDelete) return [];
  const deletedAt = sqlNameOf(table, "deletedAt").toLowerCase();
  return assignmentsIn(use).filter(({ name }) => name === deletedAt)
    .flatMap(({ value }) => valueOf(value, sql) ?? []);
}

/** Returns findings for an update that moves a row to another owner or organization. */
function movedScopes(subject: Subject, table: TableModel, scope: AuditScope): readonly Fault[] {
  const { use, sql } = subject;
  if (use.role !== "update" && use.role !== "upsert") return [];
  const columns = unlifted(scopeColumns(table, scope.caller), scope);
  return assignmentsIn(use).flatMap(({ name, value }): Fault[] => {
    const scoped = columns.find(({ column }) => column.toLowerCase() === name);
    if (scoped === undefined) return [];
    // The insert was already checked for the value of `excluded.<column>`.
    const isKept = (value.type === "member_expr" && value.object.type === "identifier" &&
      value.object.name.toLowerCase() === "excluded" && value.property.type === "identifier" &&
      value.property.name.toLowerCase() === name) ||
      (scoped.value !== null && valueOf(value, sql) === scoped.value);
    return isKept ? [] : [{ kind: "scopeNotWritten", table, column: scoped.column }];
  });
}
