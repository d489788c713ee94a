/** Phase 4: operations, transitions and the names of actions (definitions 4, 5). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean } from "../wording.ts";

export const OPERATIONS = {
  UPSERT_NOT_POSSIBLE: row<{ table: string; missing: string }>({
    severity: "error",
    section: "contract 4.1",
    title: "A resource has upsert without what upsert needs",
    message: ({ table, missing }) => `Upsert of ${quote(table)} needs ${missing}`,
    hint: () => "Set both, or remove the upsert",
  }),
  TRANSITION_TYPE: row<{ column: string; type: string }>({
    severity: "error",
    section: "definitions 4",
    title: "Transitions are declared for a column that holds no state",
    message: ({ column, type }) =>
      `Column ${quote(column)} of type ${type} has no states to move between`,
    hint: () => "Use a q.enum([…]) column",
  }),
  TRANSITION_STATE: row<{ state: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4",
    title: "A transition names a state that does not exist",
    message: ({ state }) => `Unknown state ${quote(state)}`,
    hint: didYouMean,
  }),
  ACTION_UNKNOWN: row<{ action: string; table: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4.3",
    title: "A definition names an action that does not exist",
    message: ({ action, table }) => `Unknown action ${quote(action)} of table ${quote(table)}`,
    hint: didYouMean,
  }),
  ACTION_TWICE: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "Two actions of one table have one name",
    message: ({ action }) => `Second action ${quote(action)} of one table`,
    hint: () => "Rename one of them",
  }),
  ACTION_NOT_EXPORTED: row<{ file: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action file exports no action",
    message: ({ file }) => `File ${quote(file)} has no action as its default export`,
    hint: () => "Write: export default defineAction({ … })",
  }),
} as const;
