/** Lists words from other libraries and from older projects, each with the form to write instead (definitions 2 to 5). */

type Forms = Readonly<Record<string, string>>;

/** Returns the form to write for a word; null: the list does not contain it. */
export function formFor(word: string, forms: Forms = {}): string | null {
  return Object.hasOwn(forms, word) ? forms[word] ?? null : null;
}

/** Keys of older projects that have no effect here. They are ignored with a warning at any place (definitions 2). */
export const FOREIGN_EVERYWHERE: readonly string[] = [
  "embeddings",
  "cms",
  "fileStorage",
  "additionalQueues",
  "sideEffects",
  "securityContracts",
];

const TEXT = "Write q.text(), with { maxLength } where it has a limit";
const JSON_COLUMN = "Write q.json()";
const KEY = "Write q.text().references(() => other.id)";
const INSTANT = "Write q.timestamp(): an instant such as 2026-01-31T09:00:00.000Z";
const DECIMAL = "Write q.decimal({ precision: 12, scale: 2 }): exact, a string in JSON";
const OWNER = 'Write q.scope("owner"): it is stamped with the caller';
const STAMPS = "Leave it out: every table has createdAt, modifiedAt and by whom";

/** Suggestions for an unknown `q.<word>()`. */
export const BUILDER_FORMS: Forms = {
  string: TEXT,
  varchar: TEXT,
  char: TEXT,
  uuid: "Write q.id() for the key of the table, q.text() for any other",
  cuid: "Write q.id(); database option generateId chooses how ids look",
  serial: 'Write q.id(), with the database option generateId: "serial"',
  number: "Write q.int() for whole numbers, q.real() for others",
  integer: "Write q.int()",
  bigint: "Write q.int()",
  float: "Write q.real()",
  double: "Write q.real()",
  numeric: DECIMAL,
  money: DECIMAL,
  time: INSTANT,
  dateTime: INSTANT,
  object: JSON_COLUMN,
  array: "Write q.list(q.text()), or q.json() for anything",
  jsonb: JSON_COLUMN,
  record: JSON_COLUMN,
  select: 'Write q.enum(["a", "b"])',
  oneOf: 'Write q.enum(["a", "b"])',
  reference: KEY,
  references: KEY,
  relation: KEY,
  foreignKey: KEY,
  ref: KEY,
  belongsTo: KEY,
  owner: OWNER,
  user: OWNER,
  organization: 'Write q.scope("organization")',
  tenant: 'Write q.scope("organization")',
  team: 'Write q.scope("team")',
  timestamps: STAMPS,
  createdAt: STAMPS,
  primaryKey: "Write q.id()",
};

/** Suggestions for an unknown `.<word>()` on a column in `q` notation. */
export const MODIFIER_FORMS: Forms = {
  notNull: "Write .required()",
  notNullable: "Write .required()",
  nonNullable: "Write .required()",
  nullable: "Write .optional(), which is the default",
  nullish: "Write .optional(), which is the default",
  null: "Write .optional(), which is the default",
  primaryKey: "Write id: q.id() as the key of the table",
  primary: "Write id: q.id() as the key of the table",
  maxLength: "Write it into the builder: q.text({ maxLength: 200 })",
  max: "Write it into the builder: q.text({ maxLength: 200 })",
  length: "Write it into the builder: q.text({ maxLength: 200 })",
  enum: 'Write q.enum(["a", "b"])',
  oneOf: 'Write q.enum(["a", "b"])',
  defaultTo: "Write .default(value)",
  defaultsTo: "Write .default(value)",
  defaultValue: "Write .default(value)",
  now: "Write .defaultNow()",
  foreignKey: "Write .references(() => other.id)",
  ref: "Write .references(() => other.id)",
  onDelete: 'Write .references(() => other.id, { onDelete: "cascade" })',
  cascade: 'Write .references(() => other.id, { onDelete: "cascade" })',
  indexed: "Write .index()",
  readonly: "Write .immutable(): it is set once; or leave it out of guards.updatable",
  readOnly: "Write .immutable(): it is set once; or leave it out of guards.updatable",
  masked:
    'Write it into the resource: masking: { column: { type: "redact", show: { roles: ["admin"] } } }',
  mask:
    'Write it into the resource: masking: { column: { type: "redact", show: { roles: ["admin"] } } }',
  private:
    'Write it into the resource: masking: { column: { type: "redact", show: { roles: ["admin"] } } }',
  hidden:
    'Write it into the resource: masking: { column: { type: "redact", show: { roles: ["admin"] } } }',
  email: 'Name the column "email": it is masked by itself',
};

