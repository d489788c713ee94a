/** Reads predicates of a firewall, which are listed, named in the older spelling, or implied by columns (definitions 4.1). */
import { rulesOf, scopeOf } from "../../../../column_types/mod.ts";
import { SCOPE_COLUMNS, type ScopeKind } from "../../../../contract/mod.ts";
import * as language from "../../../../definition_language/rules.ts";
import type { ColumnPredicate, Operand, PredicateKind } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import { snakeCase } from "../../../../surface/mod.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, itemAt, type Token } from "../read/reader.ts";
import { type Hierarchy, readRoles } from "../read/roles.ts";
import { requireColumn } from "./analysis.ts";
import type { ColumnDraft, TableDraft } from "./draft.ts";
import type { RelationGraph } from "./relation_graph.ts";
import { readListOperand, readOperand } from "./operands.ts";

/** A rule's own table and the roles that it may name. */
export interface RuleScope {
  readonly table: TableDraft;
  readonly hierarchy: Hierarchy;
  readonly graph: RelationGraph;
}

/** `through` or `anyOf`, which is read when every table is known. */
export interface RuleDraft {
  readonly kind: "draft";
  readonly value: Value;
  readonly at: At;
}

/** A rule's table and roles, where no condition may follow a relation. */
type PredicateScope = Omit<RuleScope, "graph">;

type PredicateFields = Fields<(typeof language.PREDICATE)["members"]>;

const COMPARISONS = ["equals", "in", "isNull"] as const;

export function readPredicates(
  value: Value & { readonly kind: "array" },
  scope: PredicateScope,
  at: At,
): FirewallSource {
  const predicates = value.items.map((item, index) =>
    isRule(item)
      ? { kind: "draft" as const, value: item, at: itemAt(at, index) }
      : readPredicate(item, scope, itemAt(at, index))
  );
  const known = predicates.filter((predicate) => predicate !== undefined);
  const columns = known.filter((predicate) => predicate.kind !== "draft");
  const tenant = columns.length < known.length ? unsaidTenant(value, scope.table) : null;
  return {
    predicates: tenant === null ? known : [...known, tenant],
    // A predicate for some callers only compares. The guards decide who may write its column.
    stamping: columns.filter(({ operator, roles, exceptRoles }) =>
      operator === "equals" && roles.length === 0 && exceptRoles.length === 0
    ),
    exception: null,
    isComplete: known.length === predicates.length,
  };
}

/** True for a predicate that is no comparison of a column. */
export function isRule(value: Value): boolean {
  return value.kind === "object" &&
    value.entries.some(({ key }) => key === "through" || key === "anyOf");
}

/**
 * Returns the predicate of the table's organization column if the rule does not name it. It stays in force beside a relation,
 * which narrows but does not isolate.
 */
function unsaidTenant(value: Value, table: TableDraft): ColumnPredicate | null {
  const column = [...table.columns.values()].find(({ type }) => scopeOf(type) === "organization");
  return column && !isFieldNamed(value, column.name)
    ? scopePredicate("organization", column.name)
    : null;
}

function isFieldNamed(value: Value, column: string): boolean {
  if (value.kind === "array") return value.items.some((item) => isFieldNamed(item, column));
  if (value.kind !== "object") return false;
  return value.entries.some(({ key, value }) =>
    (key === "field" && value.kind === "string" && value.value === column) ||
    (key === "anyOf" && isFieldNamed(value, column))
  );
}

/** Reads a comparison of a column. */
export function readPredicate(
  value: Value,
  scope: PredicateScope,
  at: At,
): ColumnPredicate | undefined {
  const fields = readFields(value, language.PREDICATE, at);
  if (!fields) return undefined;
  const word = read(fields, "field");
  const column = word && requireColumn(word, scope.table, at.report);
  const roles = readBoundRoles(fields, "roles", scope);
  const exceptRoles = readBoundRoles(fields, "exceptRoles", scope);
  const comparison = comparisonOf(fields);
  if (!comparison || !column?.type || !roles || !exceptRoles) return undefined;
  if (rulesOf(column.type).isStructured) {
    at.report.add("COLUMN_NOT_COMPARABLE", word?.place ?? fields.place, { column: column.name });
    return undefined;
  }
  const operand = readComparison(fields, comparison, column);
  if (!operand) return undefined;
  return {
    kind: kindOf(operand, column),
    column: column.name,
    operator: comparison === "in" ? "in" : "equals",
    operand,
    roles,
    exceptRoles,
  };
}

