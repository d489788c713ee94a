/** Table notes, declared in quickback/features/notebooks/notes.ts. */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { notebooks } from "./notebooks.ts";

export const notes = sqliteTable("notes", {
  id: text("id").primaryKey().$default(() => sql`null`),
  organizationId: text("organization_id").notNull().$default(() => sql`null`),
  ownerId: text("owner_id").notNull().$default(() => sql`null`),
  notebookId: text("notebook_id")
    .notNull()
    .references((): AnySQLiteColumn => notebooks.id, { onDelete: "cascade" }),
  body: text("body").notNull().default('It\'s "quoted", `ticked` and */ closed'),
  mood: text("mood", { enum: ["calm", "it's fine", 'so "so"'] }),
  rating: integer("rating"),
  meta: text("meta", { mode: "json" }),
  writtenAt: text("written_at").notNull().$default(() => sql`null`),
  revision: integer("revision").notNull().default(1),
  createdAt: text("created_at").notNull().$default(() => sql`null`),
  createdBy: text("created_by"),
  modifiedAt: text("modified_at"),
  modifiedBy: text("modified_by"),
}, (table) => [
  index("notes_notebook_id_organization_id_created_at_id_idx")
    .on(table.notebookId, table.organizationId, table.createdAt, table.id),
  index("notes_organization_id_created_at_id_idx")
    .on(table.organizationId, table.createdAt, table.id),
  index("notes_owner_id_created_at_id_idx").on(table.ownerId, table.createdAt, table.id),
  index("notes_organization_id_written_at_id_idx")
    .on(table.organizationId, table.writtenAt, table.id),
]);
