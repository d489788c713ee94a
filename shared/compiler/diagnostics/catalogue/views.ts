/** Lists the codes of phase 4 about a resource's views, operations and realtime (definitions 4 to 6). */
import { didYouMean, quote } from "../wording.ts";
import { row } from "../diagnostic.ts";

/** Codes about views and included records (definitions 4.5). */
export const VIEWS = {
  VIEW_NAME: row<{ view: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view has a name that no view can have",
    message: ({ view }) => `${quote(view)} cannot be a view's name`,
    hint: () => "Use camelCase, and no name that every object has already",
  }),
  VIEW_SEGMENT_TAKEN: row<{ name: string; other: string; segment: string }>({
    severity: "error",
    section: "contract 4.2",
    title: "Two views of a resource have one URL segment",
    message: ({ name, other, segment }) =>
      `Views ${quote(name)} and ${quote(other)} have the same URL segment ${quote(segment)}`,
    hint: () => "Rename one of them",
  }),
  VIEW_UNKNOWN: row<{ view: string; nearest: string | null }>({
    severity: "error",
    section: "contract 4.2",
    title: "The default view does not exist",
    message: ({ view }) => `Unknown view ${quote(view)}`,
    hint: didYouMean,
  }),
  VIEW_EMPTY: row<{ view: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view has no fields",
    message: ({ view }) => `View ${quote(view)} has no fields`,
    hint: () => "List at least one column",
  }),
  VIEW_FIELD_MISSING: row<{ column: string; key: string }>({
    severity: "error",
    section: "contract 2.12",
    title: "A view uses a column that it does not show",
    message: ({ column, key }) =>
      `Column ${quote(column)} of ${quote(key)} is not in the view's fields`,
    hint: () => 'Add it to "fields"',
  }),
  // There is no code VIEW_ROLE_OUTSIDE: a role may have only a view.
  RESTORE_HARD: row({
    severity: "error",
    section: "contract 3.1",
    title: "Rows are to be restored that are removed for good",
    message: () => 'Rows that are deleted with mode "hard" cannot be restored',
    hint: () => 'Write mode: "soft", or remove "restore"',
  }),
  INCLUDE_NOT_KEY: row<{ column: string }>({
    severity: "error",
    section: "contract 4.3",
    title: "An include names a column that is no foreign key",
    message: ({ column }) => `Column ${quote(column)} is no foreign key and cannot be included`,
    hint: () => "Give it .references(() => table.id), or remove it here",
  }),
  INCLUDE_NOT_CHILD: row<{ include: string; table: string }>({
    severity: "error",
    section: "contract 4.3",
    title: "An include names no foreign key that refers to the resource",
    message: ({ include, table }) =>
      `${quote(include)} is no foreign key of a resource that can be read and refers to ${
        quote(table)
      }`,
    hint: () => 'Write "<table>.<column>", where the column is .references(() => table.id)',
  }),
  INCLUDE_NAME_TAKEN: row<{ name: string; include: string }>({
    severity: "error",
    section: "contract 4.3",
    title: "An include has a name that means something else",
    message: ({ name, include }) =>
      `The rows of ${quote(include)} would be called ${quote(name)}, which is taken`,
    hint: ({ include }) => `Write { from: ${quote(include)}, as: "…" }`,
  }),
  SEARCH_TYPE: row<{ column: string; type: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view searches a column that holds no text",
    message: ({ column, type }) => `Column ${quote(column)} of type ${type} cannot be searched`,
    hint: () => "List text, url and enum columns; others are filtered",
  }),
  SEARCH_MASKED: row<{ column: string }>({
    severity: "error",
    section: "definitions 4",
    title: "A full-text index holds a column that a reader sees masked",
    message: ({ column }) =>
      `Column ${quote(column)} is masked for some who read the resource and cannot be indexed`,
    hint: () => "Leave it out of the fields, or show it to every role of read.access",
  }),
  SEARCH_EMPTY: row<{ table: string }>({
    severity: "error",
    section: "definitions 4",
    title: "A full-text index has no column",
    message: ({ table }) => `Table ${quote(table)} has no text that nobody sees masked`,
    hint: () => "Remove the search, or name columns that are not masked in its fields",
  }),
  SEARCH_WEIGHT: row<{ column: string; columns: readonly string[] }>({
    severity: "error",
    section: "definitions 4",
    title: "A weight is of a column that is not in the index",
    message: ({ column }) => `Column ${quote(column)} is not in the index`,
    hint: ({ columns }) => `The index has ${columns.map(quote).join(", ")}`,
  }),
  SEARCH_NOT_INDEXED: row<{ view: string; column: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view searches a column that is not in the full-text index",
    message: ({ view, column }) =>
      `View ${quote(view)} searches ${quote(column)}, which is not in the index`,
    hint: () => "Add it to the fields of the search, or take it out of the view's searchable",
  }),
  SEARCH_TABLE_TAKEN: row<{ table: string; other: string }>({
    severity: "error",
    section: "definitions 4",
    title: "A table has the name of a full-text index",
    message: ({ table, other }) =>
      `Table ${quote(other)} has the name of the index of ${quote(table)}`,
    hint: () => "Give the table another name",
  }),
  SEARCH_ENGINE: row<{ table: string }>({
    severity: "error",
    section: "definitions 4",
    title: "The database of this runtime has no full-text search",
    message: ({ table }) =>
      `Table ${quote(table)} asks for full-text search, which SQLite has not here`,
    hint: () =>
      "Run the project where SQLite has FTS5 (a libSQL file or server), or remove its search",
  }),
  GROUP_KEY: row<{ column: string; problem: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view groups by a column that makes no groups",
    message: ({ column, problem }) => `Cannot group by ${quote(column)}, which ${problem}`,
  }),
  GROUP_MEMBER: row<{ key: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "A view of groups says what only records have",
    message: ({ key }) => `${quote(key)} means nothing beside "groupBy"`,
    hint: () => "Remove it: rows of the view are groups, with their columns and aggregations",
  }),
  GROUP_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "An aggregation of groups has the name of one of their columns",
    message: ({ name }) => `Groups have a column ${quote(name)} already`,
    hint: () => "Give the aggregation another name",
  }),
  AGGREGATION_TYPE: row<{ fn: string; column: string; type: string }>({
    severity: "error",
    section: "definitions 4.5",
    title: "An aggregation does not apply to its column",
    message: ({ fn, column, type }) =>
      `Aggregation ${fn} does not apply to column ${quote(column)} of type ${type}`,
  }),
} as const;

