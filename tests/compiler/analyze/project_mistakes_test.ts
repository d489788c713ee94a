/** Mistakes that only a whole project shows (definitions 1, 3, 4). */
import { assertEquals } from "@std/assert";
import {
  analyzedProject,
  CONFIG_FILE,
  CUSTOMERS_FILE,
  type Files,
  JOBS_FILE,
  toldOf,
} from "../../support/analysis.ts";

type ProjectRow = readonly [title: string, files: Files, expected: readonly string[]];

const ROWS: readonly ProjectRow[] = [
  ["two resources in a file", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export const a = feature("a", { columns: { ownerId: q.scope("owner") } });
export default feature("b", { columns: { ownerId: q.scope("owner") } });
`,
  }, ["SEVERAL_TABLES 3:16 Second feature() in one file | Give each table a file of its own"]],
  ["two tables in a file", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export const a = q.table("a", { ownerId: q.scope("owner") });
export const b = q.table("b", { ownerId: q.scope("owner") });
`,
  }, ["SEVERAL_TABLES 3:18 Second q.table() in one file | Give each table a file of its own"]],
  ["two resources over one table", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
const a = q.table("a", { ownerId: q.scope("owner") });
const b = defineTable(a, {});
export default defineTable(a, {});
`,
  }, ["SEVERAL_TABLES 4:16 Second defineTable() in one file | Give each table a file of its own"]],
  ["a resource that is not exported", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export const a = feature("a", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    "RESOURCE_NOT_EXPORTED 2:18 Result of feature() is not the default export of its file | Write: export default feature(…)",
  ]],
  ["a file without a table", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export const a = 1;
`,
  }, [
    `TABLE_MISSING 1:1 File "quickback/features/jobs/jobs.ts" declares no table | Write feature(…) or q.table(…), or move shared code to the feature's lib/ folder`,
  ]],
  ["defineTable without options", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
const a = q.table("a", { ownerId: q.scope("owner") });
export default defineTable(a);
`,
  }, [
    "ARGUMENTS 3:16 Arguments of defineTable are wrong, expected defineTable(table, { … }) with a table of this file",
  ]],
  ["a feature without columns", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("a", { guards: false });
`,
  }, ['KEY_MISSING 2:24 Key "columns" is missing in feature()']],
  ["a third argument of a table", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export const a = q.table("a", { ownerId: q.scope("owner") }, () => 1);
`,
  }, [
    'TABLE_EXTRAS 2:62 Third argument of q.table() is not read | Put its indexes under "indexes" and "unique" of defineTable()',
  ]],
  ["columns under defineTable", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
const a = q.table("a", { ownerId: q.scope("owner") });
export default defineTable(a, { columns: {} });
`,
  }, [
    'UNKNOWN_KEY 3:33 Unknown key "columns" in a | Write them into the table: q.table(name, { … }), or feature(name, { columns, … })',
  ]],
  ["two tables with one name", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("customers", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    'TABLE_TWICE 2:24 Table "customers" has the name of table "customers" in quickback/features/customers/customers.ts | Rename one of them; names of the same words are one in SQL and in URLs',
  ]],
  ["two spellings of one name", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobItems", { columns: { ownerId: q.scope("owner") } });
`,
    "quickback/features/items/items.ts": `import { defineTable, feature, q } from "quickback";
export default feature("job_items", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    'TABLE_TWICE 2:24 Table "jobItems" has the name of table "job_items" in quickback/features/items/items.ts | Rename one of them; names of the same words are one in SQL and in URLs',
  ]],
  ["two spellings of one URL segment", {
    [CONFIG_FILE]: `import { defineDatabase } from "quickback";
export default { name: "s", providers: { database: defineDatabase("libsql", { namingConvention: "camelCase" }) } };
`,
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobItems", { columns: { ownerId: q.scope("owner") } });
`,
    "quickback/features/items/items.ts": `import { defineTable, feature, q } from "quickback";
export default feature("jobITEMS", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    'TABLE_TWICE 2:24 Table "jobItems" has the name of table "jobITEMS" in quickback/features/items/items.ts | Rename one of them; names of the same words are one in SQL and in URLs',
  ]],
  ["a table name of the service", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("auditEvents", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    'TABLE_RESERVED 2:24 Table name "auditEvents" is reserved: the service has a table of that name | Choose another name; a table that exists keeps its rows by compiler.migrations.renames',
  ]],
  ["a prefix of the service", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export const t = q.table("authUsers", { ownerId: q.scope("owner") });
`,
  }, [
    'TABLE_RESERVED 2:26 Table name "authUsers" is reserved: names that begin with "auth_" are kept | Choose another name; a table that exists keeps its rows by compiler.migrations.renames',
  ]],
  ["a route of the service", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("token", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    'SEGMENT_RESERVED 2:24 Table "token" would be served at "/token", which is reserved | Choose another name',
  ]],
  ["a name that no table can have", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("Job List", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    `VALUE_INVALID 2:24 "the table's name" is "Job List", expected a name in camelCase or snake_case`,
  ]],
  ["nothing isolates", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobs", { columns: { title: q.text() } });
`,
  }, [
    'ISOLATION_MISSING 2:24 No column isolates the rows of "jobs" by its caller | Add q.scope("organization") or q.scope("owner"), or say firewall: { exception: true }',
  ]],
  ["an organization scope without organizations", {
    [CONFIG_FILE]: `export default { name: "s", features: { organizations: false } };
`,
    [CUSTOMERS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("customers", { columns: { organizationId: q.scope("organization"), name: q.text() } });
`,
  }, [
    'SCOPE_WITHOUT_TENANTS 2:50 Column "organizationId" needs organizations, which this project has off | Set features.organizations to true, or remove the column',
  ]],
  ["an organization predicate without organizations", {
    [CONFIG_FILE]: `export default { name: "s", features: { organizations: false } };
`,
    [CUSTOMERS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("customers", { columns: { ownerId: q.scope("owner"), tenant: q.text() },
firewall: [{ field: "ownerId", equals: "ctx.userId" }, { field: "tenant", equals: "ctx.activeOrgId" }] });
`,
  }, [
    'SCOPE_WITHOUT_TENANTS 2:77 Column "tenant" needs organizations, which this project has off | Set features.organizations to true, or remove the column',
  ]],
  ["a create without guards", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), a: q.text().required(), b: q.int().required() },
