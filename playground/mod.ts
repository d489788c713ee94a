/** The playground's face: the page in which `dev` lets its project be edited, compiled and tried (definitions 8). */
export { NO_STATUS, type OpenOptions, Playground } from "./playground.ts";
export type { ApiAddress, Credential } from "./server/ask_api.ts";
export type { Delivery, EditorLibrary, Status, StoredRows, Table } from "./protocol.ts";
export { PlaygroundRefusal } from "./server/request_body.ts";
