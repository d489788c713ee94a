/** Where actions stand, what they import and what a request brings for them. */
import { assertEquals } from "@std/assert";
import {
  ACTION_FILE,
  closeAction,
  PLAIN_ACTION,
  type ProjectOptions,
  withAction,
  withActions,
} from "../../support/actions.ts";
import { type Files, JOBS_FILE, toldOf } from "../../support/analysis.ts";

const FEATURE = "quickback/features/jobs";
const ACTIONS = `${FEATURE}/actions.ts`;
const REPORTS = "quickback/features/reports/actions.ts";

/** The members of a `defineActions`; they begin at line 4. */
function many(target: string, members: string): string {
  return `import { defineActions } from "quickback";
import { z } from "zod"; import jobs from "./jobs.ts";
export default defineActions(${target}, {
${members}
});
`;
}

const REST = 'description: "x", input: z.object({}), access: { roles: ["member"] }';

function handler(body: string, imports = ""): Files {
  return {
    [ACTION_FILE]: PLAIN_ACTION.replace("execute: () => ({})", 'handler: "../handlers/close"'),
    [`${FEATURE}/handlers/close.ts`]: `${imports}
export const execute = async ({ db }) => {
  ${body}
};
`,
  };
}

const SQL_HINT = "Use the query builder, or set allowRawSql: true on the action";
const raw = (at: string, construct: string) =>
  `RAW_SQL ${at} Raw SQL (${construct}) in action "close" | ${SQL_HINT}`;