create: { access: { roles: ["admin"] } } });
`,
  }, [
    'GUARDS_MISSING 2:24 Resource "jobs" has no guards, so no create can set its required columns: a, b | Add guards: { createable: […] }',
  ]],
  ["a required column that no create sets", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner"),
a: q.text().required(),
b: q.int().required() },
guards: { createable: ["a"] }, create: { access: { roles: ["admin"] } } });
`,
  }, [
    'REQUIRED_NOT_CREATEABLE 4:1 Required column "b" can be set by no create | Add it to guards.createable, give it a default, or make it optional',
  ]],
  ["an immutable column while guards are off", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner"),
a: q.text().immutable() }, guards: false });
`,
  }, [
    'GUARDS_OFF 3:1 Column "a" is guarded, but guards are false | Remove the modifier, or write guards',
  ]],
  ["a text key where ids are numbers", {
    [CONFIG_FILE]:
      `export default { name: "s", providers: { database: { name: "libsql", generateId: "serial" } } };
`,
    [JOBS_FILE]: `import { sqliteTable, text } from "drizzle-orm/sqlite-core";
export const t = sqliteTable("jobs", { id: text("id").primaryKey(), ownerId: text("owner_id") });
`,
  }, [
    'PRIMARY_KEY_STORAGE 2:40 Primary key "id" is text, generateId is "serial" and needs an integer | Write integer().primaryKey(), or choose another generateId',
  ]],
  ["a foreign key to something else", {
    "quickback/features/jobs/lib/x.ts": `export const helper = { id: 1 };
`,
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
import { helper } from "./lib/x.ts";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), a: q.text().references(() => helper.id) } });
`,
  }, ['VALUE_TYPE 3:95 "jobs.a" is a function, expected () => table.id']],
  ["a foreign key to a file that does not parse", {
    "quickback/features/broken/broken.ts": `import { defineTable, feature, q } from "quickback";
export default feature("broken", { columns: {
`,
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
import broken from "../broken/broken.ts";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), a: q.text().references(() => broken.id) } });
`,
  }, ["SYNTAX_ERROR 3:1 Syntax error: Unexpected token"]],
  ["a broken column is one mistake, whoever names it", {
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), a: q.txt() }, guards: { createable: ["a"], updatable: ["a"] }, masking: { a: { type: "redact" } }, read: { access: { roles: ["admin"], record: { a: "x" } }, views: { v: { fields: ["a"], query: { sortable: ["a"] } } } }, defaultSort: "a", unique: [{ columns: ["a"] }], displayColumn: "a", transitions: { a: { x: ["y"] } } });
`,
  }, ["COLUMN_BUILDER 2:75 Unknown column builder q.txt() | Did you mean q.text()?"]],
  ["two actions with one name", {
    "quickback/features/jobs/actions/close.ts": `import { defineAction } from "quickback";
export default defineAction({ description: "x", input: z.object({}), access: { roles: ["admin"] }, execute: () => ({}) });
import { z } from "zod";
`,
    "quickback/features/jobs/actions.ts": `import { defineActions } from "quickback";
import jobs from "./jobs.ts";
export default defineActions(jobs, { close: { description: "y", input: z.object({}), access: { roles: ["admin"] }, execute: () => ({}) } });
import { z } from "zod";
`,
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner") } });
`,
  }, ['ACTION_TWICE 2:16 Second action "close" of one table | Rename one of them']],
  ["an action file without an action", {
    "quickback/features/jobs/actions/close.ts": `export default 1;
`,
    [JOBS_FILE]: `import { defineTable, feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner") } });
`,
  }, [
    'ACTION_NOT_EXPORTED 1:16 File "quickback/features/jobs/actions/close.ts" has no action as its default export | Write: export default defineAction({ … })',
  ]],
  [
    "a foreign key to a table that is not of this project's features",
    {
      "quickback/features/jobs/lib/plans.ts": `import { q } from "quickback";
export const plans = q.table("plans", { id: q.id() });
`,
      [JOBS_FILE]: `import { feature, q } from "quickback";
import { plans } from "./lib/plans.ts";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), planId: q.text().references(() => plans.id) } });
`,
    },
    [
      'REFERENCE_NOT_TABLE 3:106 "plans" of quickback/features/jobs/lib/plans.ts is not a table of this project | Move it to a file of its own in a feature folder',
    ],
  ],
  [
    "a broken configuration does not make its roles unknown",
    {
      [CONFIG_FILE]: 'export default { name: "s", auth: { roleHierarchy: 1 } };\n',
      [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner") }, read: { access: { roles: ["agent+"] } } });
`,
    },
    ['VALUE_TYPE 1:52 "auth.roleHierarchy" is 1, expected a list'],
  ],
  [
    "a misspelt name in createable is not also a missing one",
    {
      [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), title: q.text().required() },
guards: { createable: ["titel"] }, create: { access: { roles: ["admin"] } } });
`,
    },
    ['COLUMN_UNKNOWN 3:24 Unknown column "titel" of table "jobs" | Did you mean "title"?'],
  ],
  [
    "an action file that cannot be read does not make its actions unknown",
    {
      "quickback/features/jobs/actions/close.ts": "export default defineAction(;\n",
      [JOBS_FILE]: `import { feature, q } from "quickback";