/** Codes about operations, transitions and the names of actions (definitions 4, 5). */
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

/** Codes about realtime of resources, and the registry of signals (contract 6.3, definitions 4, 6). */
export const REALTIME = {
  REALTIME_WITHOUT_READ: row<{ resource: string }>({
    severity: "error",
    section: "definitions 4",
    title: "A resource has realtime and nobody may read it",
    message: ({ resource }) => `Resource ${quote(resource)} has realtime, and no read`,
    hint: () => "A frame shows what a read would: add read.access, or remove realtime",
  }),
  REALTIME_ROLE_OUTSIDE: row<{ role: string; allowed: string }>({
    severity: "error",
    section: "definitions 4",
    title: "Realtime admits a role that may not read the resource",
    message: ({ role, allowed }) =>
      `Role ${quote(role)} is not among the read roles of the resource: ${allowed}`,
    hint: () => "Add it to read.access, or remove it here",
  }),
  REALTIME_FIELD_HIDDEN: row<{ field: string }>({
    severity: "warning",
    section: "definitions 4",
    title: "Realtime lists a column that none of its listeners sees plain",
    message: ({ field }) => `Column ${quote(field)} is masked in every frame`,
    hint: () => "Remove it from realtime.fields, or show it to one of the roles",
  }),
  REALTIME_OFF: row<{ subject: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "Something is realtime while the project is not",
    message: ({ subject }) => `${subject} reaches nobody: realtime.enabled is off`,
    hint: () => "Set realtime: { enabled: true } in the configuration",
  }),
  PUSH_OFF: row<Record<never, never>>({
    severity: "warning",
    section: "definitions 7",
    title: "Messages are pushed that nobody can subscribe to",
    message: () => "sendPush reaches nobody: realtime.push is off",
    hint: () => "Set realtime: { push: true } in the configuration",
  }),
  SIGNAL_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A binding or variant of the realtime registry has a name that no handler could call",
    message: ({ name }) => `${quote(name)} is no name for a binding or variant`,
    hint: () => "Use letters, digits and _, a letter first",
  }),
  SIGNAL_UNKNOWN: row<{ signal: string; nearest: string | null }>({
    severity: "error",
    section: "contract 6.3",
    title: "An action invalidates what the realtime registry does not have",
    message: ({ signal }) => `The realtime registry has no ${quote(signal)}`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ??
        "Define it in quickback/services/realtime.ts: defineRealtime({ <binding>: { <variant>: { keys, audience } } })",
  }),
  SIGNAL_SCOPE_ABSENT: row<{ scope: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A signal's audience is a scope that the project does not have",
    message: ({ scope }) => `Scope ${quote(scope)} needs organizations, and the project has none`,
    hint: () => 'Use "user" or "all", or set features.organizations to true',
  }),
  SIGNAL_SCOPE_EVERYONE: row<Record<never, never>>({
    severity: "error",
    section: "contract 6.3",
    title: "A signal of a project with organizations would reach all of them",
    message: () => 'Scope "all" would reach every organization',
    hint: () => 'Use "organization", "team" or "user"',
  }),
} as const;
