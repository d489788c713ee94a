/** The database of each row when every organization has its own (definitions 2, `tenancy`). */
import type { DatabaseModel, ProjectModel } from "./project.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import type { TableModel } from "./table.ts";

/** `directory`: the one database of accounts and of rows without an organization. `tenant`: the database of an organization. */
export type Home = "directory" | "tenant";

/** Returns the home of a table's rows. A team is inside its organization. */
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

/** Returns the project with all rows in one database. The layers of a request stay the same. */
export function inOneDatabase(project: ProjectModel): ProjectModel {
  const { tenancy: _, ...database } = project.database;
  return { ...project, database };
}

/** One row per organization's database, in the directory. The row outlives the database and then records its end. */
export const TENANT_DATABASES: SqlTable = {
  name: "tenant_databases",
  columns: [
    { ...text("organization_id"), notNull: true, primaryKey: true },
    // Name of the file or namespace.
    { ...text("name"), notNull: true },
    // `making`, `ready`, `moving` or `deleted`.
    { ...text("status"), notNull: true },
    // Time in the journal of the last applied migration; 0: none.
    { ...text("migrated"), type: "integer", notNull: true },
    // Reason why the last migration failed; null: it did not fail.
    text("failure"),
    { ...text("created_at"), notNull: true },
    // Milliseconds since the epoch of the last unfinished work in it; null: there is none.
    { ...text("work_at"), type: "integer" },
    // Address of the folder or server it was moved to; null: the default place.
    text("place"),
    // Id of the taking over whose removal of webhook endpoints is still pending in it; null: none.
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