const ROWS: readonly (readonly [
  title: string,
  files: Files,
  expected: readonly string[],
  options?: ProjectOptions,
])[] = [
  ["a folder that is named after no table", {
    [`${FEATURE}/actions/jobz/pin.ts`]: PLAIN_ACTION,
  }, [
    'ACTION_TABLE_UNKNOWN 1:1 Feature "jobs" has no table "jobz" | Did you mean "jobs"?',
    'ACTION_WITHOUT_TABLE 3:16 Action "pin" has neither a table nor a path | Give it a path, or put it into actions/<table>/',
  ]],
  ["a record action of a feature without tables", {
    "quickback/features/reports/actions/run.ts": PLAIN_ACTION,
  }, [
    'ACTION_WITHOUT_TABLE 3:16 Action "run" has neither a table nor a path | Give it a path, or put it into actions/<table>/',
  ]],
  ["a record action of a table without routes", {
    "quickback/features/logs/logs.ts": `import { q } from "quickback";
export const logs = q.table("logs", { ownerId: q.scope("owner") });
`,
    "quickback/features/logs/actions/run.ts": PLAIN_ACTION,
  }, [
    'ACTION_WITHOUT_RESOURCE 3:16 Action "run" binds records of "logs", which has no routes | Give it a path, or make the table a resource with defineTable',
  ]],
  ["defineActions of no table", {
    [ACTIONS]: many('"jobs"', `run: { ${REST}, execute: () => 1 },`),
  }, [
    "ARGUMENTS 3:16 Arguments of defineActions are wrong, expected defineActions(table | null, { name: { … } })",
  ]],
  ["defineActions(null) without a path", {
    [REPORTS]: many("null", `run: { ${REST}, execute: () => 1 },`).replace(/ import jobs.*/, ""),
  }, [
    'ACTION_WITHOUT_TABLE 4:1 Action "run" has neither a table nor a path | Give it a path, or put it into actions/<table>/',
  ]],
  ["one action in two files", {
    [ACTIONS]: many("jobs", `close: { ${REST}, execute: () => 1 },`),
  }, ['ACTION_TWICE 3:16 Second action "close" of one table | Rename one of them']],
  ["a name that is no URL segment", {
    [ACTIONS]: many("jobs", `"a b": { ${REST}, execute: () => 1 },`),
  }, [
    'ACTION_NAME 4:1 "a b" is no name for an action | Use letters, digits, - and _, a letter first, and no name that every object has already',
  ]],
  ["two names with one URL", {
    [ACTIONS]: many(
      "jobs",
      `payOut: { ${REST}, execute: () => 1 },\n"pay-out": { ${REST}, execute: () => 1 },`,
    ),
  }, [
    'ACTION_TWICE 5:1 Second action "pay-out" of one table | Rename one of them',
  ]],
  ["two paths of one shape", {
    [ACTIONS]: many(
      "jobs",
      `a: { ${REST}, path: "/x/:a", execute: () => 1 },\nb: { ${REST}, path: "/x/:b", execute: () => 1 },`,
    ),
  }, [
    'ACTION_URL_TWICE 5:82 POST /x/:b is the URL of action "a" already | Rename one of them, or give it another path or method',
  ]],
  ["a handler without execute", {
    ...handler("return 1;"),
    [`${FEATURE}/handlers/close.ts`]: "export const run = () => 1;\n",
  }, [
    'HANDLER_EXPORT 7:12 File "quickback/features/jobs/handlers/close.ts" exports neither execute nor a default | Write: export const execute: ActionExecutor = async ({ … }) => { … }',
  ]],
  ["a handler with a misspelt name", {
    ...handler("return 1;"),
    [ACTION_FILE]: PLAIN_ACTION.replace("execute: () => ({})", 'handler: "../handlers/clsoe"'),
  }, [
    'HANDLER_MISSING 7:12 There is no handler at "../handlers/clsoe" | Did you mean "./handlers/close.ts"?',
  ]],
  ["a package that is not listed", handler("return 1;", 'import Stripe from "stripe";'), [
    'PACKAGE_UNLISTED 1:20 Package "stripe" is not in build.dependencies | Add it there with its version range',
  ]],
  ["a module of another host", handler('return await import("https://x.test/a.ts");'), [
    'PACKAGE_UNLISTED 3:23 Package "https://x.test/a.ts" is not in build.dependencies | Import it by its bare name and list it in build.dependencies',
  ]],
  ["an operation that runs an action with a path", {
    [ACTION_FILE]: PLAIN_ACTION.replace("execute", 'path: "./x",\n  execute'),
    [JOBS_FILE]: mapped("update", "close"),
  }, [
    'ACTION_MAPPED_PATH 7:3 Operation update runs action "close", so it cannot have a path or method | Remove the action\'s path and method',
  ]],
  ["two operations that run one action", {
    [JOBS_FILE]: mapped("update", "close").replace(
      "update:",
      'delete: { action: "close" },\n  update:',
    ),
  }, [
    'ACTION_MAPPED_TWICE 3:16 Operation delete also runs action "close" | Write one action for each operation',
  ]],
  ["an operation that runs an unknown action", { [JOBS_FILE]: mapped("update", "clsoe") }, [
    'ACTION_UNKNOWN 5:52 Unknown action "clsoe" of table "jobs" | Did you mean "close"?',
  ]],
  ["a create that runs an action with a transition", {
    [ACTION_FILE]: PLAIN_ACTION.replace(
      "execute: () => ({})",
      'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed" }',
    ),
    [JOBS_FILE]: mapped("create", "close"),
  }, [
    'ACTION_MAPPED_RECORD 7:3 Action "close" runs on create, where there is no record: remove transition',
  ]],
  ["sql as a tag", handler("return sql`1`;", 'import { sql } from "drizzle-orm";'), [
    raw("3:10", "`sql`"),
  ]],
  ["sql under another name", handler("return s`1`;", 'import { sql as s } from "drizzle-orm";'), [
    raw("3:10", "`sql`"),
  ]],
  ["sql of a namespace", handler("return d.sql`1`;", 'import * as d from "drizzle-orm";'), [
    raw("3:10", "the tagged template `sql`"),
  ]],
  [
    "sql of a dynamic import",
    handler('const { sql } = await import("drizzle-orm"); return sql`1`;'),
    [
      raw("3:55", "the tagged template `sql`"),
    ],
  ],
  ["sql that is handed on", handler("const x = sql;", 'import { sql } from "drizzle-orm";'), [
    raw("3:13", "`sql`"),
  ]],
  ["sql.raw", handler('return d["sql"].raw("1");', 'import * as d from "drizzle-orm";'), [
    raw("3:10", "`sql.raw`"),
  ]],
  ["db.run", handler("return db.run(statement);"), [raw("3:10", "`db.run`")]],
  ["execute with a text", handler('return db.execute("select 1");'), [
    raw("3:10", "`.execute` with a text"),
  ]],
  ["all of a transaction with a text", handler("return tx.all(`select ${1}`);"), [
    raw("3:10", "`db.all` with a text"),
  ]],
  ["sql in a file that a handler imports from another", {
    ...handler("return x;", 'import { x } from "../lib/a";'),
    [`${FEATURE}/lib/a.ts`]: 'export { x } from "../../../lib/b";\n',
    "quickback/lib/b.ts": 'import { sql } from "drizzle-orm";\nexport const x = sql`1`;\n',
  }, [raw("2:18", "`sql`")]],
  ["sql in an action's own file, but only in one of its actions", {
    [ACTIONS]: many(
      "jobs",
      `safe: { ${REST}, allowRawSql: true, execute: ({ db }) => db.run("x") },\nclose2: { ${REST}, execute: ({ db }) => db.run("y") },`,
    ),
  }, [
    `RAW_SQL 5:102 Raw SQL (\`db.run\`) in action "close2" | ${SQL_HINT}`,
  ]],
  ["contract v2 without a schema of an action", {}, [
    'INPUT_SCHEMA_MISSING 3:16 actionInputSchemas has no entry "jobs.close" | Send the JSON Schema of the action\'s input with the request',
  ], { contract: "v2", inputSchemas: {} }],
  ["contract v2 with an entry that names no action", {}, [
    'INPUT_SCHEMA_UNKNOWN 1:1 actionInputSchemas entry "jobs.cloze" names no action | Did you mean "jobs.close"?',
  ], {
    contract: "v2",
    inputSchemas: { "jobs.close": { type: "object" }, "jobs.cloze": { type: "object" } },
  }],
  ...([
    [null, "is no object"],
    [{ type: "objekt" }, "has a wrong type"],
    [{ properties: [] }, "has no object in properties"],
    [{ properties: { a: 1 } }, "holds a schema that is neither an object nor a boolean"],
    [{ required: "a" }, "has a wrong required"],
    [{ $ref: "https://x.test/schema" }, "refers to another document"],
    [{ pattern: "^(a+)+$" }, 'has the pattern "^(a+)+$": matching it can take exponential time'],
    [{ minLength: -1 }, "has a wrong minLength"],
    [nested(40), "nests deeper than 32 levels"],
    [{ description: "x".repeat(70_000) }, "is larger than 65536 bytes"],
  ] as const).map(([schema, problem]) =>
    [`an entry of contract v2 that ${problem}`, {}, [
      `INPUT_SCHEMA_INVALID 3:16 actionInputSchemas entry "jobs.close" ${problem}`,
    ], { contract: "v2", inputSchemas: { "jobs.close": schema } }] as const
  ),
];

