/** Table class, declared in quickback/features/classes/classes.ts. */
import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  index,
  integer,
  real,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import { text2 } from "./text.ts";

export const class2 = sqliteTable("class", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  organizationId: text("organizationId").notNull().$default(() => sql`null`),
  parentId: integer("parentId")
    .references((): AnySQLiteColumn => class2.id, { onDelete: "set null" }),
  textId: integer("textId").references((): AnySQLiteColumn => text2.id, { onDelete: "cascade" }),
  default: text("default")
    .notNull()
    .default("*/ `${x}` \n--> statement-breakpoint\n'); DROP TABLE text; --"),
  table: text("table", { enum: ['a"b', "it's", "back`tick", "</script>", "kind: 'x'", "\u202e"] })
    .default("it's"),
  index: integer("index", { mode: "boolean" }).notNull().default(true),
  real: real("real").default(-1.5),
  blob: text("blob", { mode: "json" })
    .default({
      kind: "text",
      maxLength: "x",
      enum: 3,
      "weird key": [1, { kind: "roles", roles: [1] }],
    }),
  createdAt: text("createdAt").notNull().$default(() => sql`null`),
  createdBy: text("createdBy"),
  modifiedAt: text("modifiedAt"),
  modifiedBy: text("modifiedBy"),
  deletedAt: text("deletedAt"),
  deletedBy: text("deletedBy"),
}, (table) => [
  index("class_parentId_organizationId_deletedAt_createdAt_id_idx")
    .on(table.parentId, table.organizationId, table.deletedAt, table.createdAt, table.id),
  index("class_textId_organizationId_deletedAt_createdAt_id_idx")
    .on(table.textId, table.organizationId, table.deletedAt, table.createdAt, table.id),
  index("class_organizationId_deletedAt_createdAt_id_idx")
    .on(table.organizationId, table.deletedAt, table.createdAt, table.id),
]);
