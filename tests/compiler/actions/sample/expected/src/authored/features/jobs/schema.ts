/** All tables of the feature. */

export { LIMIT, jobs } from "./jobs.ts";
export { jobNotes, notes } from "./notes.ts";
