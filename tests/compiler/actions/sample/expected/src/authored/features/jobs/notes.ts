import { notes as generatedTable } from "../../../schema/notes.ts";
import { defineTable, q } from "quickback";
import jobs from "./jobs.ts";
export const jobNotes = generatedTable;
export default generatedTable;

export { generatedTable as notes };
