/** Phase 4: operations, transitions and the names of actions (definitions 4, 5). */
import { row } from "../row.ts";
import { didYouMean, quoted } from "../wording.ts";

export const OPERATIONS = {
  UPSERT_NOT_POSSIBLE: row<{ table: string; missing: string }>({
    severity: "error",
    section: "contract 4.1",
    title: "A resource has upsert without what upsert needs",
    message: ({ table, missing }) => `Upsert of ${quoted(table)} needs ${missing}`,
    hint: () => "Set both, or remove the upsert",
  }),
  TRANSITION_TYPE: row<{ column: string; type: string }>({
    severity: "error",
    section: "definitions 4",
    title: "Transitions are declared for a column that holds no state",
    message: ({ column, type }) =>
      `Column ${quoted(column)} of type ${type} has no states to move between`,
    hint: () => "Use a q.enum([…]) column",
  }),
  TRANSITION_STATE: row<{ state: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4",
    title: "A transition names a state that does not exist",
    message: ({ state }) => `Unknown state ${quoted(state)}`,
    hint: didYouMean,
  }),
  ACTION_UNKNOWN: row<{ action: string; table: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4.3",
    title: "A definition names an action that does not exist",
    message: ({ action, table }) => `Unknown action ${quoted(action)} of table ${quoted(table)}`,
    hint: didYouMean,
  }),
  ACTION_TWICE: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "Two actions of one table have one name",
    message: ({ action }) => `Second action ${quoted(action)} of one table`,
    hint: () => "Rename one of them",
  }),
  ACTION_NOT_EXPORTED: row<{ file: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action file exports no action",
    message: ({ file }) => `File ${quoted(file)} has no action as its default export`,
    hint: () => "Write: export default defineAction({ … })",
  }),
  ACTIONS_NOT_SERVED: row<{ count: number }>({
    severity: "warning",
    section: "definitions 5",
    title: "Actions are declared that this version of the service does not serve",
    message: ({ count }) => `Actions are checked by name but not served by this version: ${count}`,
    hint: () => "The generated API has no routes for them",
  }),
} as const;
