import { cpuUsage } from "node:process";
import { assert, assertEquals } from "@std/assert";
import { JOBS, plain, runProject, told } from "../../support/front.ts";

const CUSTOMERS = "quickback/features/customers/customers.ts";
const HEAD = 'import { feature, q } from "quickback";\n';

/** The value of `x` in a table file, after lines that declare what it uses. */
function valueOf(expression: string, declarations = ""): unknown {
  const source = `${HEAD}${declarations}\nexport default feature("jobs", { x: ${expression} });\n`;
  const { definitions, errors } = runProject({ [JOBS]: source });
  assertEquals(told(errors), [], expression);
  const call = definitions.tables[0]?.defaultExport;
  const options = call?.kind === "call" ? call.args[1] : undefined;
  return plain(options?.kind === "object" ? options.entries[0]?.value : null);
}

const READABLE: readonly (readonly [expression: string, declarations: string, value: unknown])[] = [
  ["LIMIT", "const LIMIT = 200;", 200],
  ["LIMITS.title", "export const LIMITS = { title: 200 } as const;", 200],
  ["LIMITS['title']", "const LIMITS = { title: 200 };", 200],
  ["STATES[1]", 'const STATES = ["open", "done"] as const;', "done"],
  ["[...STATES, 'late']", 'const STATES = ["open"];', ["open", "late"]],
  ["{ ...base, b: 3, [KEY]: 4 }", 'const base = { a: 1, b: 2 };\nconst KEY = "c";', {
    a: 1,
    b: 3,
    c: 4,
  }],
  ["{ b: 3, ...base }", "const base = { a: 1, b: 2 };", { b: 2, a: 1 }],
  ["ALIAS", "const ALIAS = LIMIT;\nconst LIMIT = 7;", 7],
  ["{ LIMIT }", "const LIMIT = 7;", { LIMIT: 7 }],
  ["q.text({ maxLength: 9 }).required()", "", {
    call: "q.text",
    args: [{ maxLength: 9 }],
    chain: [["required"]],
  }],
  ["build.text()", "const build = q;", { call: "q.text", args: [], chain: [] }],
  [
    "text().default(sql`(unixepoch())`)",
    'import { sql } from "drizzle-orm";\nimport { text } from "drizzle-orm/sqlite-core";',
    {
      call: "text",
      args: [],
      chain: [["default", { call: "sql", args: ["(unixepoch())"], chain: [] }]],
    },
  ],
  ["z.object({ a: z.string().min(1) })", 'import { z } from "zod";', {
    call: "z.object",
    args: [{ a: { call: "z.string", args: [], chain: [["min", 1]] } }],
    chain: [],
  }],
  ["z.coerce.number()", 'import * as z from "zod";', {
    call: "z.coerce.number",
    args: [],
    chain: [],
  }],
  ["z.string()", 'import z from "zod";', { call: "z.string", args: [], chain: [] }],
  ["() => other.id", 'const other = q.table("other", {});', {
    thunk: { reference: `${JOBS}#other`, members: ["id"] },
  }],
  ["(): unknown => { return other.id; }", 'const other = q.table("other", {});', {
    thunk: { reference: `${JOBS}#other`, members: ["id"] },
  }],
  ["async ({ db }) => { await db(); }", "", { function: "async ({ db }) => { await db(); }" }],
  ["() => ({ ok: true })", "", { function: "() => ({ ok: true })" }],
  ["run", "function run() { return 1; }", { function: "function run() { return 1; }" }],
  ["{ run() { return 1; } }", "", { run: { function: "run() { return 1; }" } }],
];

Deno.test("a table file may use constants, spreads, known calls, references and functions", () => {
  for (const [expression, declarations, value] of READABLE) {
    assertEquals(valueOf(expression, declarations), value, expression);
  }
});

