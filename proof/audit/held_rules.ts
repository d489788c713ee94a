/**
 * Checks rules over rows for a use of a table: whether its conditions contain all of them, and which subselects belong to one.
 */
import type { Node } from "sql-parser-cst";
import type { FirewallPredicate, Principal, ProjectModel } from "../../shared/model/mod.ts";
import type { RulePredicate, TableModel } from "../../shared/model/mod.ts";
import { followsRelations } from "../../shared/surface/mod.ts";
import { bindingPredicates } from "../../shared/oracle/judge.ts";
import {
  type Holding,
  relatedTerms,
  type RowPredicates,
  rowPredicates,
} from "../../shared/oracle/rule_terms.ts";
import { ruleTerm } from "../../shared/oracle/rule_terms.ts";
import { conditionTerm, type Reading, relatedSelects, type SpecialColumns } from "./sql_terms.ts";
import type { BoundSql } from "./sql_texts.ts";
import type { SqlValue } from "./statement_record.ts";
import type { TableUse } from "./table_uses.ts";
import { all, implies, type RelatedTerm, termText } from "../../shared/oracle/terms.ts";

export interface AuditedRules {
  readonly predicates: RowPredicates;
  /** True when some of the rules follow relations. */
  readonly areRelated: boolean;
  readonly columns: ReadonlyMap<string, SpecialColumns>;
}

export function auditedRules(model: ProjectModel): AuditedRules {
  const sqlNameIn = ({ columns }: TableModel, wanted: string | null) =>
    columns.find(({ name }) => name === wanted)?.sqlName.toLowerCase() ?? null;
  const predicates = rowPredicates(model);
  return {
    predicates,
    areRelated: [...predicates.values()].flat().some(followsRelations),
    columns: new Map(
      model.tables.map((table) => [table.sqlName.toLowerCase(), {
        tenant: sqlNameIn(table, table.scope.organization),
        deletedAt: table.softDelete ? sqlNameIn(table, "deletedAt") : null,
      }]),
    ),
  };
}

/** Facts about the request that a statement belongs to. */
export interface RuleScope {
  readonly rules: AuditedRules;
  readonly caller: Principal;
  readonly lifted: readonly FirewallPredicate["kind"][];
  /** True when the request may use deleted rows. */
  readonly isRestorable: boolean;
  readonly stamps: readonly SqlValue[];
}

/**
 * Returns members of the table's firewall that follow relations or contain `anyOf`, and that the conditions of the use lack.
 */
export function missingRules(
  sql: BoundSql,
  use: TableUse,
  table: TableModel,
  scope: RuleScope,
): readonly RulePredicate[] {
  const binding = bindingPredicates(table, scope.caller).filter((one) => one.kind === "rule");
  if (binding.length === 0) return [];
  const { qualifier, isAlone } = use;
  const condition = conditionTerm(use.conditions, { ...readingOf(sql, scope), qualifier, isAlone });
  return binding.filter(({ predicate }) =>
    !holdingsOf(scope).some((holding) => implies(condition, ruleTerm(predicate, table, holding)))
  );
}

/**
 * Returns selects that read related rows as a rule of the project does for this caller: inside the tenant, without deleted
 * rows, with the caller's own values.
 */
export function ruleSelects(sql: BoundSql, scope: RuleScope): ReadonlySet<Node> {
  const { statement } = sql;
  const isRowKnown = statement.type === "select_stmt" &&
    !statement.clauses.some(({ type }) => type === "from_clause");
  if (!scope.rules.areRelated) return new Set();
  let known: readonly RelatedTerm[] | null = null;
  return relatedSelects(statement, readingOf(sql, scope), (term) => {
    known ??= holdingsOf(scope).flatMap((one) => relatedTerms(scope.rules.predicates, one));
    const text = termText(term);
    return term.asked.kind === "false" ||
      known.some((one) => termText(one) === text || (isRowKnown && isOfKnownRow(term, one)));
  });
}

function holdingsOf({ caller, isRestorable }: RuleScope): readonly Holding[] {
  const living = { caller, withDeleted: false };
  return isRestorable ? [living, { caller, withDeleted: true }] : [living];
}

function readingOf(sql: BoundSql, { rules, caller, lifted, stamps }: RuleScope): Reading {
  return {
    sql,
    qualifier: null,
    isAlone: false,
    tables: rules.columns,
    isTenant: (value) =>
      value !== null && (lifted.includes("organization") || value === caller.organizationId),
    stamps,
  };
}

/** True when the select tests the same relation for a row whose key is bound as a value. */
function isOfKnownRow(asked: RelatedTerm, rule: RelatedTerm): boolean {
  const parts = (term: RelatedTerm) => term.asked.kind === "all" ? term.asked.of : [term.asked];
  const key = parts(rule).find((part) => part.kind === "atom" && part.text.startsWith("key 1."));
  const cell = key?.kind === "atom" ? /^key (\S+) = 0\./.exec(key.text)?.[1] : undefined;
  if (cell === undefined) return false;
  const bound = parts(asked).find((part) =>
    part.kind === "atom" && part.text.startsWith(`${cell} = `)
  );
  const without = (term: RelatedTerm, left: unknown) =>
    termText({ ...term, asked: all(parts(term).filter((part) => part !== left)) });
  return bound !== undefined && without(asked, bound) === without(rule, key);
}
