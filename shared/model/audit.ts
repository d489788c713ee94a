/**
 * The audit of calls (definitions 7) and the history of records (definitions 4, `audit`): what is kept, and in which tables.
 */
import { columnPredicates } from "./access.ts";
import type { ProjectModel } from "./project.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import type { TableModel } from "./table.ts";

/** True when the history of some resource is kept. */
export function keepsHistory({ resources }: Pick<ProjectModel, "resources">): boolean {
  return resources.some(({ audit }) => audit !== undefined);
}

/** True when a write to the table may change rows whose history is kept: its own rows, or rows that refer to them. */
export function reachesHistory(
  table: Pick<TableModel, "name">,
  { resources, tables }: Pick<ProjectModel, "resources" | "tables">,
): boolean {
  const audited = new Set(resources.flatMap((one) => one.audit ? [one.table] : []));
  const reached = new Set([table.name]);
  // The loop also visits the members that it adds to the set.
  for (const name of reached) {
    if (audited.has(name)) return true;
    for (const child of tables) {
      if (child.columns.some(({ references }) => references?.table === name)) {
        reached.add(child.name);
      }
    }
  }
  return false;
}

/** Returns the column with the organization of a table's rows; null when there is none. */
export function organizationColumnOf(
  { scope, firewall }: Pick<TableModel, "scope" | "firewall">,
): string | null {
  const isolating = columnPredicates(firewall).find(({ kind }) => kind === "organization");
  return scope.organization ?? isolating?.column ?? null;
}

/** One row per call that crosses a tenant's border or reads without a tenant (definitions 7). */
export const AUDIT_EVENTS: SqlTable = {
  name: "audit_events",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    text("request_id"),
    text("actor_user_id"),
    text("actor_org_id"),
    text("action_name"),
    text("resource"),
    text("operation"),
    text("target_scope"),
    text("target_org_id"),
    text("target_record_id"),
    text("unsafe_reason"),
    { ...text("result"), notNull: true },
    text("error_code"),
    { ...text("created_at"), notNull: true },
  ],
  indexes: [{
    name: "audit_events_target_org_id_created_at_idx",
    columns: ["target_org_id", "created_at"],
    unique: false,
    where: null,
  }],
};

/** Column of `audit_events` in projects with impersonation: the user who acted in the actor's place. */
export const AUDIT_IMPERSONATOR = text("impersonator_user_id");

/** Name of the chain for rows that belong to no organization. Every other chain has its organization's id. */
export const OWN_CHAIN = "";

/**
 * One row per changed record and transaction. An erased row keeps its place in the chain: its id, `chain`, `sequence` and both
 * hashes. All other columns become null, the salt too, so that nobody can guess the content from the hash.
 */
export const AUDIT_CHANGES: SqlTable = {
  name: "audit_changes",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("chain"), notNull: true },
    // Counts up by one within the chain.
    { ...text("sequence"), type: "integer", notNull: true },
    // Columns from here to `expires_at` are null in an erased row.
    text("resource"),
    text("record_id"),
    // `create`, `update`, `delete` or `restore`.
    text("kind"),
    text("operation"),
    text("request_id"),
    text("actor_user_id"),
    text("impersonator_user_id"),
    // Stored values by column, as JSON. An update keeps the changed ones in `before`, and the whole row in `after`.
    text("before"),
    text("after"),
    text("salt"),
    text("created_at"),
    text("expires_at"),
    // SHA-256 of the row before it in the chain, and of this one.
    { ...text("previous_hash"), notNull: true },
    { ...text("hash"), notNull: true },
  ],
  indexes: [
    index("chain_sequence", ["chain", "sequence"], { unique: true }),
    index("record", ["chain", "resource", "record_id", "sequence"]),
    index("expires_at", ["expires_at"]),
  ],
};

/** The first and last link of each chain, so that a chain which was cut at either end is detected. */
export const AUDIT_CHAINS: SqlTable = {
  name: "audit_chains",
  columns: [
    { ...text("chain"), notNull: true, primaryKey: true },
    // The oldest change that is kept.
    { ...text("first_sequence"), type: "integer", notNull: true },
    { ...text("first_previous_hash"), notNull: true },
    { ...text("last_sequence"), type: "integer", notNull: true },
    { ...text("last_hash"), notNull: true },
  ],
  indexes: [],
};

function index(
  name: string,
  columns: readonly string[],
  { unique = false }: { readonly unique?: boolean } = {},
) {
  return { name: `audit_changes_${name}_idx`, columns, unique, where: null };
}
