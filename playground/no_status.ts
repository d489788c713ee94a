/** The state of a run that has done nothing yet. */
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
