/** The predicates that a table's own columns say, whoever asks for them (definitions 4.1). */
import { scopeOf } from "../../../../column_types/mod.ts";
import { SCOPE_COLUMNS, type ScopeKind } from "../../../../contract/fields.ts";
import type { FirewallPredicate } from "../../../../model/access.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { ColumnDraft, TableDraft } from "./draft.ts";

/** A firewall as written, before the table's own columns add to it. */
export interface FirewallSource {
  readonly predicates: readonly FirewallPredicate[];
  /** Those whose column is the row's owner, organization or team, not merely compared with the caller's. */
  readonly stamping: readonly FirewallPredicate[];
  /** `exception: true`. */
  readonly exception: Place | null;
  /** False when a part of it was wrong: then nothing more is said about isolation. */
  readonly isComplete: boolean;
}

/** The context value that isolates by each scope. */
const SCOPE_CONTEXT = {
  organization: "activeOrgId",
  owner: "userId",
  team: "activeTeamId",
} as const satisfies Record<ScopeKind, string>;

/** The column that a scope stands on: `q.scope()` on any name, else the scope's own name. */
export function scopeColumn(table: TableDraft, scope: ScopeKind): ColumnDraft | undefined {
  const columns = [...table.columns.values()];
  return columns.find((column) => scopeOf(column.type) === scope) ??
    table.columns.get(SCOPE_COLUMNS[scope]);
}

export function scopePredicate(scope: ScopeKind, column: string): FirewallPredicate {
  return {
    kind: scope,
    column,
    operator: "equals",
    operand: { kind: "context", key: SCOPE_CONTEXT[scope] },
    roles: [],
    exceptRoles: [],
  };
}

export function notDeletedPredicate(column: string): FirewallPredicate {
  return {
    kind: "notDeleted",
    column,
    operator: "equals",
    operand: { kind: "literal", value: null },
    roles: [],
    exceptRoles: [],
  };
}
