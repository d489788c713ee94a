/** A column mistake is told where it stands, in both notations (definitions 3). */
import { assertEquals } from "@std/assert";
import {
  type MistakeRow,
  toldOf,
  withColumns,
  withDrizzleColumns,
} from "../../support/analysis.ts";

const Q_ROWS: readonly MistakeRow[] = [
  ["an unknown builder", "title: q.string(),", [
    "COLUMN_BUILDER 4:8 Unknown column builder q.string() | Write q.text(), with { maxLength } where it has a limit",
  ]],
  ["a near miss of a builder", "title: q.txt(),", [
    "COLUMN_BUILDER 4:8 Unknown column builder q.txt() | Did you mean q.text()?",
  ]],
  ["a value that is no column", 'title: "text",', [
    'VALUE_TYPE 4:8 "jobs.title" is "text", expected a column such as q.text()',
  ]],
  ["an unknown option", "title: q.text({ maxLenght: 3 }),", [
    'UNKNOWN_KEY 4:17 Unknown key "maxLenght" in jobs.title | Did you mean "maxLength"?',
  ]],
  ["maxLength is positive", "title: q.text({ maxLength: 0 }),", [
    'VALUE_INVALID 4:28 "jobs.title.maxLength" is 0, expected an integer of at least 1',
  ]],
  ["an enum has values", "status: q.enum([]),", [
    'VALUE_TYPE 4:16 "jobs.status" is an empty list, expected a list with at least one value',
  ]],
  ["an enum names a value once", 'status: q.enum(["a", "b", "a"]),', [
    'LISTED_TWICE 4:27 "a" stands twice in "jobs.status" | Remove one of the two',
  ]],
  ["an enum is a list", 'status: q.enum("a"),', [
    'VALUE_TYPE 4:16 "jobs.status" is "a", expected a list | Write ["a"]',
  ]],
  ["an enum has an argument", "status: q.enum(),", [
    "ARGUMENTS 4:9 Arguments of q.enum are wrong, expected q.enum(…) with one argument",
  ]],
  ["a boolean takes no argument", "amount: q.bool({ min: 1 }),", [
    "ARGUMENTS 4:9 Arguments of q.bool are wrong, expected q.bool() with no argument",
  ]],
  ["bounds without room", "amount: q.int({ min: 2, max: 1 }),", [
    'VALUE_INVALID 4:30 "jobs.amount.max" is 1, expected at least 2',
  ]],
  ["a bound of another type", 'due: q.date({ min: "soon" }),', [
    'VALUE_INVALID 4:20 "jobs.due.min" is "soon", expected an ISO 8601 date',
  ]],
  ["an unknown scope", 'tenantId: q.scope("organisation"),', [
    'VALUE_UNKNOWN 4:19 "jobs.tenantId" is "organisation", expected one of "organization", "owner", "team" | Did you mean "organization"?',
  ]],
  ["an unknown modifier", "title: q.text().requierd(),", [
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .requierd() on column "title" | Did you mean .required()?',
  ]],
  ["a modifier of the other notation", "title: q.text().notNull(),", [
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .notNull() on column "title" | Write .required()',
  ]],
  ["a modifier without arguments", "title: q.text().required(true),", [
    "ARGUMENTS 4:17 Arguments of .required are wrong, expected .required() without arguments",
  ]],
  ["required and optional", "title: q.text().required().optional(),", [
    'COLUMN_NULLABILITY 4:28 Column "title" is required and optional at once | Remove .optional(): this column always has a value',
  ]],
  ["a default of another type", 'amount: q.int().default("1"),', [
    'DEFAULT_INVALID 4:25 Default of "amount" is "1", expected an integer',
  ]],
  ["a default outside the enum", 'status: q.enum(["open", "closed"]).default("opne"),', [
    'DEFAULT_INVALID 4:44 Default of "status" is "opne", expected one of "open", "closed" | Did you mean "open"?',
  ]],
  ["a default longer than allowed", 'title: q.text({ maxLength: 3 }).default("long"),', [
    'DEFAULT_INVALID 4:41 Default of "title" is "long", expected at most 3 characters',
  ]],
  ["a default that is no date", 'at: q.timestamp().default("today"),', [
    'DEFAULT_INVALID 4:27 Default of "at" is "today", expected an ISO 8601 date-time with time zone',
  ]],
  ["a default that is no day", 'on: q.date().default("2026-02-30"),', [
    'DEFAULT_INVALID 4:22 Default of "on" is "2026-02-30", expected an ISO 8601 date',
  ]],
  ["a day has no time of the create", "on: q.date().defaultNow(),", [
    'MODIFIER_MISPLACED 4:14 Modifier .defaultNow() does not apply to "jobs.on" of type date | Remove it',
  ]],
  ["a default that is no address", 'site: q.url().default("javascript:alert(1)"),', [
    'DEFAULT_INVALID 4:23 Default of "site" is "javascript:alert(1)", expected an http or https URL',
  ]],
  ["null is no default of a required column", "title: q.text().required().default(null),", [
    'DEFAULT_INVALID 4:36 Default of "title" is null, expected a value, because the column is required',
  ]],
  ["a boolean default", "done: q.bool().default(0),", [
    'DEFAULT_INVALID 4:24 Default of "done" is 0, expected true or false',
  ]],
  ["default takes one value", "done: q.bool().default(),", [
    "ARGUMENTS 4:16 Arguments of .default are wrong, expected .default(value)",
  ]],
  ["defaultNow is for times", "title: q.text().defaultNow(),", [
    'MODIFIER_MISPLACED 4:17 Modifier .defaultNow() does not apply to "jobs.title" of type text | Remove it',
  ]],
  ["searchable is for text", "amount: q.int().searchable(),", [
    'MODIFIER_MISPLACED 4:17 Modifier .searchable() does not apply to "jobs.amount" of type int | Remove it',
  ]],
  ["an id has no default", 'id: q.id().default("x"),', [
    'MODIFIER_MISPLACED 4:12 Modifier .default() does not apply to "jobs.id" of type id | Remove it',
  ]],
  ["a scope is never optional", 'ownerId: q.scope("owner").optional(),', [
    'MODIFIER_MISPLACED 4:27 Modifier .optional() does not apply to "jobs.ownerId" of type scope | Remove it',
  ]],
  ["a second primary key", "id: q.id(), key: q.id(),", [
    'PRIMARY_KEY_TWICE 4:13 Column "key" is a second primary key | Keep one; a table has exactly one',
  ]],
  ["another name for the primary key", "key: q.id(),", [
    'PRIMARY_KEY_NAME 4:1 Primary key "key" of a resource must be called "id" | Rename it to "id"',
  ]],
  ["id is the primary key", "id: q.text(),", [
    `PRIMARY_KEY_TYPE 4:1 Column "id" cannot be the primary key | Declare it as q.id(), or as text("id").primaryKey() in drizzle's notation`,
  ]],
  ["a second column of one scope", 'tenantId: q.scope("organization"),', [
    'SCOPE_TWICE 4:1 Column "tenantId" is a second organization scope beside "organizationId" | Keep one of the two',
  ]],
  ["a second revision", "a: q.revision(), b: q.revision(),", [
    'SCOPE_TWICE 4:18 Column "b" is a second revision beside "a" | Keep one of the two',
  ]],
  ["a scope's name on another type", "ownerId: q.int(),", [
    'SCOPE_COLUMN_TYPE 4:1 Column "ownerId" cannot carry the owner scope | Declare it as q.scope("owner"), or rename it if it means something else',
  ]],
  ["a scope's name on a foreign key", "ownerId: q.text().references(() => customers.id),", [
    'SCOPE_COLUMN_TYPE 4:1 Column "ownerId" cannot carry the owner scope | Declare it as q.scope("owner"), or rename it if it means something else',
  ]],
  ["a system column of another type", "createdAt: q.text(),", [
    'SYSTEM_COLUMN_TYPE 4:1 System column "createdAt" must be of type timestamp | Remove the declaration: every table has this column',
  ]],
  ["two names that are one in SQL", "dueAt: q.timestamp(), due_at: q.timestamp(),", [
    'COLUMN_TWICE 4:23 Columns "due_at" and "dueAt" are both "due_at" in SQL | Rename one of them',
  ]],
  ["a name that every object has", "constructor: q.text(),", [
    'KEY_FORBIDDEN 4:1 Key "constructor" cannot be used | Choose another name',
  ]],
  ["a name that starts with a capital", "Title: q.text(),", [
    `COLUMN_NAME 4:1 "Title" cannot be a column's name | Use camelCase, and no name that every object or answer has already`,
  ]],
  ["a foreign key of another type", "customerId: q.int().references(() => customers.id),", [
    'REFERENCE_TYPE 4:1 Column "customerId" cannot hold a key of table "customers", expected q.text()',
  ]],
  ["a foreign key to another column", "customerId: q.text().references(() => customers.name),", [
    'REFERENCE_NOT_KEY 4:39 Foreign key to table "customers" must point at its primary key "id" | Write .references(() => table.id)',
  ]],
  ["a foreign key to a table as a whole", "customerId: q.text().references(() => customers),", [
    'REFERENCE_NOT_KEY 4:39 Foreign key to table "customers" must point at its primary key "id" | Write .references(() => table.id)',
  ]],
  [
    "a foreign key that is no arrow to a table",
    'customerId: q.text().references("customers.id"),',
    ['VALUE_TYPE 4:33 "jobs.customerId" is "customers.id", expected () => table.id'],
  ],
  [
    "an unknown onDelete",
    'customerId: q.text().references(() => customers.id, { onDelete: "casade" }),',
    ['VALUE_UNKNOWN 4:65 "jobs.customerId.onDelete" is "casade", expected one of "cascade", "set null", "restrict", "no action" | Did you mean "cascade"?'],
  ],
  [
    "set null on a required column",
    'customerId: q.text().required().references(() => customers.id, { onDelete: "set null" }),',
    ['SET_NULL_REQUIRED 4:76 Column "customerId" is required and cannot be set to null | Make it optional, or choose another onDelete such as "cascade"'],
  ],
  [
    "an unknown option of references",
    'customerId: q.text().references(() => customers.id, { ondelete: "cascade" }),',
    ['UNKNOWN_KEY 4:55 Unknown key "ondelete" in jobs.customerId | Did you mean "onDelete"?'],
  ],
  ["protected by an unknown action", 'status: q.text().protected("close"),', [
    'ACTION_UNKNOWN 4:28 Unknown action "close" of table "jobs"',
  ]],
  [
    "a label's name is taken",
    "customerId: q.text().references(() => customers.id), customer_label: q.text(),",
    ['LABEL_TAKEN 4:54 Column "customer_label" has the name of the label of foreign key "customerId" | Rename it'],
  ],
];

