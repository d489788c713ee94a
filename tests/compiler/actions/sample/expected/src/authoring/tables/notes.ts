/** What actions of table notes import as quickback: their records are its rows. */
import { type DefineAction, defineActionOf } from "../../quickback/authoring/action.ts";
import { type notes } from "../../schema/notes.ts";

export * from "../../quickback/authoring/mod.ts";

type Row = typeof notes.$inferSelect;

export const defineAction: DefineAction<Row> = defineActionOf<Row>();
