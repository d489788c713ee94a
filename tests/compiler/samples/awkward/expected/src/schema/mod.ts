/** All tables of the project. */

export * from "../relations.ts";
export { class2 } from "./class.ts";
export { text2 } from "./text.ts";
