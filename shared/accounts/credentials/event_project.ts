/** Facts about a project that events depend on: its tables and its role hierarchy. */
import * as model from "../../model/mod.ts";
import type { Reader } from "../../runtime/ports.ts";

/** Names of account tables, which depend on the library's options. */
type AuthTableName = `auth_${string}`;

export interface EventProject {
  /** True for a service table that the project has. */
  has(table: model.ServiceTableName | AuthTableName): boolean;
  /** True when bearer tokens exist. */
  readonly hasTokens: boolean;
  /** True when organizations have databases of their own, which then hold their webhook endpoints. */
  readonly isDivided: boolean;
  /** Roles from the lowest to the highest. */
  readonly roleHierarchy: readonly string[];
  /** SQL names of the table of push registrations and its owner column; null: there is no such table. */
  readonly registrations: { readonly table: string; readonly owner: string } | null;
}

export function eventProject(project: model.ProjectModel): EventProject {
  const tables = new Set(model.serviceTables(project).map(({ name }) => name));
  return {
    has: (table) => tables.has(table),
    hasTokens: project.auth.jwt !== null,
    isDivided: model.isPerOrganization(project),
    roleHierarchy: project.auth.roleHierarchy,
    registrations: registrationsOf(project),
  };
}

function registrationsOf({ realtime, tables }: model.ProjectModel): EventProject["registrations"] {
  if (!realtime.push) return null;
  const table = tables.find(({ name }) => name === model.PUSH_SUBSCRIPTIONS);
  const owner = table?.columns.find(({ name }) => name === "ownerId");
  return table && owner ? { table: table.sqlName, owner: owner.sqlName } : null;
}

/**
 * Derives these facts from a database, for an operator's command without the project. They suffice for events that end no push
 * registration.
 */
export async function eventProjectIn(reader: Reader): Promise<EventProject> {
  const { rows } = await reader.run({
    sql: `SELECT "name" FROM "sqlite_master" WHERE "type" = 'table'`,
    args: [],
  });
  const tables = new Set(rows.map(([name]) => String(name)));
  return {
    has: (table) => tables.has(table),
    hasTokens: tables.has("auth_token_cutoff"),
    isDivided: tables.has("tenant_databases"),
    roleHierarchy: [],
    registrations: null,
  };
}