function mapped(verb: string, action: string): string {
  return `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: { organizationId: q.scope("organization"), status: q.enum(["open", "closed"]) },
  read: { access: { roles: ["member"] } },
  ${verb}: { access: { roles: ["member"] }, action: "${action}" },
});
`;
}

function nested(levels: number): unknown {
  return levels === 0 ? {} : { items: nested(levels - 1) };
}

for (const [title, files, expected, options] of ROWS) {
  Deno.test(`Actions: ${title}`, () => {
    assertEquals(toldOf(withActions(files, options).errors), expected);
  });
}

Deno.test("An action knows its place, its limits and its code", () => {
  const action = closeAction(withAction(`
  transition: { field: "status", fromTo: { open: ["closed"], }, to: "closed", stamp: "closedAt", clears: ["reason"], guard: { amount: { greaterThan: 0 } }, idempotent: "noop" },
  refs: { id: "jobs" },
  unsafe: { reason: "Support", crossTenant: true },
  rateLimit: { limit: 3, period: 10 },
  invalidates: ["board.changed"],`));
  assertEquals({ ...action, input: null }, {
    key: "jobs.close",
    name: "close",
    segment: "close",
    feature: "jobs",
    table: "jobs",
    resource: "jobs",
    kind: "record",
    method: "POST",
    path: "/jobs/:id/close",
    verb: null,
    bulk: true,
    access: { kind: "roles", roles: ["member"] },
    description: "Close",
    input: null,
    output: null,
    responseType: "json",
    unsafe: { reason: "Support", adminOnly: false, crossTenant: true, targetScope: "all" },
    rateLimit: { limit: 3, period: 10 },
    transition: {
      field: "status",
      fromTo: { open: ["closed"] },
      target: { kind: "to", state: "closed" },
      guard: [{
        column: "amount",
        operator: "greaterThan",
        operand: { kind: "literal", value: 0 },
      }],
      onIllegal: null,
      idempotent: true,
      stamp: "closedAt",
      clears: ["reason"],
    },
    refs: { id: "jobs" },
    invalidates: ["board.changed"],
    allowRawSql: false,
    source: { module: ACTION_FILE, member: null },
    handler: null,
    origin: { file: ACTION_FILE, line: 3, column: 16 },
  });
});

