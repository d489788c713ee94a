/** All tables of the project. */

export { class2 } from "./class.ts";
export { text2 } from "./text.ts";
