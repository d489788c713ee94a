/** Lists the codes of phase 4 about actions (contract 2.11, 4.4, definitions 5). */
import { row } from "../diagnostic.ts";
import { didYouMean, quote } from "../wording.ts";

export const ACTIONS = {
  ACTION_STANDALONE_KEY: row<{ action: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "An action is declared standalone by a key that does not exist",
    message: ({ action }) => `Action ${quote(action)} has no key "standalone"`,
    hint: () => "Remove it: an action with a path is standalone",
  }),
  ACTION_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action has a name that no action can have",
    message: ({ name }) => `${quote(name)} is no name for an action`,
    hint: () =>
      "Use letters, digits, - and _, a letter first, and no name that every object has already",
  }),
  ACTION_TABLE_UNKNOWN: row<{ folder: string; feature: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 1",
    title: "A folder of actions is named after no table of its feature",
    message: ({ folder, feature }) => `Feature ${quote(feature)} has no table ${quote(folder)}`,
    hint: didYouMean,
  }),
  ACTION_WITHOUT_TABLE: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action without a path has no table whose records it could bind",
    message: ({ action }) => `Action ${quote(action)} has neither a table nor a path`,
    hint: () => "Give it a path, or put it into actions/<table>/",
  }),
  ACTION_WITHOUT_RESOURCE: row<{ action: string; table: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action without a path binds records of a table without routes",
    message: ({ action, table }) =>
      `Action ${quote(action)} binds records of ${quote(table)}, which has no routes`,
    hint: () => "Give it a path, or make the table a resource with defineTable",
  }),
  ACTION_BEHAVIOUR_MISSING: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action does nothing",
    message: ({ action }) => `Action ${quote(action)} has no execute, no handler and no transition`,
    hint: () => "Add exactly one of execute and handler, or a transition",
  }),
  ACTION_BEHAVIOUR_TWICE: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action has both execute and handler",
    message: ({ action }) => `Action ${quote(action)} has both execute and handler`,
    hint: () => "Remove one of them",
  }),
  ACTION_RECORD_CONDITION: row<{ action: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "An action without a record asks for conditions on one",
    message: ({ action }) =>
      `Action ${quote(action)} binds no record, so access.record cannot hold`,
    hint: () => "Remove the condition, or check it in the handler",
  }),
  TENANT_OF_RECORD: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action of a record finds its tenant by its input",
    message: ({ action }) =>
      `Action ${quote(action)} has "tenantOf" and runs on a record or for an operation`,
    hint: () => "Give it a path, or remove tenantOf",
  }),
  TENANT_OF_ACCESS: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action finds its tenant by its input and is not for everybody",
    message: ({ action }) =>
      `Action ${quote(action)} has "tenantOf" and an access other than roles: ["PUBLIC"]`,
    hint: () => 'Write access: { roles: ["PUBLIC"] }: its caller is anonymous there, whoever it is',
  }),
  TENANT_OF_UNSAFE: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action finds its tenant by its input and is unsafe",
    message: ({ action }) => `Action ${quote(action)} has both "tenantOf" and "unsafe"`,
    hint: () => "Remove one of them: with tenantOf an action stays in the tenant that it finds",
  }),
  TENANT_OF_TENANCY: row({
    severity: "error",
    section: "definitions 5",
    title: "An action finds its tenant by its input where each tenant has a database",
    message: () => "Every organization has a database of its own, and all would have to be asked",
    hint: () =>
      'Remove tenantOf, and let callers name the organization, or tenancy: "perOrganization"',
  }),
  TENANT_OF_TABLE: row<{ table: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action finds its tenant by rows that have none",
    message: ({ table }) => `Table ${quote(table)} has no organization`,
    hint: () => 'Name a table with q.scope("organization")',
  }),
  TENANT_OF_COLUMN: row<{ table: string; column: string; length: number }>({
    severity: "error",
    section: "definitions 5",
    title: "An action finds its tenant by a column whose values can be guessed",
    message: ({ table, column }) =>
      `Column ${quote(column)} of ${quote(table)} holds no long random text`,
    hint: ({ length }) => `Give it .default({ random: ${length} }), or more characters`,
  }),
  TENANT_OF_GUARD: row<{ table: string; column: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action finds its tenant by a column that callers write",
    message: ({ table, column }) =>
      `Column ${quote(column)} of ${quote(table)} stands in its guards, or there are none`,
    hint: () =>
      "Take it out of guards, and list the columns that callers write: whoever writes it would choose a tenant",
  }),
  ACTION_RESPONSE_TYPE: row<{ action: string; responseType: string }>({
    severity: "error",
    section: "contract 2.11",
    title: "A record action answers with a stream or a file",
    message: ({ action, responseType }) =>
      `Record action ${quote(action)} cannot answer with responseType ${quote(responseType)}`,
    hint: () => "Only standalone actions can: give it a path",
  }),
  ACTION_PATH_INVALID: row<{ path: string; problem: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "An action's path is no path",
    message: ({ path, problem }) => `Path ${quote(path)} ${problem}`,
    hint: () => 'Write "/area/name", or "./name" below the resource',
  }),
  ACTION_PATH_RESERVED: row<{ path: string; owner: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "An action's path belongs to something else",
    message: ({ path, owner }) => `Path ${quote(path)} belongs to ${owner}`,
    hint: () => "Choose another path",
  }),
  ACTION_URL_TWICE: row<{ method: string; path: string; other: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "Two actions have one URL",
    message: ({ method, path, other }) =>
      `${method} ${path} is the URL of action ${quote(other)} already`,
    hint: () => "Rename one of them, or give it another path or method",
  }),
  ACTION_MAPPED_PATH: row<{ action: string; verb: string }>({
    severity: "error",
    section: "contract 4.1",
    title: "An operation runs an action that has a path of its own",
    message: ({ action, verb }) =>
      `Operation ${verb} runs action ${quote(action)}, so it cannot have a path or method`,
    hint: () => "Remove the action's path and method",
  }),
  ACTION_MAPPED_BATCH: row<{ action: string }>({
    severity: "warning",
    section: "contract 4.1",
    title: "A batch is configured for an operation that runs an action",
    message: ({ action }) => `There is no batch of an operation that runs action ${quote(action)}`,
    hint: () =>
      "Remove batch: an action with a path of its own is run on several records at /batch/<action>",
  }),
  ACTION_MAPPED_UPSERT: row<{ key: string }>({
    severity: "error",
    section: "contract 4.1",
    title: "An upsert is given an action to run",
    message: ({ key }) => `No action stands for ${key}: only create, update and delete run one`,
    hint: () => 'Remove it; an action with method: "PUT" and a path of its own can do the same',
  }),
  ACTION_MAPPED_TWICE: row<{ action: string; verb: string }>({
    severity: "error",
    section: "contract 4.1",
    title: "Two operations run one action",
    message: ({ action, verb }) => `Operation ${verb} also runs action ${quote(action)}`,
    hint: () => "Write one action for each operation",
  }),
  ACTION_MAPPED_RECORD: row<{ action: string; key: string }>({
    severity: "error",
    section: "contract 4.1",
    title: "A create runs an action that needs a record",
    message: ({ action, key }) =>
      `Action ${quote(action)} runs on create, where there is no record: remove ${key}`,
  }),
  ACTION_GET_INPUT: row<{ action: string; problem: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "The input of a GET action cannot stand in a query",
    message: ({ action, problem }) => `Input of GET action ${quote(action)} ${problem}`,
    hint: () => "Use z.object({…}) of single values, or another method",
  }),
  HANDLER_MISSING: row<{ handler: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 1",
    title: "A handler's file does not exist",
    message: ({ handler }) => `There is no handler at ${quote(handler)}`,
    hint: didYouMean,
  }),
  HANDLER_EXPORT: row<{ file: string }>({
    severity: "error",
    section: "definitions 5",
    title: "A handler's file exports no handler",
    message: ({ file }) => `File ${quote(file)} exports neither execute nor a default`,
    hint: () => "Write: export const execute: ActionExecutor = async ({ … }) => { … }",
  }),
  UNSAFE_SCOPE: row<Record<never, never>>({
    severity: "error",
    section: "definitions 7",
    title: "An unsafe action of one tenant targets all of them",
    message: () => `targetScope "all" needs crossTenant: true`,
    hint: () => 'Set crossTenant: true, or targetScope: "organization"',
  }),
  PACKAGE_UNLISTED: row<{ name: string }>({
    severity: "error",
    section: "definitions 2",
    title: "Authored code imports a package that the project does not list",
    message: ({ name }) => `Package ${quote(name)} is not in build.dependencies`,
    hint: ({ name }) =>
      /^(npm|jsr|https?):/.test(name)
        ? "Import it by its bare name and list it in build.dependencies"
        : "Add it there with its version range",
  }),
  RAW_SQL: row<{ construct: string; action: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "An action writes SQL by hand",
    message: ({ construct, action }) => `Raw SQL (${construct}) in action ${quote(action)}`,
    hint: () => "Use the query builder, or set allowRawSql: true on the action",
  }),
  RAW_DB: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "A handler takes a database that it does not get",
    message: ({ action }) => `Action ${quote(action)} uses rawDb, which no handler gets`,
    hint: () =>
      'Use db, which is scoped to the caller; unsafe: { reason: "…" } gives unsafeDb, allowRawSql: true lets both take SQL',
  }),
  TRANSITION_PLACE: row<{ action: string }>({
    severity: "error",
    section: "definitions 5",
    title: "An action without a record makes a transition",
    message: ({ action }) => `Action ${quote(action)} binds no record that could make a transition`,
    hint: () => "Remove its path or its transition",
  }),
  TRANSITION_TARGET: row<{ problem: string }>({
    severity: "error",
    section: "definitions 5",
    title: "A transition's target is unclear",
    message: ({ problem }) => `A transition ${problem}`,
    hint: () => 'Write to: "<state>", or via: "<input field>"',
  }),
  TRANSITION_UNREACHED: row<{ state: string }>({
    severity: "error",
    section: "definitions 5",
    title: "A transition's target is in none of its moves",
    message: ({ state }) => `No state in fromTo leads to ${quote(state)}`,
  }),
  TRANSITION_OUTSIDE: row<{ from: string; to: string; table: string }>({
    severity: "error",
    section: "definitions 4",
    title: "An action's transition leaves the table's",
    message: ({ from, to, table }) =>
      `The transitions of table ${quote(table)} have no move from ${quote(from)} to ${quote(to)}`,
    hint: () => "Add it to the table's transitions, or remove it here",
  }),
  TRANSITION_COLUMN: row<{ column: string; key: string; expected: string }>({
    severity: "error",
    section: "definitions 5",
    title: "A transition writes a column that it cannot write",
    message: ({ column, key, expected }) => `Column ${quote(column)} of ${key} is not ${expected}`,
  }),
  INPUT_FIELD_UNKNOWN: row<{ field: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 5",
    title: "A definition names a field that the input does not have",
    message: ({ field }) => `The input has no field ${quote(field)}`,
    hint: didYouMean,
  }),
  INPUT_FIELD_TYPE: row<{ field: string; expected: string }>({
    severity: "error",
    section: "definitions 5",
    title: "A field of the input has another type than its use needs",
    message: ({ field, expected }) => `Field ${quote(field)} of the input must be ${expected}`,
  }),
  SCHEMA_OPEN: row<{ action: string; key: string; construct: string }>({
    severity: "warning",
    section: "definitions 5",
    title: "An action's schema cannot be read statically",
    message: ({ action, key, construct }) =>
      `The ${key} of action ${
        quote(action)
      } is open in the API description: ${construct} cannot be read`,
    hint: () => "The running API still validates with your own schema",
  }),
  PATTERN_UNSAFE: row<{ pattern: string; fault: string }>({
    severity: "error",
    section: "definitions 5",
    title: "A pattern can take long to match",
    message: ({ pattern, fault }) => `Pattern ${quote(pattern)} is refused: ${fault}`,
    hint: () => "Write it without nested or overlapping repetitions",
  }),
  INPUT_SCHEMA_MISSING: row<{ key: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "Contract v2 lacks the input schema of an action",
    message: ({ key }) => `actionInputSchemas has no entry ${quote(key)}`,
    hint: () => "Send the JSON Schema of the action's input with the request",
  }),
  INPUT_SCHEMA_INVALID: row<{ key: string; problem: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "An entry of actionInputSchemas is no usable JSON Schema",
    message: ({ key, problem }) => `actionInputSchemas entry ${quote(key)} ${problem}`,
  }),
  INPUT_SCHEMA_UNKNOWN: row<{ key: string; nearest: string | null }>({
    severity: "error",
    section: "contract 4.8",
    title: "An entry of actionInputSchemas names no action",
    message: ({ key }) => `actionInputSchemas entry ${quote(key)} names no action`,
    hint: didYouMean,
  }),
} as const;
