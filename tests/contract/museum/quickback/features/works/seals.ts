import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import works from "./works";

export const seals = sqliteTable("seals", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  workId: text("work_id").notNull().references(() => works.id, {
    onDelete: "cascade",
    onUpdate: "cascade",
  }),
  kind: text("kind", { enum: ["wax", "lead"], length: 8 }).default("wax").unique(),
  weight: real("weight"),
  turns: integer("turns", { mode: "number" }).$type<number>(),
});
export default seals;
