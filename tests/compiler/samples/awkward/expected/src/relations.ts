/** What belongs to a row, by the foreign keys of the project. */
import { relations } from "drizzle-orm";
import { class2 } from "./schema/class.ts";
import { text2 } from "./schema/text.ts";

export const class2Relations = relations(class2, ({ one, many }) => ({
  classByParentId: many(class2, { relationName: "class.parentId" }),
  parent: one(class2, {
    fields: [class2.parentId],
    references: [class2.id],
    relationName: "class.parentId",
  }),
  text: one(text2, {
    fields: [class2.textId],
    references: [text2.id],
    relationName: "class.textId",
  }),
}));

export const text2Relations = relations(text2, ({ many }) => ({
  class: many(class2, { relationName: "class.textId" }),
}));