Deno.test("Every form of an action gets its URL", () => {
  const { model, errors } = withActions({
    ...handler("return 1;"),
    [`${FEATURE}/notes.ts`]: `import { feature, q } from "quickback";
export default feature("jobNotes", { columns: { ownerId: q.scope("owner") } });
`,
    [`${FEATURE}/actions/notes/close.ts`]: PLAIN_ACTION,
    [`${FEATURE}/actions/run-stats.ts`]: PLAIN_ACTION.replace(
      "execute",
      'path: "./stats", method: "GET", execute',
    ),
    [ACTIONS]: many("jobs", `"pay-out": { ${REST}, rateLimit: false, execute() { return 1; } },`),
    [REPORTS]: many("null", `run: { ${REST}, path: "./run/:year", execute: () => 1 },`)
      .replace(/ import jobs.*/, ""),
  });
  assertEquals(toldOf(errors), []);
  assertEquals(
    model?.actions.map(({ key, method, path, kind, resource, handler: code, rateLimit }) => [
      `${key} ${method} ${path}`,
      kind,
      resource,
      code?.kind,
      rateLimit?.limit,
    ]),
    [
      ["jobs.close POST /jobs/:id/close", "record", "jobs", "module", 200],
      ["jobs.jobNotes.close POST /job-notes/:id/close", "record", "jobNotes", "inline", 200],
      ["jobs.pay-out POST /jobs/:id/pay-out", "record", "jobs", "inline", undefined],
      ["jobs.run-stats GET /jobs/stats", "standalone", "jobs", "inline", 200],
      ["reports.run POST /reports/run/:year", "standalone", null, "inline", 200],
    ],
  );
});

Deno.test("An operation that runs an action lends it its place", () => {
  const place = (verb: string) => {
    const { method, path, kind, bulk, ...action } = closeAction(
      withActions({ [JOBS_FILE]: mapped(verb, "close") }),
    );
    return [action.verb, method, path, kind, bulk];
  };
  assertEquals(place("create"), ["create", "POST", "/jobs", "standalone", false]);
  assertEquals(place("update"), ["update", "PATCH", "/jobs/:id", "record", false]);
  assertEquals(place("delete"), ["delete", "DELETE", "/jobs/:id", "record", false]);
});

Deno.test("A schema that came with the request stands in for one that cannot be read", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const unreadable = "input: z.object({}).transform(String),";
  for (const contract of ["v1", "v2"] as const) {
    const result = withAction(unreadable, { contract, inputSchemas: { "jobs.close": schema } });
    assertEquals(closeAction(result).input, { kind: "jsonSchema", schema });
    assertEquals(result.warnings.filter(({ code }) => code === "SCHEMA_OPEN"), []);
  }
});

Deno.test("Contract v2 in one process takes the schemas that it can read", () => {
  assertEquals(toldOf(withAction("", { contract: "v2" }).errors), []);
  assertEquals(
    withAction("input: z.date(),", { contract: "v2" }).errors.map(({ code }) => code),
    ["INPUT_SCHEMA_MISSING"],
  );
});

Deno.test("Roles that only an action names are roles of the project", () => {
  const { model } = withAction('access: { roles: ["closer"] },');
  assertEquals(model?.auth.roles, ["closer", "member"]);
});
