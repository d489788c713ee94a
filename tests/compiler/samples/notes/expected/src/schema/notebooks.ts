/** Table notebooks, declared in quickback/features/notebooks/notebooks.ts. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const notebooks = sqliteTable("notebooks", {
  id: text("id").primaryKey().$default(() => sql`null`),
  organizationId: text("organization_id").notNull().$default(() => sql`null`),
  title: text("title").notNull(),
  isArchived: integer("is_archived", { mode: "boolean" }).notNull().default(false),
  coverUrl: text("cover_url"),
  createdAt: text("created_at").notNull().$default(() => sql`null`),
  createdBy: text("created_by"),
  modifiedAt: text("modified_at"),
  modifiedBy: text("modified_by"),
  deletedAt: text("deleted_at"),
  deletedBy: text("deleted_by"),
}, (table) => [
  uniqueIndex("notebooks_organization_id_title_unique")
    .on(table.organizationId, table.title)
    .where(sql`${table.deletedAt} IS NULL`),
  index("notebooks_organization_id_deleted_at_created_at_id_idx")
    .on(table.organizationId, table.deletedAt, table.createdAt, table.id),
]);