/** `x` on line 3, after the declarations of line 2. */
const REFUSED: readonly (readonly [expression: string, declarations: string, ...told: string[]])[] =
  [
    ["LIMT", "const LIMIT = 1;", 'NAME_UNDECLARED 3:37 Name "LIMT" is not declared or imported'],
    ["undefined", "", "NOT_STATIC 3:37 Value cannot be read statically: `undefined`"],
    ["Date.now()", "", "NOT_STATIC 3:37 Value cannot be read statically: the call of `Date.now`"],
    [
      "make()",
      "function make() {}",
      "NOT_STATIC 3:37 Value cannot be read statically: the call of `make`",
    ],
    [
      "counter",
      "let counter = 1;",
      "NOT_STATIC 3:37 Value cannot be read statically: the `let` variable `counter`",
    ],
    [
      "a",
      "const { a } = { a: 1 };",
      "NOT_STATIC 3:37 Value cannot be read statically: the destructured variable `a`",
    ],
    [
      "State.Open",
      "enum State { Open }",
      "NOT_STATIC 3:37 Value cannot be read statically: an enum",
    ],
    [
      "60 * 60",
      "",
      "NOT_STATIC 3:37 Value cannot be read statically: the computed value `60 * 60`",
    ],
    [
      "LIMIT",
      "const LIMIT = 60 * 60;",
      "NOT_STATIC 2:15 Value cannot be read statically: the computed value `60 * 60`",
    ],
    [
      "`${LIMIT}`",
      "const LIMIT = 1;",
      "NOT_STATIC 3:37 Value cannot be read statically: a template literal with a substitution",
    ],
    ["q.text", "", 'CALL_MISSING 3:37 Function "q.text" is not called'],
    [
      "q.text().length",
      "",
      "NOT_STATIC 3:37 Value cannot be read statically: the member access `q.text().length`",
    ],
    [
      "LIMITS.titel",
      "const LIMITS = { title: 1 };",
      "NOT_STATIC 3:37 Value cannot be read statically: the member access `LIMITS.titel`",
    ],
    [
      "{ ...LIMIT }",
      "const LIMIT = 1;",
      "NOT_STATIC 3:39 Value cannot be read statically: the spread `...LIMIT`",
    ],
    ["a", "const a = b; const b = [a];", 'CONSTANT_CYCLE 2:25 Constant "b" is made of itself'],
    [
      "lodash.max()",
      'import * as lodash from "lodash";',
      'NOT_STATIC 3:37 Value cannot be read statically: `*` of the package "lodash"',
    ],
    [
      "1",
      'import { featur } from "quickback";',
      'IMPORT_UNKNOWN 2:10 "quickback" has no export "featur"',
    ],
    [
      "1",
      'import { a } from "./missing";',
      'IMPORT_FILE_MISSING 2:10 Imported file "./missing" does not exist in the project',
    ],
    [
      "1",
      'import { a } from "../../../../../etc/passwd";',
      'IMPORT_FILE_MISSING 2:10 Imported file "../../../../../etc/passwd" does not exist in the project',
    ],
    [
      "1",
      'import { custmers } from "../customers/customers";',
      'IMPORT_NAME_MISSING 2:10 File "../customers/customers" has no export "custmers"',
    ],
    [
      "1",
      "console.log(1);",
      "NOT_STATIC 2:1 Value cannot be read statically: the statement `console.log(1);`",
    ],
    ["{ a: 1, a: 2 }", "", 'DUPLICATE_KEY 3:45 Key "a" stands twice in the same object'],
    ["{ ['__proto__']: 1 }", "", 'KEY_FORBIDDEN 3:40 Key "__proto__" cannot be used'],
  ];

Deno.test("what a table file may not hold is told with its construct and its place", () => {
  for (const [expression, declarations, ...expected] of REFUSED) {
    const source =
      `${HEAD}${declarations}\nexport default feature("jobs", { x: ${expression} });\n`;
    const customers = `${HEAD}export default feature("customers", {});\n`;
    const { errors } = runProject({ [JOBS]: source, [CUSTOMERS]: customers });
    assertEquals(told(errors), expected, expression);
  }
});

Deno.test("a near miss is suggested", () => {
  const source =
    'import { featur, q } from "quickback";\nconst limit = 1;\nexport default featur("jobs", { a: limt });\n';
  const { errors, definitions } = runProject({ [JOBS]: source });
  assertEquals(errors.map((error) => error.hint), [
    'Did you mean "feature"?',
    'Did you mean "limit"?',
  ]);
  const exported = definitions.tables[0]?.defaultExport;
  assertEquals(exported?.kind === "call" ? exported.callee : null, "feature");
});

Deno.test("an import of a file or name that is not there suggests the nearest, and is read as it", () => {
  const jobs = (line: string) =>
    `${HEAD}${line}\nexport default feature("jobs", { a: () => customers.id });\n`;
  const customers = { [CUSTOMERS]: `${HEAD}export const customers = feature("customers", {});\n` };
  const file = runProject({
    ...customers,
    [JOBS]: jobs('import { customers } from "../customers/customer";'),
  });
  assertEquals(file.errors.map((error) => error.hint), [`Did you mean "${CUSTOMERS}"?`]);
  const name = runProject({
    ...customers,
    [JOBS]: jobs('import { custmers as customers } from "../customers/customers";'),
  });
  assertEquals(name.errors.map((error) => error.hint), ['Did you mean "customers"?']);
  const table = name.definitions.tables.find((one) => one.file === JOBS)?.defaultExport;
  const thunk = { thunk: { reference: `${CUSTOMERS}#customers`, members: ["id"] } };
  assertEquals(plain(table), { call: "feature", args: ["jobs", { a: thunk }], chain: [] });
});

