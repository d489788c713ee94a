/** Table text, declared in quickback/features/text/text.ts. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const text2 = sqliteTable("text", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  organizationId: text("organizationId").notNull().$default(() => sql`null`),
  name: text("name", { enum: ["x", "y"] }),
  createdAt: text("createdAt").notNull().$default(() => sql`null`),
  createdBy: text("createdBy"),
  modifiedAt: text("modifiedAt"),
  modifiedBy: text("modifiedBy"),
  deletedAt: text("deletedAt"),
  deletedBy: text("deletedBy"),
}, (table) => [
  uniqueIndex("text_organizationId_name_unique")
    .on(table.organizationId, table.name)
    .where(sql`${table.deletedAt} IS NULL`),
  index("text_organizationId_deletedAt_createdAt_id_idx")
    .on(table.organizationId, table.deletedAt, table.createdAt, table.id),
]);
