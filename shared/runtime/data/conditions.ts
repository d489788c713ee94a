/** Firewalls and row rules, as SQL and for rows in memory (definitions 4.1, 4.2; docs/decisions/relations.md). */
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
 * Number of rows that a statement reads. For many rows a relation is a list of keys independent of the row; for few it is
 * looked up for each (docs/decisions/relations.md).
 */
export type Reading = "rows" | "row";

/**
 * Returns SQL for the rows behind the firewall, over a whole table. It judges as `rowSatisfies` does. `alias` names the table
 * in the statement.
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

/** Returns the same for a row that this transaction holds. Columns that have changed since are compared with the held value. */
export function heldSql(firewall: Firewall, row: StoredRow, alias: string): Fragment {
  return allOf(firewall.predicates.flatMap((predicate) => {
    // Relations are judged separately after the write.
    if (predicate.kind === "rule") return [];
    const comparison = comparisonOf(predicate, firewall);
    if (holds(comparison, row)) return [comparisonSql(comparison, alias)];
    const column = columnNamed(predicate.column, firewall.table);
    return [equalsSql(cellSql(column, alias), row.get(column.name) ?? null)];
  }));
}

/** Returns SQL for the rows on which an access rule's conditions hold. */
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

/** Returns SQL for firewall and rule together; null: there is no rule. */
export function visibleSql(rule: RowRule | null, scope: RuleScope): Fragment {
  const behind = firewallSql(scope.firewall, scope.alias, scope.reading);
  return rule === null ? behind : allOf([behind, ruleSql(rule, scope)]);
}

/** A row that a predicate is about: one of the statement, or one with known values. */
interface Asking {
  /** Firewall of the caller. */
  readonly firewall: Firewall;
  readonly reading: Reading;
  /** Number of relations that lead to the row. */
  readonly depth: number;
  /** Returns SQL of a condition on the row. */
  readonly compared: (condition: Condition) => Fragment;
  /** Returns SQL of a column's value. */
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
      // A comparison with NULL is neither true nor false, so it counts as not true.
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

/** Returns SQL of a related predicate. A related row of another tenant, or a deleted one, counts as missing. */
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
  // All rows behind the firewall have this tenant; null: a related row has the tenant of its row.
  const bound = tenant !== null && firewall.predicates.some(({ kind }) => kind === "organization")
    ? firewall.organizationId
    : null;
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
  // The schema's name prevents a common table expression of a handler from taking the table's place.
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
  // A NULL in the list would make NOT IN hide every row.
  const list = allOf([...listed.map((cell) => fragment(`${cell} IS NOT NULL`)), rows]);
  const select = `(SELECT ${listed.join(", ")} FROM ${from} WHERE ${list.sql})`;
  if (quantifier === "some") return fragment(`${tuple} IN ${select}`, ...list.args);
  const absent = asked.map((cell) => `${cell} IS NULL`).join(" OR ");
  return fragment(`(${absent} OR ${tuple} NOT IN ${select})`, ...list.args);
}

/** Returns SQL for related rows that exist: live ones, and deleted ones if the firewall shows them. */
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

/** Returns SQL that is true for NULL, unlike `<>`. */
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
 * True when a rule holds on a stored row for the firewall's caller, as `ruleSql` decides in a query. Throws if the rule follows
 * a relation, which only the database can judge (`judged_rows.ts`).
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

/** True when a rule holds on a row with known related rows. `predicates` are those that the related rows were collected for. */
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

/** True when the row satisfies all firewall members that follow no relation. */
export function isBehindColumns(row: StoredRow, firewall: Firewall): boolean {
  return firewall.predicates.every((predicate) => {
    if (predicate.kind !== "rule") return holds(comparisonOf(predicate, firewall), row);
    const { predicate: rule } = predicate;
    return followsRelations(rule) || rowSatisfies(rule, row, firewall);
  });
}

/** Makes a condition of a rule on a row with known values: relations are looked up, everything else is judged here. */
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
 * Returns SQL for the soft-deleted rows that would otherwise be behind the firewall (contract 2.2, 3.1); null: the table has no
 * soft deletion.
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

/** Returns SQL for rows that are not soft-deleted, whatever the firewall shows. */
export function liveSql(firewall: Firewall, alias: string): Fragment {
  const deletedAt = findColumn(firewall.table, "deletedAt");
  return firewall.table.softDelete && deletedAt
    ? fragment(`${cellSql(deletedAt, alias)} IS NULL`)
    : EVERY_ROW;
}
