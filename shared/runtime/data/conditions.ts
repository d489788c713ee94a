/**
 * Firewalls and row rules, as SQL and on rows in memory (definitions 4.1, 4.2): one judgement of `RowPredicate`
 * (docs/decisions/relations.md).
 */
import { columnNamed, followsRelations, relationsAt, type RowRule } from "../../surface/mod.ts";
import { storageOf } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { ColumnModel, Condition, FirewallPredicate, RowPredicate } from "../../model/mod.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import { findColumn } from "./catalog.ts";
import * as comparing from "./comparisons.ts";
import { type Comparison, comparisonOf, hasContext, holds, isHolder } from "./comparisons.ts";
import { allOf, anyOf, EVERY_ROW, type Fragment, fragment, jsonList, NO_ROW } from "./sql.ts";
import type { RelatedRow, StoredRow } from "./types.ts";

const SYMBOLS: Readonly<Record<comparing.OrderOperator, string>> = {
  lessThan: "<",
  greaterThan: ">",
  lessThanOrEqual: "<=",
  greaterThanOrEqual: ">=",
};

/**
 * How many rows a statement asks about: relations of many are lists of keys that do not depend on the row, those of a few are
 * looked up for each (docs/decisions/relations.md).
 */
export type Reading = "rows" | "row";

/**
 * Firewalls and row rules as SQL: the same judgement as `rowSatisfies`, over a whole table. The rows behind a firewall;
 * `alias` names the table in the statement.
 */
export function firewallSql(
  firewall: Firewall,
  alias: string,
  reading: Reading = "rows",
): Fragment {
  return allOf(
    firewall.predicates.map((predicate) => memberSql(predicate, { firewall, alias, reading })),
  );
}

function memberSql(predicate: FirewallPredicate, scope: RuleScope): Fragment {
  return predicate.kind === "rule"
    ? ruleSql(predicate.predicate, scope)
    : comparisonSql(comparisonOf(predicate, scope.firewall), scope.alias);
}

/** The same for a row that this transaction holds: of what keeps it from the caller by now, the value that it has. */
export function heldSql(firewall: Firewall, row: StoredRow, alias: string): Fragment {
  return allOf(firewall.predicates.flatMap((predicate) => {
    // Its relations are judged by themselves, once it is written.
    if (predicate.kind === "rule") return [];
    const comparison = comparisonOf(predicate, firewall);
    if (holds(comparison, row)) return [comparisonSql(comparison, alias)];
    const column = columnNamed(predicate.column, firewall.table);
    return [equalsSql(cellSql(column, alias), row.get(column.name) ?? null)];
  }));
}

/** The rows that an access rule's conditions hold on. */
export function ruleSql(rule: RowRule, scope: RuleScope): Fragment {
  const { firewall, alias, reading = "rows" } = scope;
  return predicateSql(rule, {
    firewall,
    reading,
    depth: 0,
    compared: (condition) => comparisonSql(comparisonOf(condition, firewall), alias),
    cell: (name) => fragment(cellSql(columnNamed(name, firewall.table), alias)),
  });
}

interface RuleScope {
  readonly firewall: Firewall;
  readonly alias: string;
  readonly reading?: Reading | undefined;
}

/** Firewall and rule together; null: no rule. */
export function visibleSql(rule: RowRule | null, scope: RuleScope): Fragment {
  const behind = firewallSql(scope.firewall, scope.alias, scope.reading);
  return rule === null ? behind : allOf([behind, ruleSql(rule, scope)]);
}

/** A row that a predicate is about: one of the statement, or one whose values are known. */
interface Asking {
  /** Of the caller who asks. */
  readonly firewall: Firewall;
  readonly reading: Reading;
  /** Relations that it stands behind. */
  readonly depth: number;
  /** A condition on it. */
  readonly compared: (condition: Condition) => Fragment;
  /** The value of its column. */
  readonly cell: (column: string) => Fragment;
}

function predicateSql(predicate: RowPredicate, asking: Asking): Fragment {
  switch (predicate.kind) {
    case "conditions":
      return allOf(predicate.conditions.map(asking.compared));
    case "all":
      return allOf(predicate.of.map((part) => predicateSql(part, asking)));
    case "any":
      return anyOf(predicate.of.map((part) => predicateSql(part, asking)));
    case "not": {
      // What is neither true nor false of a row, as every comparison with NULL, is not true of it.
      const { sql, args } = predicateSql(predicate.of, asking);
      return fragment(`NOT coalesce(${sql}, 0)`, ...args);
    }
    case "holders":
      return isHolder(predicate, asking.firewall) ? EVERY_ROW : NO_ROW;
    case "context":
      return hasContext(predicate, asking.firewall) ? predicateSql(predicate.of, asking) : NO_ROW;
    case "related":
      return relatedSql(predicate, asking);
  }
}

