/** Homes of rows where each organization has a database of its own (definitions 2, `tenancy`). */
import type { DatabaseModel, ProjectModel } from "./project.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import type { TableModel } from "./table.ts";

/** The one database of accounts and of what belongs to no organization, or that of an organization. */
export type Home = "directory" | "tenant";

/** Home of a table's rows; a team is inside its organization. */
export function homeOf({ scope, firewall }: Pick<TableModel, "scope" | "firewall">): Home {
  const isScoped = scope.organization !== null || scope.team !== null ||
    firewall.some(({ kind }) => kind === "organization" || kind === "team");
  return isScoped ? "tenant" : "directory";
}

export function isPerOrganization(
  { database }: { readonly database: Pick<DatabaseModel, "tenancy"> },
): boolean {
  return database.tenancy === "perOrganization";
}

/** The same project with all rows in one database: the layers of every request are the same. */
export function inOneDatabase(project: ProjectModel): ProjectModel {
  const { tenancy: _, ...database } = project.database;
  return { ...project, database };
}

/** One row per database of an organization, in the directory. It outlives the database, and then says that it is over. */
export const TENANT_DATABASES: SqlTable = {
  name: "tenant_databases",
  columns: [
    { ...text("organization_id"), notNull: true, primaryKey: true },
    // Of the file or namespace.
    { ...text("name"), notNull: true },
    // `making`, `ready`, `moving` or `deleted`.
    { ...text("status"), notNull: true },
    // Time of its last migration in the journal; 0: none.
    { ...text("migrated"), type: "integer", notNull: true },
    // Why its last migration failed; null: it did not.
    text("failure"),
    { ...text("created_at"), notNull: true },
    // Milliseconds since the epoch when unfinished work was last left in it; null: it has none.
    { ...text("work_at"), type: "integer" },
    // Address of the folder or server that it was moved to; null: where new ones are made.
    text("place"),
    // Names the taking over whose end of the webhook endpoints in it is still to be carried out; null: there is none.
    text("endpoints_over"),
  ],
  indexes: [
    { name: "tenant_databases_name_idx", columns: ["name"], unique: true, where: null },
    {
      name: "tenant_databases_work_idx",
      columns: ["organization_id"],
      unique: false,
      where: `"work_at" IS NOT NULL`,
    },
  ],
};
