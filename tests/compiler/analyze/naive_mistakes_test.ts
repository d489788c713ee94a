/** What somebody tries who has read the README alone: each mistake is told with the form to write (definitions 2 to 5). */
import { assertEquals } from "@std/assert";
import {
  type Analyzed,
  analyzedProject,
  JOBS_FILE,
  toldOf,
  withColumns,
  withConfig,
  withResource,
} from "../../support/analysis.ts";

type NaiveRow = readonly [source: string, told: string];

function hold(rows: readonly NaiveRow[], written: (source: string) => Analyzed): void {
  for (const [source, expected] of rows) {
    Deno.test(`Naive: ${source}`, () => {
      const { errors, warnings } = written(source);
      assertEquals(toldOf([...errors, ...warnings])[0], expected);
    });
  }
}

hold([
  [
    "title: q.string(),",
    "COLUMN_BUILDER 4:8 Unknown column builder q.string() | Write q.text(), with { maxLength } where it has a limit",
  ],
  [
    "amount: q.number(),",
    "COLUMN_BUILDER 4:9 Unknown column builder q.number() | Write q.int() for whole numbers, q.real() for others",
  ],
  [
    "key: q.uuid(),",
    "COLUMN_BUILDER 4:6 Unknown column builder q.uuid() | Write q.id() for the key of the table, q.text() for any other",
  ],
  [
    "price: q.money(),",
    "COLUMN_BUILDER 4:8 Unknown column builder q.money() | Write q.decimal({ precision: 12, scale: 2 }): exact, a string in JSON",
  ],
  [
    "tags: q.array(),",
    "COLUMN_BUILDER 4:7 Unknown column builder q.array() | Write q.list(q.text()), or q.json() for anything",
  ],
  [
    "customer: q.belongsTo(),",
    "COLUMN_BUILDER 4:11 Unknown column builder q.belongsTo() | Write q.text().references(() => other.id)",
  ],
  [
    "boss: q.user(),",
    'COLUMN_BUILDER 4:7 Unknown column builder q.user() | Write q.scope("owner"): it is stamped with the caller',
  ],
  [
    "stamps: q.timestamps(),",
    "COLUMN_BUILDER 4:9 Unknown column builder q.timestamps() | Leave it out: every table has createdAt, modifiedAt and by whom",
  ],
  [
    "shape: q.polygon(),",
    "COLUMN_BUILDER 4:8 Unknown column builder q.polygon() | There are q.computed(), q.rollup(), q.id(), q.text(), q.int(), q.real(), q.decimal(), q.bool(), q.boolean(), q.timestamp(), q.datetime(), q.date(), q.url(), q.email(), q.account(), q.enum(), q.file(), q.json(), q.list(), q.vector(), q.scope(), q.revision()",
  ],
  [
    'state: q.enum("open", "closed"),',
    'ARGUMENTS 4:8 Arguments of q.enum are wrong, expected q.enum() with at most 1 | Write q.enum(["open", "closed"])',
  ],
  [
    "title: q.text(200),",
    'VALUE_TYPE 4:15 "jobs.title" is 200, expected an object of options | Write q.text({ maxLength: 200 })',
  ],
  [
    'title: q.text("title"),',
    'VALUE_TYPE 4:15 "jobs.title" is "title", expected an object of options | Write q.text(): the key beside it is the name',
  ],
  [
    "title: q.text().notNull(),",
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .notNull() on column "title" | Write .required()',
  ],
  [
    "title: q.text().nullable(),",
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .nullable() on column "title" | Write .optional(), which is the default',
  ],
  [
    "title: q.text().max(20),",
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .max() on column "title" | Write it into the builder: q.text({ maxLength: 200 })',
  ],
  [
    "title: q.text().private(),",
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .private() on column "title" | Write it into the resource: masking: { column: { type: "redact", show: { roles: ["admin"] } } }',
  ],
  [
    "title: q.text().readonly(),",
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .readonly() on column "title" | Write .immutable(): it is set once; or leave it out of guards.updatable',
  ],
  [
    "title: q.text().sparkle(),",
    'MODIFIER_UNKNOWN 4:17 Unknown modifier .sparkle() on column "title" | There are .required(), .optional(), .default(), .defaultNow(), .unique(), .index(), .references(), .searchable(), .filterable(), .sortable(), .protected(), .immutable(), .describe()',
  ],
  ["title: q.text,", 'CALL_MISSING 4:8 Function "q.text" is not called | Write q.text()'],
], withColumns);

