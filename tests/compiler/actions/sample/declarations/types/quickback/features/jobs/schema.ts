/** All tables of feature jobs. */

export { jobs } from "../../../schema/mod.ts";
export { LIMIT } from "../../../../../quickback/features/jobs/jobs.ts";
export { notes } from "../../../schema/mod.ts";
export { jobNotes } from "../../../../../quickback/features/jobs/notes.ts";