Deno.test("an import that was forgotten is told once, with the line to add", () => {
  const source =
    'import { feature } from "quickback";\nexport default feature("jobs", { a: q.text(), b: q.text() });\n';
  const { errors } = runProject({ [JOBS]: source });
  assertEquals(errors.map((error) => [error.place.column, error.hint]), [
    [37, 'Add: import { q } from "quickback"'],
  ]);
});

Deno.test("a message quotes one bounded line, without characters that could rewrite a terminal", () => {
  const source = `${HEAD}export default feature("jobs", { a: f("\u202e\u0007", ${
    "1, ".repeat(500)
  }) + 1 });\n`;
  const [error] = runProject({ [JOBS]: source }).errors;
  assert(
    error !== undefined && error.message.length < 160 && !/[\p{Cc}\p{Cf}]/u.test(error.message),
  );
});

Deno.test("a constant that nothing uses may be anything", () => {
  const source = `${HEAD}const now = Date.now();\nexport default feature("jobs", {});\n`;
  assertEquals(told(runProject({ [JOBS]: source }).errors), []);
});

Deno.test("tables refer to each other by default and by name, in circles, with and without .ts", () => {
  const jobs = `${HEAD}import customers from "../customers/customers";
import { sites } from "./sites.ts";
import * as all from "./sites";
export default feature("jobs", { columns: {
  customerId: q.text().references(() => customers.id),
  siteId: q.text().references(() => sites.id),
  otherSiteId: q.text().references(() => all.sites.id),
  selfId: q.text().references(() => all.sites.jobId),
} });
`;
  const sites = `import { defineTable, q } from "quickback";
import jobs from "./jobs";
export const sites = q.table("sites", { jobId: q.text().references(() => jobs.id) });
export default defineTable(sites, {});
`;
  const customers = `${HEAD}import { jobs } from "../jobs/jobs.js";
const customers = feature("customers", { columns: { jobId: q.text().references(() => jobs.id) } });
export default customers;
`;
  const { definitions, errors } = runProject({
    [JOBS]: jobs,
    "quickback/features/jobs/sites.ts": sites,
    [CUSTOMERS]: customers,
  });
  assertEquals(told(errors), []);
  const targets = definitions.tables.map((table) =>
    [
      ...JSON.stringify(table.defaultExport ?? null).matchAll(
        /"target":{"file":"[^"]*\/(\w+)\.ts","name":"(\w+)"/g,
      ),
    ]
      .map(([, file, name]) => `${file}#${name}`)
  );
  assertEquals(targets, [
    ["jobs#default"],
    ["customers#customers", "sites#sites", "sites#sites", "sites#sites"],
    ["sites#sites"],
  ]);
});

Deno.test("constants come from lib/, through barrels and by other names", () => {
  const { definitions, errors } = runProject({
    [JOBS]: `${HEAD}import { STATES as states, LIMIT } from "./lib";
import { ROLES } from "../../lib/roles";
export default feature("jobs", { a: states, b: LIMIT, c: ROLES.all });
`,
    "quickback/features/jobs/lib/index.ts":
      'export * from "./states.ts";\nexport { LIMIT } from "./limits";\n',
    "quickback/features/jobs/lib/states.ts":
      'export const STATES = ["open", "done"] as const;\nexport type State = string;\n',
    "quickback/features/jobs/lib/limits.ts": "const LIMIT = 9;\nexport { LIMIT };\n",
    "quickback/lib/roles.ts":
      'const admin = "admin";\nexport const ROLES = { all: [admin, "owner"] };\n',
  });
  assertEquals(told(errors), []);
  assertEquals(plain(definitions.tables[0]?.defaultExport), {
    call: "feature",
    args: ["jobs", { a: ["open", "done"], b: 9, c: ["admin", "owner"] }],
    chain: [],
  });
});

