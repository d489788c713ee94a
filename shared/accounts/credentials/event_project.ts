/** What an event asks of a project: which tables there are, and who follows whom. */
import * as model from "../../model/mod.ts";
import type { Reader } from "../../runtime/ports.ts";

/** Names of tables of accounts, which their library's options make. */
type AuthTableName = `auth_${string}`;

export interface EventProject {
  /** True for a service table that the project has. */
  has(table: model.ServiceTableName | AuthTableName): boolean;
  /** Bearer tokens exist. */
  readonly hasTokens: boolean;
  /** Organizations have databases of their own, and there their webhook endpoints. */
  readonly isDivided: boolean;
  /** Lowest first. */
  readonly roleHierarchy: readonly string[];
  /** SQL names of the table of push registrations, and of its owners; null: there is none. */
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

/** The same of a database, for an operator who has no project at hand: enough for events that end no registration. */
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