const DRIZZLE_ROWS: readonly MistakeRow[] = [
  ["an unknown builder", 'data: blob("data"),', [
    "COLUMN_BUILDER 4:7 Unknown column builder blob() | There are text(), integer(), real()",
  ]],
  ["an unknown mode", 'done: integer("done", { mode: "bool" }),', [
    'VALUE_UNKNOWN 4:31 "jobs.done.mode" is "bool", expected one of "number", "boolean", "timestamp", "timestamp_ms"',
  ]],
  ["an unknown modifier", 'title: text("title").notnull(),', [
    'MODIFIER_UNKNOWN 4:22 Unknown modifier .notnull() on column "title" | Did you mean .notNull()?',
  ]],
  ["a modifier that computes", 'title: text("title").$defaultFn(() => "x"),', [
    'MODIFIER_UNKNOWN 4:22 Unknown modifier .$defaultFn() on column "title" | Did you mean .default()?',
  ]],
  ["a primary key that is no key", 'price: real("price").primaryKey(),', [
    `PRIMARY_KEY_TYPE 4:22 Column "price" cannot be the primary key | Declare it as q.id(), or as text("id").primaryKey() in drizzle's notation`,
  ]],
  ["a name that is no SQL name", 'title: text("my title"),', [
    'VALUE_TYPE 4:13 "jobs.title" is "my title", expected a plain SQL name',
  ]],
  ["two columns with one SQL name", 'title: text("title"), name: text("title"),', [
    'COLUMN_TWICE 4:23 Columns "name" and "title" are both "title" in SQL | Rename one of them',
  ]],
  ["a default of another type", 'done: integer({ mode: "boolean" }).default(1),', [
    'DEFAULT_INVALID 4:44 Default of "done" is 1, expected true or false',
  ]],
];

for (const [title, source, expected] of Q_ROWS) {
  Deno.test(`Columns: ${title}`, () => {
    assertEquals(toldOf(withColumns(source).errors), expected);
  });
}

for (const [title, source, expected] of DRIZZLE_ROWS) {
  Deno.test(`Columns in drizzle's notation: ${title}`, () => {
    assertEquals(toldOf(withDrizzleColumns(source).errors), expected);
  });
}