/** A related row of another tenant, or a deleted one, is not there. */
function relatedSql(
  { relation, quantifier, of }: comparing.Named<"related">,
  asking: Asking,
): Fragment {
  const { firewall, reading, depth } = asking;
  const { sqlName, own, related, tenant, deletedAt } = relation;
  const alias = `qb_r${depth}`;
  const cellOf = (name: string) => {
    const column = relation.columns.find((one) => one.name === name);
    if (!column) throw new Error(`A relation asks for '${name}', which '${sqlName}' has not`);
    return cellSql(column, alias);
  };
  const inner: Asking = {
    firewall,
    reading,
    depth: depth + 1,
    compared: (condition) => comparisonSql(comparisonOf(condition, firewall, relation), alias),
    cell: (name) => fragment(cellOf(name)),
  };
  const bound = tenant === null ? null : boundTenant(firewall);
  const pairs = [
    { asked: asking.cell(own), listed: cellOf(related) },
    ...(tenant === null || bound !== null
      ? []
      : [{ asked: asking.cell(tenant.own), listed: cellOf(tenant.related) }]),
  ];
  const rows = allOf([
    ...(tenant === null || bound === null ? [] : [equalsSql(cellOf(tenant.related), bound)]),
    ...(deletedAt === null ? [] : [livingSql(cellOf(deletedAt), firewall)]),
    predicateSql(of, inner),
  ]);
  // By the schema's name, so that no expression of a handler's statement stands in its place.
  const from = `main.${sqlIdentifier(sqlName)} AS ${alias}`;
  if (reading === "row") {
    const found = allOf([
      ...pairs.map(({ asked, listed }) => fragment(`${listed} = ${asked.sql}`, ...asked.args)),
      rows,
    ]);
    const not = quantifier === "some" ? "" : "NOT ";
    return fragment(`${not}EXISTS (SELECT 1 FROM ${from} WHERE ${found.sql})`, ...found.args);
  }
  const listed = pairs.map((pair) => pair.listed);
  const asked = pairs.map((pair) => pair.asked.sql);
  const [tuple = ""] = asked.length === 1 ? asked : [`(${asked.join(", ")})`];
  // A NULL in the list would hide every row from NOT IN.
  const list = allOf([...listed.map((cell) => fragment(`${cell} IS NOT NULL`)), rows]);
  const select = `(SELECT ${listed.join(", ")} FROM ${from} WHERE ${list.sql})`;
  if (quantifier === "some") return fragment(`${tuple} IN ${select}`, ...list.args);
  const absent = asked.map((cell) => `${cell} IS NULL`).join(" OR ");
  return fragment(`(${absent} OR ${tuple} NOT IN ${select})`, ...list.args);
}

/** Related rows that are there: those that live, and those that are deleted where the firewall shows them. */
function livingSql(deletedAt: string, { shown }: Firewall): Fragment {
  switch (shown.kind) {
    case "living":
      return fragment(`${deletedAt} IS NULL`);
    case "deletedNow":
      return fragment(`(${deletedAt} IS NULL OR ${deletedAt} = ?)`, shown.at);
    case "all":
      return EVERY_ROW;
  }
}

/** The one tenant of every row behind the firewall; null: each related row is of its own row's tenant. */
function boundTenant({ predicates, organizationId }: Firewall): string | null {
  return predicates.some(({ kind }) => kind === "organization") ? organizationId : null;
}

function comparisonSql(comparison: Comparison, alias: string): Fragment {
  if (comparison.kind === "never") return NO_ROW;
  const cell = cellSql(comparison.column, alias);
  switch (comparison.kind) {
    case "equals":
      return equalsSql(cell, comparison.value);
    case "notEquals":
      return notEqualsSql(cell, comparison.value);
    case "in":
      return inSql(cell, comparison.values);
    case "notIn":
      return notInSql(cell, comparison.values);
    case "order":
      return fragment(`${cell} ${SYMBOLS[comparison.operator]} ?`, comparison.value);
  }
}

export function cellSql(column: Pick<ColumnModel, "type" | "sqlName">, alias: string): string {
  return storageOf(column.type).read(`${alias}.${sqlIdentifier(column.sqlName)}`);
}

export function equalsSql(cell: string, value: SqlValue): Fragment {
  return value === null ? fragment(`${cell} IS NULL`) : fragment(`${cell} = ?`, value);
}

/** True on NULL, unlike SQL's `<>`. */
export function notEqualsSql(cell: string, value: SqlValue): Fragment {
  return value === null ? fragment(`${cell} IS NOT NULL`) : fragment(`${cell} IS NOT ?`, value);
}

export function inSql(cell: string, values: readonly SqlValue[]): Fragment {
  const listed = fragment(
    `${cell} IN (SELECT value FROM json_each(?))`,
    jsonList(withoutNull(values)),
  );
  return values.includes(null) ? anyOf([fragment(`${cell} IS NULL`), listed]) : listed;
}

