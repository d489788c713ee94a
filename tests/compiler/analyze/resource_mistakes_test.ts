/** A resource mistake is told where it stands (definitions 4). */
import { assertEquals } from "@std/assert";
import { type MistakeRow, toldOf, withResource } from "../../support/analysis.ts";

const ROWS: readonly MistakeRow[] = [
  ["an unknown key", "guard: false,", [
    'UNKNOWN_KEY 4:1 Unknown key "guard" in jobs | Did you mean "guards"?',
  ]],
  ["views at the top", "views: {},", [
    'KEY_REPLACED 4:1 Key "views" in jobs is now "read.views" | Move it to "read.views"',
  ]],
  ["crud.list names read", 'crud: { list: { access: { roles: ["admin"] } } },', [
    'KEY_REPLACED 4:9 Key "list" in jobs.crud is now "read" | Move it to "read"',
  ]],
  ["crud.get names read", 'crud: { get: { access: { roles: ["admin"] } } },', [
    'KEY_REPLACED 4:9 Key "get" in jobs.crud is now "read" | Move it to "read"',
  ]],
  [
    "one operation in two places",
    `create: { access: { roles: ["admin"] } },
crud: { create: { access: { roles: ["admin"] } } },`,
    ['KEY_TWICE 5:9 Key "create" repeats "jobs.create" | Keep one of the two'],
  ],
  [
    "upsert in two spellings",
    `upsert: { access: { roles: ["admin"] } },
put: { access: { roles: ["admin"] } },`,
    [
      'UPSERT_NOT_POSSIBLE 4:1 Upsert of "jobs" needs generateId: false and guards: false | Set both, or remove the upsert',
      'KEY_TWICE 5:1 Key "put" repeats "jobs.upsert" | Keep one of the two',
    ],
  ],
  ["upsert without what it needs", 'upsert: { access: { roles: ["admin"] } },', [
    'UPSERT_NOT_POSSIBLE 4:1 Upsert of "jobs" needs generateId: false and guards: false | Set both, or remove the upsert',
  ]],
  ["an unknown error mode", 'firewallErrorMode: "hidden",', [
    'VALUE_UNKNOWN 4:20 "jobs.firewallErrorMode" is "hidden", expected one of "reveal", "hide" | Did you mean "hide"?',
  ]],
  ["an operation's unknown key", 'create: { acess: { roles: ["admin"] } },', [
    'UNKNOWN_KEY 4:11 Unknown key "acess" in jobs.create | Did you mean "access"?',
  ]],
  ["mode is for delete", 'update: { access: { roles: ["admin"] }, mode: "hard" },', [
    'UNKNOWN_KEY 4:41 Unknown key "mode" in jobs.update | There are "access", "batch", "action"',
  ]],
  ["an unknown delete mode", 'delete: { access: { roles: ["admin"] }, mode: "sotf" },', [
    'VALUE_UNKNOWN 4:47 "jobs.delete.mode" is "sotf", expected one of "soft", "hard" | Did you mean "soft"?',
  ]],
  ["batch true says nothing", 'create: { access: { roles: ["admin"] }, batch: true },', [
    'VALUE_TYPE 4:48 "jobs.create.batch" is true, expected an object',
  ]],
  ["a batch has a size", 'create: { access: { roles: ["admin"] }, batch: { maxBatchSize: 0 } },', [
    'VALUE_INVALID 4:64 "jobs.create.batch.maxBatchSize" is 0, expected an integer of at least 1',
  ]],
  ["an unknown batch key", 'create: { access: { roles: ["admin"] }, batch: { maxBatch: 5 } },', [
    'UNKNOWN_KEY 4:50 Unknown key "maxBatch" in jobs.create.batch | There are "access", "maxBatchSize", "allowFailFast"',
  ]],
  [
    "allowFailFast takes a boolean",
    'create: { access: { roles: ["admin"] }, batch: { allowFailFast: "no" } },',
    ['VALUE_TYPE 4:65 "jobs.create.batch.allowFailFast" is "no", expected true or false'],
  ],
  [
    "a verb mapped to an unknown action",
    'create: { access: { roles: ["admin"] }, action: "open" },',
    ['ACTION_UNKNOWN 4:49 Unknown action "open" of table "jobs"'],
  ],
  ["references of an unknown column", 'references: { customreId: "customers" },', [
    'COLUMN_UNKNOWN 4:15 Unknown column "customreId" of table "jobs" | Did you mean "customerId"?',
  ]],
  ["references to an unknown table", 'references: { note: "custmers" },', [
    'TABLE_UNKNOWN 4:21 Unknown table "custmers" | Did you mean "customers"?',
  ]],
  ["references that contradict", 'references: { customerId: "jobs" },', [
    'REFERENCE_CONFLICT 4:27 Column "customerId" references "jobs" here and "customers" on the column | Keep one of the two',
  ]],
  ["an unknown display column", 'displayColumn: "titel",', [
    'COLUMN_UNKNOWN 4:16 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  ["a display column that cannot be shown", 'displayColumn: "settings",', [
    'COLUMN_NOT_COMPARABLE 4:16 Column "settings" is of type json and cannot be compared',
  ]],
  ["a default sort by an unknown column", 'defaultSort: "-createdOn",', [
    'COLUMN_UNKNOWN 4:14 Unknown column "createdOn" of table "jobs" | Did you mean "createdAt"?',
  ]],
  ["a default sort without a field", 'defaultSort: { order: "asc" },', [
    'KEY_MISSING 4:14 Key "field" is missing in jobs.defaultSort',
  ]],
  ["an unknown order", 'defaultSort: { field: "title", order: "ascending" },', [
    'VALUE_UNKNOWN 4:39 "jobs.defaultSort.order" is "ascending", expected one of "asc", "desc"',
  ]],
  ["a default sort by JSON", 'defaultSort: "settings",', [
    'COLUMN_NOT_COMPARABLE 4:14 Column "settings" is of type json and cannot be compared',
  ]],
  ["unique over an unknown column", 'unique: [{ columns: ["titel"] }],', [
    'COLUMN_UNKNOWN 4:22 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  ["unique over nothing", "unique: [{ columns: [] }],", [
    'VALUE_INVALID 4:21 "jobs.unique[0]" is an empty list, expected at least one column',
  ]],
  ["an index with an unknown key", 'indexes: [{ fields: ["title"] }],', [
    'UNKNOWN_KEY 4:13 Unknown key "fields" in jobs.indexes[0] | There are "columns"',
  ]],
  ["a rate limit of list", "rateLimit: { list: { limit: 1, period: 60 } },", [
    'RATE_OPERATION_UNKNOWN 4:14 Unknown operation "list" in rateLimit, expected read, create, update or delete | Did you mean "read"?',
  ]],
  ["a rate period", "rateLimit: { read: { limit: 1, period: 61 } },", [
    'VALUE_UNKNOWN 4:40 "jobs.rateLimit.read.period" is 61, expected one of 10, 60',
  ]],
  ["transitions of an unknown column", 'transitions: { state: { open: ["closed"] } },', [
    'COLUMN_UNKNOWN 4:16 Unknown column "state" of table "jobs"',
  ]],
  ["transitions to an unknown state", 'transitions: { status: { open: ["clsoed"] } },', [
    'TRANSITION_STATE 4:33 Unknown state "clsoed" | Did you mean "closed"?',
  ]],
  ["transitions from an unknown state", 'transitions: { status: { opne: ["closed"] } },', [
    'TRANSITION_STATE 4:26 Unknown state "opne" | Did you mean "open"?',
  ]],
  ["transitions of a column without states", 'transitions: { amount: { "1": ["2"] } },', [
    'TRANSITION_TYPE 4:16 Column "amount" of type int has no states to move between | Use a q.enum([…]) column',
  ]],
  ["realtime's unknown key", "realtime: { onCreate: true },", [
    'UNKNOWN_KEY 4:13 Unknown key "onCreate" in jobs.realtime | There are "enabled", "onInsert", "onUpdate", "onDelete", "roles", "requiredRoles", "fields"',
  ]],
  ["realtime's unknown field", 'realtime: { fields: ["titel"] },', [
    'COLUMN_UNKNOWN 4:22 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  ["allowClientIds takes a boolean", 'allowClientIds: "yes",', [
    'VALUE_TYPE 4:17 "jobs.allowClientIds" is "yes", expected true or false',
  ]],
  ["an id prefix", 'idPrefix: "Job-",', [
    'VALUE_INVALID 4:11 "jobs.idPrefix" is "Job-", expected lower-case letters, digits and _',
  ]],
  ["a function is no layout", 'layouts: { form: () => "x" },', [
    'VALUE_TYPE 4:18 "jobs.layouts.form" is a function, expected a literal value',
  ]],
  ["an unknown read key", "read: { acces: {} },", [
    'UNKNOWN_KEY 4:9 Unknown key "acces" in jobs.read | Did you mean "access"?',
  ]],
  [
    "an include that is no foreign key",
    'read: { access: { roles: ["admin"] }, include: ["title"] },',
    ['INCLUDE_NOT_KEY 4:49 Column "title" is no foreign key and cannot be included | Give it .references(() => table.id), or remove it here'],
  ],
  [
    "an unknown default view",
    'read: { access: { roles: ["admin"] }, views: { short: { fields: ["title"] } }, defaultView: "shrot" },',
    ['VIEW_UNKNOWN 4:93 Unknown view "shrot" | Did you mean "short"?'],
  ],
  ["a page size", 'read: { access: { roles: ["admin"] }, pageSize: 0 },', [
    'VALUE_INVALID 4:49 "jobs.read.pageSize" is 0, expected an integer of at least 1',
  ]],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Resource: ${title}`, () => {
    assertEquals(toldOf(withResource(source).errors), expected);
  });
}