hold([
  [
    'read: { access: "member" },',
    'VALUE_TYPE 4:17 "jobs.read.access" is "member", expected an object of rules | Write { roles: ["member"] }',
  ],
  [
    'read: { access: ["member", "admin"] },',
    'VALUE_TYPE 4:17 "jobs.read.access" is a list, expected an object of rules | Write { roles: ["member", "admin"] }',
  ],
  [
    "read: { access: true },",
    'VALUE_TYPE 4:17 "jobs.read.access" is true, expected an object of rules | Write { roles: ["PUBLIC"] }',
  ],
  [
    'read: { access: { roles: "member" } },',
    'VALUE_TYPE 4:26 "jobs.read.access.roles" is "member", expected a list | Write ["member"]',
  ],
  [
    'read: { access: { role: "member" } },',
    'UNKNOWN_KEY 4:19 Unknown key "role" in jobs.read.access | Write roles: ["member"]',
  ],
  [
    "read: { access: { public: true } },",
    'UNKNOWN_KEY 4:19 Unknown key "public" in jobs.read.access | Write roles: ["PUBLIC"]',
  ],
  [
    'read: { access: { userRole: "admin" } },',
    'VALUE_UNKNOWN 4:29 "jobs.read.access.userRole" is "admin", expected one of "sysadmin", "appmanager" | Write roles: ["admin"]: userRole is about who runs the platform',
  ],
  [
    'read: { access: { record: { status: { ne: "closed" } } } },',
    'OPERATOR_UNKNOWN 4:39 Unknown operator "ne" | Write notEquals',
  ],
  [
    'access: { roles: ["member"] },',
    'UNKNOWN_KEY 4:1 Unknown key "access" in jobs | Write it per operation: read: { access: { roles: ["member"] } }',
  ],
  [
    "softDelete: true,",
    'UNKNOWN_KEY 4:1 Unknown key "softDelete" in jobs | Write delete: { mode: "soft", access }, which is the default; "hard" removes rows',
  ],
  [
    "sideEffects: [],",
    'KEY_WITHOUT_MEANING 4:1 Key "sideEffects" in jobs has no meaning here | It is passed over; remove it, or keep it for the other implementation',
  ],
], withResource);

hold([
  [
    'cors: ["https://app.example.com"],',
    'UNKNOWN_KEY 3:1 Unknown key "cors" in the configuration | Write trustedOrigins: ["https://app.example.com"]',
  ],
  [
    "port: 8080,",
    'UNKNOWN_KEY 3:1 Unknown key "port" in the configuration | Write dev: { port: 8000 }; an output listens on the variable PORT',
  ],
  [
    'database: "postgres",',
    'UNKNOWN_KEY 3:1 Unknown key "database" in the configuration | Write providers: { database: defineDatabase("libsql", { … }) }',
  ],
  [
    'providers: { database: defineDatabase("postgres") },',
    'VALUE_UNKNOWN 3:39 "providers.database" is "postgres", expected one of "libsql", "cloudflare-d1" | Write defineDatabase("libsql"): a file, or a libSQL server such as Turso in DATABASE_URL',
  ],
  [
    'providers: { runtime: defineRuntime("node") },',
    'VALUE_UNKNOWN 3:37 "providers.runtime" is "node", expected one of "deno", "cloudflare" | Write defineRuntime("deno"): the output runs on servers, in containers and on Deno Deploy',
  ],
  [
    'providers: { runtime: "deno" },',
    'VALUE_TYPE 3:23 "providers.runtime" is "deno", expected a call of defineRuntime() | Write defineRuntime("deno")',
  ],
  [
    'roles: ["admin", "member"],',
    'UNKNOWN_KEY 3:1 Unknown key "roles" in the configuration | Write auth: { roles: ["member", "admin"] }',
  ],
  [
    "compiler: { allowDestructive: true },",
    'UNKNOWN_KEY 3:13 Unknown key "allowDestructive" in compiler | Write compiler: { migrations: { allowDestructive: true } }',
  ],
  [
    "colour: 1,",
    'UNKNOWN_KEY 3:1 Unknown key "colour" in the configuration | There are "name", "template", "features", "contract", "providers", "auth", "openapi", "rateLimit", "webhooks", "realtime", "trustedOrigins", "schemaRegistry", "etag", "agents", "email", "branding", "dev", "build", "compiler"',
  ],
], withConfig);

const ACTION_FILE = "quickback/features/jobs/actions/close.ts";
const JOBS = `import { feature, q } from "quickback";
export default feature("jobs", { columns: { organizationId: q.scope("organization"), title: q.text() } });
`;