export default feature("jobs", { columns: { ownerId: q.scope("owner"), state: q.text().protected("close") } });
`,
    },
    ["SYNTAX_ERROR 1:29 Syntax error: Unexpected token"],
  ],
];

for (const [title, files, expected] of ROWS) {
  Deno.test(`Project: ${title}`, () => {
    const { errors, model } = analyzedProject(files);
    assertEquals(toldOf(errors), expected);
    assertEquals(model, null);
  });
}

Deno.test("Twelve independent mistakes are twelve diagnostics in one run", () => {
  const config = `import { defineDatabase } from "quickback";
export default {
  name: "Sample",
  auth: { roleHierarchy: ["member", "admin"], jwt: { expires: 60 } },
  providers: { database: defineDatabase("libsql", { generateId: "uid" }) },
  rateLimit: { list: { limit: 1, period: 60 } },
};
`;
  const jobs = `import { feature, q } from "quickback";
import customers from "../customers/customers.ts";
export default feature("jobs", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().requierd(),
    status: q.enum(["open", "closed"]).default("opne"),
    customerId: q.text().required().references(() => customers.id, { onDelete: "set null" }),
  },
  guards: { createable: ["titel", "customerId"] },
  masking: { title: { type: "redacted" } },
  read: {
    access: { roles: ["*"] },
    views: { short: { fields: ["title"], query: { filterable: ["status"] } } },
  },
  create: { access: { roles: ["member+"], record: { status: { is: "open" } } } },
});
`;
  const { errors } = analyzedProject({ [CONFIG_FILE]: config, [JOBS_FILE]: jobs });
  assertEquals(errors.map(({ code, place }) => `${code} ${place.line}:${place.column}`), [
    "MODIFIER_UNKNOWN 6:21",
    "DEFAULT_INVALID 7:48",
    "SET_NULL_REQUIRED 8:80",
    "COLUMN_UNKNOWN 10:26",
    "VALUE_UNKNOWN 11:29",
    "ROLE_WILDCARD 13:23",
    "VIEW_FIELD_MISSING 14:64",
    "OPERATOR_UNKNOWN 16:63",
    "VALUE_INVALID 3:9",
    "UNKNOWN_KEY 4:54",
    "VALUE_UNKNOWN 5:65",
    "RATE_OPERATION_UNKNOWN 6:16",
  ]);
});

Deno.test("A project with actions compiles without a warning", () => {
  const { model, warnings } = analyzedProject({
    "quickback/features/customers/actions/greet.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Greet",
  input: z.object({}),
  access: { roles: ["agent"] },
  execute: () => ({}),
});
`,
  });
  assertEquals(warnings.map(({ code }) => code), []);
  assertEquals(model?.name, "sample");
});

Deno.test("The order of the files changes nothing that is told", () => {
  const files = {
    "quickback/features/a/a.ts": "export default 1;\n",
    "quickback/features/b/b.ts": "export default 2;\n",
  };
  const reversed = Object.fromEntries(Object.entries(files).reverse());
  assertEquals(analyzedProject(reversed).errors, analyzedProject(files).errors);
});