Deno.test("a value that came from elsewhere has the place where it is written", () => {
  const { definitions } = runProject({
    [JOBS]:
      `${HEAD}import { LIMIT } from "./lib/limits";\nexport default feature("jobs", { a: LIMIT });\n`,
    "quickback/features/jobs/lib/limits.ts": "\nexport const LIMIT = 1234;\n",
  });
  const call = definitions.tables[0]?.defaultExport;
  const options = call?.kind === "call" ? call.args[1] : null;
  assertEquals(options?.kind === "object" ? options.entries[0]?.value.place : null, {
    file: "quickback/features/jobs/lib/limits.ts",
    line: 2,
    column: 22,
    length: 4,
  });
});

Deno.test("an action's schema need not be readable, its names must exist all the same", () => {
  const action = (input: string) =>
    `import { defineAction } from "quickback";\nimport { z } from "zod";\nfunction schema() { return z.object({}); }\nexport default defineAction({ input: ${input}, access: {} });\n`;
  const path = "quickback/features/jobs/actions/close.ts";
  const schemas = [
    "schema()",
    "z.object({ a: z.string().refine((a) => a > 'b') })",
    "cond ? 1 : 2",
  ];
  for (const input of schemas) {
    assertEquals(told(runProject({ [path]: action(input) }).errors), [], input);
  }
  assertEquals(told(runProject({ [path]: action("y.object({})") }).errors), [
    'NAME_UNDECLARED 4:38 Name "y" is not declared or imported',
  ]);
});

Deno.test("handlers import all tables of their feature from ../schema", () => {
  const files = {
    [JOBS]: `${HEAD}export default feature("jobs", {});\n`,
    "quickback/features/jobs/handlers/close.ts":
      'import { jobs } from "../schema";\nimport { helper } from "../lib/helper.ts";\nexport const execute = () => helper(jobs);\n',
    "quickback/features/jobs/lib/helper.ts": "export function helper(a: unknown) { return a; }\n",
  };
  const { errors, definitions } = runProject(files);
  assertEquals(told(errors), []);
  assertEquals([...definitions.carried.keys()], Object.keys(files).slice(1).sort());
  const wrong = {
    "quickback/features/jobs/handlers/close.ts": 'import { jbs } from "../schema";\n',
  };
  assertEquals(told(runProject({ ...files, ...wrong }).errors), [
    'IMPORT_NAME_MISSING 1:10 File "../schema" has no export "jbs"',
  ]);
});

Deno.test("what a file with syntax errors declares is unknown, not missing", () => {
  const { errors, definitions } = runProject({
    [JOBS]:
      `${HEAD}import customers, { Other } from "../customers/customers";\nexport default feature("jobs", { a: () => customers.id });\n`,
    [CUSTOMERS]: "export default feature(;\n",
  });
  assertEquals(errors.map((error) => [error.code, error.place.file]), [[
    "SYNTAX_ERROR",
    CUSTOMERS,
  ]]);
  assertEquals([...definitions.unparsed], [CUSTOMERS]);
  assertEquals(definitions.tables.map((table) => table.defaultExport?.kind), [
    "unreadable",
    "call",
  ]);
});

Deno.test("constants made of constants neither blow up nor overflow", () => {
  const laughs = Array.from(
    { length: 40 },
    (_, i) => `const a${i + 1} = [${Array(10).fill(`a${i}`).join(", ")}];`,
  );
  const deep = Array.from({ length: 3000 }, (_, i) => `const b${i + 1} = [b${i}];`);
  const source = (lines: readonly string[], name: string) =>
    `${HEAD}const a0 = 1; const b0 = 1;\n${
      lines.join("\n")
    }\nexport default feature("jobs", { x: ${name} });\n`;
  const codes = (
    text: string,
  ) => [...new Set(runProject({ [JOBS]: text }).errors.map((e) => e.code))];
  assertEquals(codes(source(laughs, "a40")), ["VALUE_TOO_LARGE"]);
  assertEquals(codes(source(deep, "b3000")), ["VALUE_TOO_DEEP"]);
  assertEquals(codes(source([...deep].reverse(), "b3000")), ["VALUE_TOO_DEEP"]);
});

Deno.test("a chain of 20,000 members is not walked anew for each of them", () => {
  const since = cpuUsage();
  const source = `export const x = a${".a".repeat(20_000)};\n`;
  assertEquals(told(runProject({ "quickback/lib/x.ts": source }).errors), []);
  assert(cpuUsage(since).user < 10_000_000);
});

Deno.test("a chain of 30,000 methods is read without recursion", () => {
  const source = `${HEAD}export default feature("jobs", { x: q.text()${
    ".required()".repeat(30_000)
  } });\n`;
  assertEquals(told(runProject({ [JOBS]: source }).errors), []);
});