hold([
  [
    "unsafe: true,",
    'VALUE_TYPE 4:9 "close.unsafe" is true, expected an object with a reason | Write unsafe: { reason: "why it goes past the rules of the table" }',
  ],
  [
    "run: () => ({}),",
    'UNKNOWN_KEY 4:1 Unknown key "run" in close | Write execute: async ({ input, db, ctx }) => { … }',
  ],
  [
    "standalone: true,",
    'ACTION_STANDALONE_KEY 4:1 Action "close" has no key "standalone" | Remove it: an action with a path is standalone',
  ],
  [
    "roles: [],",
    'UNKNOWN_KEY 4:1 Unknown key "roles" in close | Write access: { roles: ["member"] }',
  ],
], (source) =>
  analyzedProject({
    [JOBS_FILE]: JOBS,
    [ACTION_FILE]: `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({ description: "Closes", input: z.object({}), access: { roles: ["member"] }, execute: () => ({}),
${source}
});
`,
  }));

hold([
  [
    'access: { roles: ["member"] }, input: z.object({}),',
    'KEY_MISSING 3:29 Key "description" is missing in close | Add description: "<one sentence>"',
  ],
  [
    'description: "Closes", access: { roles: ["member"] },',
    'KEY_MISSING 3:29 Key "input" is missing in close | Add input: z.object({ … }), empty where it takes nothing',
  ],
  [
    'description: "Closes", input: z.object({}),',
    'KEY_MISSING 3:29 Key "access" is missing in close | Add access: { roles: ["member"] }',
  ],
], (source) =>
  analyzedProject({
    [JOBS_FILE]: JOBS,
    [ACTION_FILE]: `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({ ${source} execute: () => ({}) });
`,
  }));

hold([
  [
    "({ rawDb }) => rawDb.select(),",
    'RAW_DB 4:13 Action "close" uses rawDb, which no handler gets | Use db, which is scoped to the caller; unsafe: { reason: "…" } gives unsafeDb, allowRawSql: true lets both take SQL',
  ],
  [
    "({ rawDb }) => rawDb.select(), allowRawSql: true,",
    'RAW_DB 4:13 Action "close" uses rawDb, which no handler gets | Use db, which is scoped to the caller; unsafe: { reason: "…" } gives unsafeDb, allowRawSql: true lets both take SQL',
  ],
], (source) =>
  analyzedProject({
    [JOBS_FILE]: JOBS,
    [ACTION_FILE]: `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({ description: "Closes", input: z.object({}), access: { roles: ["member"] },
execute: ${source}
});
`,
  }));

hold([
  [
    'columns: { id: q.id(), userId: q.text().required() }, guards: { createable: ["userId"] },',
    'ISOLATION_MISSING 2:24 No column isolates the rows of "jobs" by its caller | Write ownerId: q.scope("owner"), which is stamped; or, for a column that clients fill, firewall: [{ field: "userId", equals: "ctx.userId" }]',
  ],
], (source) =>
  analyzedProject({
    [JOBS_FILE]:
      `import { feature, q } from "quickback";\nexport default feature("jobs", {\n\n${source}\n});`,
  }));

hold(
  [
    [
      'import { q, feature, defineResource } from "quickback";',
      'IMPORT_UNKNOWN 1:22 "quickback" has no export "defineResource" | There are "defineConfig", "defineRuntime", "defineDatabase", "defineAuth", "defineFileStorage", "feature", "q", "defineTable", "defineAction", "defineActions", "defineService", "defineWebhookProvider", "defineRealtime", "defineJob", "defineSchedule", "defineSeed", "defineHooks", "emitWebhookEvent", "onWebhookEvent", "sendPush", "round", "date", "ActionError", "RecordError", "TransitionLostError" and 1 more',
    ],
  ],
  (source) =>
    analyzedProject({ [JOBS_FILE]: `${source}\n${JOBS.split("\n").slice(1).join("\n")}` }),
);

hold([
  [
    "quickback/definitions/features/jobs/jobs.ts",
    'PATH_REFUSED 1:1 Path "quickback/definitions/features/jobs/jobs.ts" is not part of a project | Move what stands in quickback/definitions/ up into quickback/, as quickback adopt does: features/<feature>/<table>.ts, actions beside it',
  ],
  [
    "quickback/tables/jobs.ts",
    'PATH_REFUSED 1:1 Path "quickback/tables/jobs.ts" is not part of a project | Definitions stand in quickback/features/<feature>/, shared code in quickback/lib/, migration state in quickback/drizzle/<database>/meta/',
  ],
], (path) => analyzedProject({ [JOBS_FILE]: JOBS, [path]: JOBS }));
