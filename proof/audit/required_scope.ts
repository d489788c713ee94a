/**
 * Computes the predicates that must bind every row of a table for one caller, from the definitions alone (contract 4.4 rule 3,
 * definitions 4.1).
 */
import { type ColumnPredicate, columnPredicates } from "../../shared/model/mod.ts";
import type { FirewallPredicate, PredicateKind, Principal } from "../../shared/model/mod.ts";
import type { Scalar, TableModel, UnsafeModel } from "../../shared/model/mod.ts";
import { storageOf } from "../../shared/column_types/mod.ts";
import { bindingPredicates } from "../../shared/oracle/judge.ts";
import type { SqlValue } from "./statement_record.ts";

export interface RequiredPredicate {
  readonly predicate: FirewallPredicate;
  /** SQL name of the column. */
  readonly column: string;
  /** Values that the column has in rows in scope; empty: no row is in scope. */
  readonly allowed: readonly SqlValue[];
}

export function requiredPredicates(
  table: TableModel,
  caller: Principal,
): readonly RequiredPredicate[] {
  return columnPredicates(bindingPredicates(table, caller)).map((predicate) => ({
    predicate,
    column: sqlNameOf(table, predicate.column),
    allowed: allowedValues(predicate, table, caller),
  }));
}

function allowedValues(
  { operand, column: name }: ColumnPredicate,
  table: TableModel,
  caller: Principal,
): readonly SqlValue[] {
  const column = table.columns.find((one) => one.name === name);
  const stored = (value: Scalar): SqlValue =>
    value === null || !column ? null : storageOf(column.type, table).operand(value) ?? null;
  switch (operand.kind) {
    case "literal":
      return [stored(operand.value)];
    case "literals":
      return operand.values.map(stored);
    case "contextList":
      return caller.roles;
    case "context": {
      const value = {
        userId: caller.userId,
        activeOrgId: caller.organizationId,
        activeTeamId: caller.teamId,
      }[operand.key];
      return value === null ? [] : [value];
    }
  }
}

/** Scope column with the value that the service must write into it. */
export interface ScopeColumn {
  readonly kind: "organization" | "owner" | "team";
  /** SQL name of the column. */
  readonly column: string;
  readonly value: string | null;
}

export function scopeColumns(table: TableModel, caller: Principal): readonly ScopeColumn[] {
  const values = {
    organization: caller.organizationId,
    owner: caller.userId,
    team: caller.teamId,
  };
  return (["organization", "owner", "team"] as const).flatMap((kind) => {
    const column = table.scope[kind];
    return column === null ? [] : [{ kind, column: sqlNameOf(table, column), value: values[kind] }];
  });
}

/** Returns the kinds of predicates that a declared `unsafe` lifts. */
export function liftedBy(unsafe: Pick<UnsafeModel, "crossTenant">): readonly PredicateKind[] {
  const own: readonly PredicateKind[] = ["owner", "notDeleted"];
  return unsafe.crossTenant ? [...own, "organization", "team"] : own;
}

export function sqlNameOf(table: TableModel, name: string): string {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) throw new Error(`Table "${table.name}" has no column "${name}"`);
  return column.sqlName;
}