/** Returns the comparison, of which a predicate has exactly one. */
function comparisonOf(fields: PredicateFields): typeof COMPARISONS[number] | undefined {
  const present = COMPARISONS.filter((key) => fields.entries.has(key));
  if (present.length !== 1) {
    // An unknown key in its place was reported already.
    if (fields.unknown.length === 0) {
      fields.at.report.add("PREDICATE_COMPARISON", fields.place, { path: fields.at.path });
    }
    return undefined;
  }
  return present[0];
}

function readComparison(
  fields: PredicateFields,
  comparison: typeof COMPARISONS[number],
  column: ColumnDraft,
): Operand | undefined {
  switch (comparison) {
    case "equals":
      return readField(fields, "equals", (value, at) => readOperand(value, column, at));
    case "in":
      return readField(fields, "in", (value, at) => readListOperand(value, column, at));
    case "isNull":
      return read(fields, "isNull") && { kind: "literal", value: null };
  }
}

/**
 * Reads the roles of one predicate. A role that every caller has is refused, because it would switch the predicate off or have
 * no effect.
 */
export function readBoundRoles(
  fields: Fields,
  key: "roles" | "exceptRoles",
  { hierarchy }: Pick<RuleScope, "hierarchy">,
): readonly string[] | undefined {
  if (!fields.entries.has(key)) return [];
  const roles = readField(fields, key, (value, at) => readRoles(value, hierarchy, at));
  const entry = fields.entries.get(key);
  if (entry && roles?.includes("PUBLIC")) {
    fields.at.report.add("PREDICATE_PUBLIC", entry.value.place, { key });
    return undefined;
  }
  return roles;
}

function kindOf(operand: Operand, column: ColumnDraft): PredicateKind {
  if (operand.kind === "literal" && operand.value === null) {
    return column.name === "deletedAt" ? "notDeleted" : "custom";
  }
  if (operand.kind !== "context") return "custom";
  switch (operand.key) {
    case "activeOrgId":
      return "organization";
    case "activeTeamId":
      return "team";
    case "userId":
      return "owner";
  }
}

/** A firewall as written, before the table's own columns add to it. */
export interface FirewallSource {
  readonly predicates: readonly (ColumnPredicate | RuleDraft)[];
  /** Predicates whose column contains the row's owner, organization or team, and is not merely compared with the caller's. */
  readonly stamping: readonly ColumnPredicate[];
  /** Place of `exception: true`. */
  readonly exception: Place | null;
  /** False when a part was wrong, so that nothing more is reported about isolation. */
  readonly isComplete: boolean;
}

/** The context value that isolates by each scope. */
const SCOPE_CONTEXT = {
  organization: "activeOrgId",
  owner: "userId",
  team: "activeTeamId",
} as const satisfies Record<ScopeKind, string>;

/** Returns the column of a scope: `q.scope()` under any name, else the column with the scope's own name. */
export function scopeColumn(table: TableDraft, scope: ScopeKind): ColumnDraft | undefined {
  const columns = [...table.columns.values()];
  return columns.find((column) => scopeOf(column.type) === scope) ??
    table.columns.get(SCOPE_COLUMNS[scope]);
}

/** Returns the predicate of a scope on its column (definitions 4.1). */
export function scopePredicate(scope: ScopeKind, column: string): ColumnPredicate {
  return {
    kind: scope,
    column,
    operator: "equals",
    operand: { kind: "context", key: SCOPE_CONTEXT[scope] },
    roles: [],
    exceptRoles: [],
  };
}

export function notDeletedPredicate(column: string): ColumnPredicate {
  return {
    kind: "notDeleted",
    column,
    operator: "equals",
    operand: { kind: "literal", value: null },
    roles: [],
    exceptRoles: [],
  };
}

/** Roles that `owner { mode: "optional" }` does not bind. */
const OWNER_EXCEPTIONS = ["admin", "owner"];

