/** The playground's face: the page in which `dev` lets its project be edited, compiled and tried (definitions 8). */
export { type OpenOptions, Playground } from "./playground.ts";
export type { EditorLibrary, Status } from "./protocol.ts";
