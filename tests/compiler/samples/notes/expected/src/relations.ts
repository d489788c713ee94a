/** What belongs to a row, by the foreign keys of the project. */
import { relations } from "drizzle-orm";
import { notebooks } from "./schema/notebooks.ts";
import { notes } from "./schema/notes.ts";

export const notebooksRelations = relations(notebooks, ({ many }) => ({
  notes: many(notes, { relationName: "notes.notebookId" }),
}));

export const notesRelations = relations(notes, ({ one }) => ({
  notebook: one(notebooks, {
    fields: [notes.notebookId],
    references: [notebooks.id],
    relationName: "notes.notebookId",
  }),
}));
