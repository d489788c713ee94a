/** Status of a run that has not started anything yet. */
import type { Status } from "./protocol.ts";

export const NO_STATUS: Status = {
  phase: "compiling",
  message: "Compiling",
  api: null,
  people: [],
  tables: [],
  events: null,
  webhooks: null,
  changes: null,
};
