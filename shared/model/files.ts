/** Files of a project, and the service's table for them. */
import { fileOf } from "../column_types/mod.ts";
import type { ProjectModel } from "./project.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";

export function hasFiles({ tables }: Pick<ProjectModel, "tables">): boolean {
  return tables.some(({ columns }) => columns.some(({ type }) => fileOf(type) !== null));
}

/** One row for the instance that searches for unreferenced files, as a lease. */
export const FILE_COLLECTIONS: SqlTable = {
  name: "quickback_file_collections",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    // The instance that holds the lease.
    { ...text("holder"), notNull: true },
    // Milliseconds since the epoch.
    { ...text("held_until"), type: "integer", notNull: true },
  ],
  indexes: [],
};
