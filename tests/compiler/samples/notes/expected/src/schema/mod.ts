/** All tables of the project. */

export { notebooks } from "./notebooks.ts";
export { notes } from "./notes.ts";