export function notInSql(cell: string, values: readonly SqlValue[]): Fragment {
  const unlisted = fragment(
    `${cell} NOT IN (SELECT value FROM json_each(?))`,
    jsonList(withoutNull(values)),
  );
  return values.includes(null)
    ? allOf([fragment(`${cell} IS NOT NULL`), unlisted])
    : anyOf([fragment(`${cell} IS NULL`), unlisted]);
}

function withoutNull(values: readonly SqlValue[]): readonly SqlValue[] {
  return values.filter((value) => value !== null);
}

/**
 * Judges one stored row by a rule that follows no relation: the same answer as `ruleSql` gives in a query. True when the
 * rule holds on the row, for the firewall's caller. Throws where the rule follows one: that is the database's to say
 * (`judged_rows.ts`).
 */
export function rowSatisfies(rule: RowRule, row: StoredRow, firewall: Firewall): boolean {
  return isMet(rule, {
    firewall,
    holds: (condition) => holds(comparisonOf(condition, firewall), row),
    related({ relation }) {
      throw new Error(`The relation '${relation.name}' is asked of the database`);
    },
  });
}

/** The same of a row whose related rows are known; `predicates` are those that they were collected for. */
export function relatedSatisfies(
  rule: RowRule,
  known: RelatedRow,
  { firewall, predicates }: {
    readonly firewall: Firewall;
    readonly predicates: readonly RowPredicate[];
  },
): boolean {
  return isMet(rule, knownRow(known, { firewall, predicates, table: firewall.table }));
}

/** A row in memory that a predicate is about. */
interface Judged {
  readonly firewall: Firewall;
  readonly holds: (condition: Condition) => boolean;
  readonly related: (predicate: comparing.Named<"related">) => boolean;
}

function knownRow(
  { row, related }: RelatedRow,
  { firewall, predicates, table }: {
    readonly firewall: Firewall;
    readonly predicates: readonly RowPredicate[];
    readonly table: comparing.AskedTable;
  },
): Judged {
  return {
    firewall,
    holds: (condition) => holds(comparisonOf(condition, firewall, table), row),
    related(predicate) {
      const { relation, quantifier, of } = predicate;
      const rows = related[relationsAt(predicates).indexOf(predicate)];
      if (!rows) throw new Error(`Rows of the relation '${relation.name}' were not collected`);
      const inner = { firewall, predicates: [of], table: relation };
      return rows.some((one) => isMet(of, knownRow(one, inner))) === (quantifier === "some");
    },
  };
}

function isMet(rule: RowRule, judged: Judged): boolean {
  switch (rule.kind) {
    case "conditions":
      return rule.conditions.every(judged.holds);
    case "all":
      return rule.of.every((part) => isMet(part, judged));
    case "any":
      return rule.of.some((part) => isMet(part, judged));
    case "not":
      return !isMet(rule.of, judged);
    case "holders":
      return isHolder(rule, judged.firewall);
    case "context":
      return hasContext(rule, judged.firewall) && isMet(rule.of, judged);
    case "related":
      return judged.related(rule);
  }
}

/** True when the row is behind every member of the firewall that follows no relation. */
export function isBehindColumns(row: StoredRow, firewall: Firewall): boolean {
  return firewall.predicates.every((predicate) => {
    if (predicate.kind !== "rule") return holds(comparisonOf(predicate, firewall), row);
    const { predicate: rule } = predicate;
    return followsRelations(rule) || rowSatisfies(rule, row, firewall);
  });
}

/** A rule on a row whose values are known, as a condition: its relations are looked up, all else is judged here. */
export function knownRowSql(rule: RowRule, row: StoredRow, firewall: Firewall): Fragment {
  return predicateSql(rule, {
    firewall,
    reading: "row",
    depth: 0,
    compared: (condition) => holds(comparisonOf(condition, firewall), row) ? EVERY_ROW : NO_ROW,
    cell: (name) => {
      const value = row.get(name);
      if (value === undefined) throw new Error(`The stored row has no column '${name}'`);
      return fragment("?", value);
    },
  });
}

/**
 * Soft deletion as a condition (contract 2.2, 3.1). The soft-deleted rows that would be behind the firewall otherwise;
 * null where nothing is soft-deleted.
 */
export function comparisonsWithoutNotDeleted(firewall: Firewall, alias: string): Fragment | null {
  const { table, predicates } = firewall;
  const scope = { firewall, alias, reading: "row" as const };
  const deletedAt = findColumn(table, "deletedAt");
  if (!table.softDelete || !deletedAt) return null;
  return allOf([
    fragment(`${cellSql(deletedAt, alias)} IS NOT NULL`),
    ...predicates
      .filter((predicate) => predicate.kind !== "notDeleted")
      .map((predicate) => memberSql(predicate, scope)),
  ]);
}

/** The rows that are not soft-deleted, whatever the firewall says about them. */
export function liveSql(firewall: Firewall, alias: string): Fragment {
  const deletedAt = findColumn(firewall.table, "deletedAt");
  return firewall.table.softDelete && deletedAt
    ? fragment(`${cellSql(deletedAt, alias)} IS NULL`)
    : EVERY_ROW;
}