/** Suggestions for an unknown key of the configuration. */
export const CONFIG_FORMS: Forms = {
  cors: 'Write trustedOrigins: ["https://app.example.com"]',
  origins: 'Write trustedOrigins: ["https://app.example.com"]',
  port: "Write dev: { port: 8000 }; an output listens on the variable PORT",
  database: 'Write providers: { database: defineDatabase("libsql", { … }) }',
  db: 'Write providers: { database: defineDatabase("libsql", { … }) }',
  runtime: 'Write providers: { runtime: defineRuntime("deno") }',
  roles: 'Write auth: { roles: ["member", "admin"] }',
  roleHierarchy: 'Write auth: { roleHierarchy: ["member", "admin"] }, lowest first',
  jwt: "Write auth: { jwt: { … } }",
  organizations: "Write features: { organizations: true }",
  multiTenant: "Write features: { organizations: true }",
  plugins: 'Write providers: { auth: defineAuth("better-auth", { plugins: [ … ] }) }',
  docs: 'Write openapi: { docs: "browser_modern" }',
  swagger: 'Write openapi: { docs: "browser_classic" }',
  mcp: "Write agents: { mcp: true }",
  version: 'Write contract: { version: "v1" }',
  outDir: 'Write build: { outputDir: "." }',
  outputDir: 'Write build: { outputDir: "." }',
  dependencies: 'Write build: { dependencies: { "date-fns": "^4.0.0" } }',
  migrations: "Write compiler: { migrations: { renames, allowDestructive } }",
  allowDestructive: "Write compiler: { migrations: { allowDestructive: true } }",
  tables: "Write each table into quickback/features/<feature>/<table>.ts",
  resources: "Write each table into quickback/features/<feature>/<table>.ts",
  mail: 'Write email: { provider: "smtp", from: "app@example.com" }',
  smtp: 'Write email: { provider: "smtp", from: "app@example.com" }',
};

const WRITE_ACCESS = 'Write it per operation: read: { access: { roles: ["member"] } }';
const ACTIONS = "Write each action into quickback/features/<feature>/actions/<name>.ts";

/** Suggestions for an unknown key of `feature()` or `defineTable()`. */
export const RESOURCE_FORMS: Forms = {
  columns: "Write them into the table: q.table(name, { … }), or feature(name, { columns, … })",
  access: WRITE_ACCESS,
  permissions: WRITE_ACCESS,
  policies: WRITE_ACCESS,
  roles: WRITE_ACCESS,
  rls: WRITE_ACCESS,
  fields: "Write columns: { … }",
  schema: "Write columns: { … }",
  mask: 'Write masking: { column: { type: "redact" } }',
  softDelete: 'Write delete: { mode: "soft", access }, which is the default; "hard" removes rows',
  timestamps: STAMPS,
  tenant: 'Add the column organizationId: q.scope("organization")',
  scope: 'Add the column organizationId: q.scope("organization")',
  owner: 'Add the column ownerId: q.scope("owner")',
  relations: "Write .references(() => other.id) on the column",
  foreignKeys: "Write .references(() => other.id) on the column",
  actions: ACTIONS,
  hooks: ACTIONS,
  sort: 'Write defaultSort: "-createdAt"',
  orderBy: 'Write defaultSort: "-createdAt"',
  include: 'Write read: { include: ["customerId"], access }',
  validation: "Limits stand on the columns: q.text({ maxLength: 200 }).required(), q.enum([ … ])",
};

/** Suggestions for an unknown key of an access rule. */
export const ACCESS_FORMS: Forms = {
  role: 'Write roles: ["member"]',
  allow: 'Write roles: ["member"]',
  users: 'Write roles: ["member"]',
  public: 'Write roles: ["PUBLIC"]',
  authenticated: 'Write roles: ["AUTHENTICATED"]',
  owner: 'Write record: { ownerId: "$ctx.userId" }',
  where: 'Write record: { status: { equals: "open" } }',
  condition: 'Write record: { status: { equals: "open" } }',
  not: 'Write the opposite in record: { status: { notEquals: "closed" } }',
};

