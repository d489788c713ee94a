import { defineTable } from "quickback";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const wards = sqliteTable("wards", {
  id: text("id").primaryKey(),
  organizationId: text("organization_id").notNull(),
  title: text("title").notNull(),
  isOpen: integer("is_open", { mode: "boolean" }).notNull().default(true),
  free: integer("free").notNull().default(3),
});

export default defineTable(wards, {
  guards: { createable: ["title"] },
  read: { access: { roles: ["clerk+"] } },
  create: { access: { roles: ["nurse+"] } },
});
