/**
 * The values that a handler's write puts into columns (contract 2.2, 4.4 rule 3). Scope and stamps come from the service. A
 * foreign key must name a row in scope.
 */
import { columnNamed } from "../../../surface/mod.ts";
import { getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { accountOf, fileOf, scopeOf, storageOf } from "../../../column_types/mod.ts";
import type { HandlerForm } from "../../../column_types/mod.ts";
import type { ScopeKind } from "../../../contract/mod.ts";
import { sqlIdentifier, sqlString } from "../../../lib/sql_text.ts";
import type { ColumnModel, TableModel } from "../../../model/mod.ts";
import type { NewId } from "../../context.ts";
import type { SqlValue } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { findColumn } from "../catalog.ts";
import { staleVectorOf } from "../embeddings.ts";
import { type Fragment, fragment } from "../sql.ts";
import { assigned, newRowValue } from "../stamps.ts";
import type { Stamps } from "../types.ts";
import type { Assigned, Run } from "./clauses.ts";
import { type BoundStatement, boundValueOf, isNull, valueOf } from "./parsed_statement.ts";
import { namedMemberSql, type Roster } from "./named_members.ts";
import type { PutFiles } from "./put_files.ts";
import { ScopedReferenceError } from "./scoped_reference_error.ts";
import type { Scope, TableIndex, Target } from "./scope.ts";
import { refuseConstruct } from "../../../lib/sql_tokens.ts";

/** A statement that is being scoped. */
export interface Writing {
  readonly bound: BoundStatement;
  readonly index: TableIndex;
  readonly scope: Scope;
  readonly stamps: Stamps;
  readonly newId: NewId;
  readonly putFiles: PutFiles;
  /** Values that are drawn when the statement runs. */
  readonly drawn: DrawnPlace[];
  /** Members of the organization, where they stand in another database; null: in the same. */
  readonly roster: Roster | null;
  /** Tables that the statement needs in scoped form beside those it names. */
  readonly needed: Set<TableModel>;
}

/** A placeholder among the bound values, replaced when the value is drawn. */
export interface DrawnPlace {
  readonly place: Uint8Array;
  readonly table: TableModel;
  readonly column: ColumnModel;
  /** Organization of the row; null: none. */
  readonly organizationId: string | null;
}

/** Stamps that no handler writes. A handler may set deletion stamps. */
const STAMPED: ReadonlySet<string> = new Set([
  "createdAt",
  "createdBy",
  "modifiedAt",
  "modifiedBy",
]);

export function isStamped(column: ColumnModel): boolean {
  return column.manager === "revision" || STAMPED.has(column.name);
}

/** The column of that SQL name. */
export function writtenColumn({ table }: Target, name: string): ColumnModel {
  const column = table.columns.find((candidate) => candidate.sqlName.toLowerCase() === name);
  return column ?? refuseConstruct(`"${table.name}"`, `has no column "${name}" to write`);
}

/** Returns the service's value for a column of a new row, or the column's default. */
export function serviceValue(
  { stamps }: Writing,
  { firewall }: Target,
  column: ColumnModel,
): Fragment {
  const value = newRowValue(column, { values: new Map(), stamps, firewall });
  return { sql: "?", args: [value] };
}

/** Returns the value of a scope column: the scope's own, unless the scope is lifted. */
export function scopeColumnValue(
  writing: Writing,
  target: Target,
  { column, kind, given }: {
    readonly column: ColumnModel;
    readonly kind: ScopeKind;
    readonly given: Run | null;
  },
): Fragment {
  const own = {
    organization: target.firewall.organizationId,
    owner: target.firewall.principal.userId,
    team: target.firewall.principal.teamId,
  }[kind];
  const value = given === null || isNull(writing.bound, given)
    ? null
    : boundValueOf(writing.bound, given);
  if (value !== null && given !== null && writing.scope.isFree(kind)) {
    return valueOf(writing.bound, { value: given });
  }
  if (value !== null && value !== own) {
    refuseConstruct(
      `"${target.table.name}.${column.name}"`,
      `cannot be written with another ${kind}: leave it out, the service fills it in`,
    );
  }
  if (own === null) {
    if (kind === "organization") refuse("ACCESS_NO_ORG");
    refuseConstruct(
      `"${target.table.name}.${column.name}"`,
      `has no ${kind} to be filled in from: the caller has none`,
    );
  }
  return { sql: "?", args: [own] };
}

/** Returns the value that a statement gives for a column. A bound value is converted to stored form. */
export function givenValue(
  writing: Writing,
  target: Target,
  { column, run, isNew }: {
    readonly column: ColumnModel;
    readonly run: Run;
    /** Of a row that the statement makes. */
    readonly isNew: boolean;
  },
): Fragment {
  const value = boundValueOf(writing.bound, run);
  if (value === undefined) return valueOf(writing.bound, { value: run });
  const type = fileOf(column.type);
  if (type !== null && value !== null) {
    const { putFiles, scope } = writing;
    putFiles.require(value, target, { column, type, scope, isNew });
  }
  const { handler } = storageOf(column.type);
  return {
    sql: "?",
    args: [
      value === null || handler === null
        ? value
        : handler.bound(value) ?? refuseValue(column, handler),
    ],
  };
}

interface GuardedColumn {
  readonly target: Target;
  readonly column: ColumnModel;
  /** Of a new row; null: the row is there. */
  readonly organization: () => Fragment | null;
}

/** A value as given, or only if it names a row in scope or a member, where the column is a foreign key or an account. */
export function guardedValue(
  writing: Writing,
  { target, column, organization }: GuardedColumn,
  value: Fragment,
): Fragment {
  const { references } = column;
  if (/^null$/i.test(value.sql)) return value;
  if (accountOf(column.type) !== null) {
    const asked = { account: "v.x", organization: organization() };
    return guarded(value, namedMemberSql(writing, target, asked), `account ${column.name}`);
  }
  if (references === null) return value;
  const parent = [...writing.index.tables.values()].find(({ name }) => name === references.table);
  if (!parent) throw new Error(`Column '${column.name}' refers to no table of the model`);
  writing.needed.add(parent);
  const key = sqlIdentifier(columnNamed(references.column, parent).sqlName);
  const found = fragment(
    `EXISTS (SELECT 1 FROM ${sqlIdentifier(parent.sqlName)} AS p WHERE p.${key} = v.x)`,
  );
  return guarded(value, found, `foreign key ${column.name}`);
}

/** `v.x` is the value. SQLite has no RAISE outside triggers; a path that is none makes the statement fail, and stands in the error. */
function guarded(value: Fragment, fits: Fragment, fault: string): Fragment {
  return fragment(
    `(SELECT CASE WHEN v.x IS NULL OR ${fits.sql} THEN v.x ` +
      `ELSE json_extract('{}', ${sqlString(fault)}) END FROM (SELECT ${value.sql} AS x) AS v)`,
    ...fits.args,
    ...value.args,
  );
}

/** The error of a column whose guard failed; null: something else did. */
export function failedReference(cause: unknown): ScopedReferenceError | null {
  if (!(cause instanceof Error)) return null;
  const [, kind, column] = /bad JSON path: '(foreign key|account) (\w+)'/.exec(cause.message) ?? [];
  if (column === undefined) return null;
  return new ScopedReferenceError(column, kind === "account" ? MEMBER : RECORD, { cause });
}

const RECORD = "the id of an existing record";
const MEMBER = "the id of a member of the record's organization";

/** Makes `SET …` of an update: the handler's checked assignments, then the stamps. */
export function assignmentsFor(
  writing: Writing,
  target: Target,
  set: readonly Assigned[],
): Fragment {
  const parts = [
    ...set.flatMap((assignment) => assignmentFor(writing, target, assignment)),
    ...staleVectorOf(target.table, set.map(({ column }) => writtenColumn(target, column).name)),
    ...modifications(writing, target),
  ];
  return { sql: parts.map((part) => part.sql).join(", "), args: parts.flatMap(({ args }) => args) };
}

function assignmentFor(
  writing: Writing,
  target: Target,
  assignment: Assigned,
): readonly Fragment[] {
  const column = writtenColumn(target, assignment.column);
  if (isStamped(column)) return [];
  if (column.manager === "computed") {
    refuseConstruct(`"${target.table.name}.${column.name}"`, "is computed: leave it out");
  }
  if (column.name === target.table.primaryKey) {
    refuseConstruct(`"${target.table.name}.${column.name}"`, "of a stored row never changes");
  }
  const scope = scopeOf(column.type);
  const value = scope !== null
    ? scopeColumnValue(writing, target, {
      column,
      kind: scope,
      given: assignment.value,
    })
    : guardedValue(
      writing,
      { target, column, organization: () => null },
      givenValue(writing, target, { column, run: assignment.value, isNew: false }),
    );
  return [{ sql: `${sqlIdentifier(column.sqlName)} = ${value.sql}`, args: value.args }];
}

/** Works as `modificationOf` with a qualified revision, because an update may join other tables that have one. */
function modifications({ stamps }: Writing, { table }: Target): readonly Fragment[] {
  const revision = table.revision === null ? null : findColumn(table, table.revision);
  const name = sqlIdentifier(table.sqlName);
  return [
    ...assigned(findColumn(table, "modifiedAt"), stamps.now),
    ...assigned(findColumn(table, "modifiedBy"), stamps.userId),
    ...(revision === null ? [] : [{
      sql: `${sqlIdentifier(revision.sqlName)} = ${name}.${sqlIdentifier(revision.sqlName)} + 1`,
      args: [],
    }]),
  ];
}

/**
 * Converts values of handlers to stored form (definitions 3): instants as `YYYY-MM-DDTHH:mm:ss.sssZ`, booleans as 0 and 1, JSON
 * as text. An invalid value is refused with `VALIDATION_ERROR` and its column, in writes and comparisons. drizzle's columns are
 * patched to do so.
 */
export function normalizeColumns(
  schema: Readonly<Record<string, unknown>>,
  { tables }: TableIndex,
): void {
  for (const table of Object.values(schema)) {
    if (!is(table, Table)) continue;
    const model = tables.get(getTableName(table).toLowerCase());
    for (const column of Object.values(getTableColumns(table))) {
      const known = model?.columns.find(({ sqlName }) => sqlName === column.name);
      const encode = known && encoderOf(known);
      // Every builder, alias and subquery binds values through this method.
      if (encode) {
        Object.defineProperty(column, "mapToDriverValue", { value: encode, configurable: true });
      }
      const decode = known && storageOf(known.type).handler?.decode;
      if (decode) {
        Object.defineProperty(column, "mapFromDriverValue", { value: decode, configurable: true });
      }
    }
  }
}

type Encode = (value: unknown) => SqlValue;

/** Null: the column stores what it is given. */
function encoderOf(column: ColumnModel): Encode | null {
  const { handler } = storageOf(column.type);
  return handler && ((value) => handler.encode(value) ?? refuseValue(column, handler));
}

function refuseValue({ name }: ColumnModel, { wanted }: HandlerForm): never {
  refuse("VALIDATION_ERROR", { details: { column: name, fields: { [name]: wanted } } });
}
