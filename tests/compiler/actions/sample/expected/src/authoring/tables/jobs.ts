/** What actions of table jobs import as quickback: their records are its rows. */
import { type DefineAction, defineActionOf } from "../../quickback/authoring/action.ts";
import { type jobs } from "../../schema/jobs.ts";

export * from "../../quickback/authoring/mod.ts";

type Row = typeof jobs.$inferSelect;

export const defineAction: DefineAction<Row> = defineActionOf<Row>();
