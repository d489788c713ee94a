/** Reads a table's firewall, which is derived, listed or named, into one list of predicates joined by AND (definitions 4.1). */
import { rulesOf, scopeOf } from "../../../../column_types/mod.ts";
import type { ScopeKind } from "../../../../contract/mod.ts";
import type { FirewallPredicate } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Value } from "../../values.ts";
import type { Analysis } from "./analysis.ts";
import { asRule, type At, wrongType } from "../read/reader.ts";
import type { TableDraft } from "./draft.ts";
import * as scoping from "./predicates.ts";
import { asScope } from "./system_columns.ts";

/** A firewall whose relations are not read yet. */
export interface UnsettledFirewall extends scoping.FirewallSource {
  /** The table. The predicates of its firewall decide which columns are stamped with the owner and the tenant. */
  readonly table: TableDraft;
  readonly place: Place;
}

export interface FirewallDraft extends Omit<UnsettledFirewall, "predicates"> {
  readonly predicates: readonly FirewallPredicate[];
}

const SCOPES: readonly ScopeKind[] = ["organization", "owner", "team"];

export function readFirewall(table: TableDraft, analysis: Analysis): UnsettledFirewall {
  const entry = table.options?.entries.get("firewall");
  const at = asRule({ path: `${table.name}.firewall`, report: analysis.report }, "firewall");
  const source = entry ? readSource(entry.value, table, analysis, at) : derived(table);
  // A firewall that does not mention deleted rows still hides them.
  const says = source.predicates.some((predicate) => predicate.kind === "notDeleted");
  const predicates = says || !table.softDelete
    ? source.predicates
    : [...source.predicates, scoping.notDeletedPredicate("deletedAt")];
  // A column that isolates callers from each other is stamped from the caller (contract 2.2). Otherwise a caller could write
  // rows that belong to another. Guards protect a foreign key instead.
  const columns = new Map(table.columns);
  for (const predicate of source.stamping) {
    const scope = SCOPES.find((candidate) => candidate === predicate.kind);
    const column = columns.get(predicate.column);
    if (!scope || !column || [...columns.values()].some(({ type }) => scopeOf(type) === scope)) {
      continue;
    }
    if (column.manager !== "client" || column.references) continue;
    if (!column.type || rulesOf(column.type).key !== "text") continue;
    columns.set(column.name, asScope(column, scope));
  }
  return {
    ...source,
    exception: source.exception ?? table.exception,
    predicates,
    table: { ...table, columns },
    place: entry?.keyPlace ?? table.namePlace,
  };
}

function readSource(
  value: Value,
  table: TableDraft,
  analysis: Analysis,
  at: At,
): scoping.FirewallSource {
  const { hierarchy } = analysis.config;
  const scope = { table, hierarchy };
  if (value.kind === "array") return scoping.readPredicates(value, scope, at);
  if (value.kind === "object") return scoping.readNamedScopes(value, table, at);
  wrongType(value, "a list of predicates, named scopes, or { exception: true }", at);
  return { predicates: [], stamping: [], exception: null, isComplete: false };
}

/** Returns the firewall that a table's scope columns imply: each adds its predicate. */
function derived(table: TableDraft): scoping.FirewallSource {
  const predicates = SCOPES.flatMap((scope) => {
    const column = scoping.scopeColumn(table, scope);
    return column ? [scoping.scopePredicate(scope, column.name)] : [];
  });
  return { predicates, stamping: predicates, exception: null, isComplete: table.isComplete };
}