/** Reads `firewall: { organization: {}, owner: { mode }, … }`, the older spelling (definitions 4.1). */
export function readNamedScopes(
  value: Value & { readonly kind: "object" },
  table: TableDraft,
  at: At,
): FirewallSource {
  const fields = readFields(value, language.NAMED_SCOPES, at);
  if (!fields) return { predicates: [], stamping: [], exception: null, isComplete: false };
  const exception = read(fields, "exception");
  const named = [...fields.entries.values()].filter((entry) => entry.key !== "exception");
  const predicates = named.map((entry) => readScope(entry, table, below(at, entry.key)));
  const known = predicates.filter((predicate) => predicate !== undefined);
  return {
    predicates: known,
    stamping: known,
    exception: exception ? fields.entries.get("exception")?.keyPlace ?? null : null,
    isComplete: known.length === predicates.length &&
      fields.entries.size === value.entries.length &&
      (exception === true || !fields.entries.has("exception")),
  };
}

function readScope(
  entry: ObjectEntry,
  table: TableDraft,
  at: At,
): ColumnPredicate | undefined {
  const owned = entry.key === "owner"
    ? readFields(entry.value, language.OWNER_SCOPE, at)
    : undefined;
  const fields = owned ?? readFields(entry.value, language.SCOPE, at);
  if (!fields) return undefined;
  const column = columnOf(entry, fields, table);
  const mode = owned && read(owned, "mode");
  if (!column?.type) return undefined;
  if (entry.key === "softDelete") {
    // The predicate for live rows requires that the time of deletion is null.
    if (column.type && rulesOf(column.type).isInstant) return notDeletedPredicate(column.name);
    const details = { column: column.name, scope: "softDelete" };
    fields.at.report.add("SCOPE_COLUMN_TYPE", entry.keyPlace, details);
    return undefined;
  }
  if (scopeOf(column.type) === null && rulesOf(column.type).key !== "text") {
    const details = { column: column.name, scope: entry.key };
    at.report.add("SCOPE_COLUMN_TYPE", entry.keyPlace, details);
    return undefined;
  }
  const predicate = scopePredicate(scopeKind(entry.key), column.name);
  return mode === "optional" ? { ...predicate, exceptRoles: OWNER_EXCEPTIONS } : predicate;
}

function columnOf(
  entry: ObjectEntry,
  fields: Fields<(typeof language.SCOPE)["members"]>,
  table: TableDraft,
): ColumnDraft | undefined {
  const said = read(fields, "column");
  if (!said && fields.entries.has("column")) return undefined;
  const own = entry.key === "softDelete" ? undefined : scopeColumn(table, scopeKind(entry.key));
  if (!said && own) return own;
  const usual = entry.key === "softDelete" ? "deletedAt" : SCOPE_COLUMNS[scopeKind(entry.key)];
  const word: Token = said ?? { text: usual, place: entry.keyPlace };
  const form = said ? null : scopeForm(entry.key, table);
  return requireColumn(word, table, fields.at.report, form);
}

/** Columns of older projects that contain a row's owner or tenant, by scope. */
const OLDER_SCOPE_COLUMNS = {
  organization: ["orgId", "tenantId", "workspaceId"],
  owner: ["userId", "authorId", "createdByUserId"],
  team: ["groupId"],
} as const satisfies Record<ScopeKind, readonly string[]>;

/** Returns the column of an older project that serves as the scope's column; null: there is none. */
export function olderScopeColumn(table: TableDraft, scope: ScopeKind): string | null {
  const names = OLDER_SCOPE_COLUMNS[scope].flatMap((name) => [name, snakeCase(name)]);
  return names.find((name) => table.columns.has(name)) ?? null;
}

/** Returns a suggestion for a scope without its column: the column that replaces it, or the one to add. */
function scopeForm(key: string, table: TableDraft): string {
  const scope = scopeKind(key);
  const column = olderScopeColumn(table, scope);
  const usual = `${SCOPE_COLUMNS[scope]}: q.scope("${scope}")`;
  return column === null
    ? `Add the column ${usual}, or name another: ${key}: { column: "…" }`
    : `Write ${key}: { column: "${column}" }, or rename the column: ${usual}`;
}

function scopeKind(key: string): ScopeKind {
  return key === "organization" || key === "team" ? key : "owner";
}