/** Suggestions for an unknown key of an action. */
export const ACTION_FORMS: Forms = {
  run: "Write execute: async ({ input, db, ctx }) => { … }",
  handle: "Write execute: async ({ input, db, ctx }) => { … }",
  body: "Write input: z.object({ … })",
  schema: "Write input: z.object({ … })",
  params: "Write input: z.object({ … })",
  args: "Write input: z.object({ … })",
  response: "Write output: z.object({ … })",
  returns: "Write output: z.object({ … })",
  roles: 'Write access: { roles: ["member"] }',
  url: 'Write path: "/area/name"',
  route: 'Write path: "/area/name"',
  name: "Leave it out: the name of the file is the action's",
};

/** Suggestions for a function in a rule. The compiler reads rules as data, and only actions run. */
export const RULE_FORMS = {
  access:
    'Write the rule as data: access: { roles: ["member"], record: { ownerId: "$ctx.userId" } }; what needs code stands in an action',
  roles: 'Write the names: roles: ["member", "admin"]',
  record: 'Write columns with values: record: { status: "open", ownerId: "$ctx.userId" }',
  firewall:
    'Write predicates: firewall: [{ field: "ownerId", equals: "ctx.userId" }]; what needs code stands in an action',
  masking:
    'Write the mask by its name: masking: { column: { type: "redact", show: { roles: ["admin"] } } }',
  guards: 'Write the columns: guards: { createable: ["title"], updatable: ["title"] }',
} as const satisfies Forms;

/** Suggestions for an unknown operator of a record condition. */
export const OPERATOR_FORMS: Forms = {
  eq: "Write equals",
  is: "Write equals",
  ne: "Write notEquals",
  neq: "Write notEquals",
  not: "Write notEquals, or notIn with a list",
  gt: "Write greaterThan",
  gte: "Write greaterThanOrEqual",
  lt: "Write lessThan",
  lte: "Write lessThanOrEqual",
  nin: "Write notIn",
  oneOf: "Write in",
  isNull: "Write equals: null",
};

/** Suggestions for a key of `record` that is not a column. */
export const RECORD_FORMS: Forms = {
  not: 'Write the opposite operator: record: { status: { notEquals: "closed" } }',
  or: "Write it beside: access: { or: [{ record: { … } }, { record: { … } }] }",
  and: "Write the conditions side by side: all of them bind",
};

/** Suggestions for a role in `userRole`. */
export const USER_ROLE_FORMS: Forms = Object.fromEntries(
  ["owner", "admin", "member"].map((role) => [
    role,
    `Write roles: [${JSON.stringify(role)}]: userRole is about who runs the platform`,
  ]),
);

/** Suggestion for a setting of a worker that only `wrangler.toml` can contain. */
export const WORKER_FILE = "Write it into wrangler.toml at the root: it is taken over";

const DENO =
  'Write defineRuntime("deno"): the output runs on servers, in containers and on Deno Deploy';
const LIBSQL =
  'Write defineDatabase("libsql"): a file, or a libSQL server such as Turso in DATABASE_URL';

export const RUNTIME_FORMS: Forms = {
  node: DENO,
  nodejs: DENO,
  bun: DENO,
  docker: DENO,
  vercel: DENO,
  "deno-deploy": DENO,
  workers: 'Write defineRuntime("cloudflare")',
  "cloudflare-workers": 'Write defineRuntime("cloudflare")',
};

const JOB_TIMES = "Leave it out: jobs of the project say when they run";

/** Suggestions for an unknown word where a shape offers a choice. */
export const VALUE_FORMS: Forms = { targeted: WORKER_FILE };

/** Suggestions for a setting of a worker that is not one of `providers.runtime`. */
export const WORKER_FORMS: Forms = {
  route: 'Write routes: ["api.example.com/*"]',
  customDomain: 'Write routes: [{ pattern: "api.example.com", customDomain: true }]',
  smartPlacement: 'Write placement: { mode: "smart" }',
  cron: JOB_TIMES,
  crons: JOB_TIMES,
  triggers: JOB_TIMES,
  ...Object.fromEntries(
    ["compatibilityFlags", "compatibility_flags"].map((key) => [key, WORKER_FILE]),
  ),
};

export const DATABASE_FORMS: Forms = {
  sqlite: LIBSQL,
  "better-sqlite3": LIBSQL,
  "bun-sqlite": LIBSQL,
  turso: LIBSQL,
  d1: LIBSQL,
  postgres: LIBSQL,
  postgresql: LIBSQL,
  neon: LIBSQL,
  supabase: LIBSQL,
  mysql: LIBSQL,
  mongodb: LIBSQL,
};
