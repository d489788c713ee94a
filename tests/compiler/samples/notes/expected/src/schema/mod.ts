/** All tables of the project. */

export * from "../relations.ts";
export { notebooks } from "./notebooks.ts";
export { notes } from "./notes.ts";
