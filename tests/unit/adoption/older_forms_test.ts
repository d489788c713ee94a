/** Older forms are rewritten where they have one form here; everything else stays as its author wrote it. */
import { assertEquals, assertThrows } from "@std/assert";
import { DraftError } from "../../../cli/adopt/foreign_schema.ts";
import { rewriteOlderForms } from "../../../cli/adopt/older_forms.ts";

const FILE = "quickback/features/jobs/jobs.ts";
const CONFIG = "quickback/quickback.config.ts";

const resource = (members: string) => `export default feature("jobs", {\n${members}\n});\n`;

const REWRITTEN: readonly (readonly [what: string, path: string, from: string, to: string])[] = [
  [
    "names of the module, in the author's quotes",
    FILE,
    `import { q } from '@quickback/compiler';\nexport type * from "@quickback/types";\nconst lazy = () => import("@quickback/types");\n`,
    `import { q } from 'quickback';\nexport type * from "quickback";\nconst lazy = () => import("quickback");\n`,
  ],
  [
    "builders under another name, not those that need a decision",
    FILE,
    `const c = { a: q.string().required(), b: q.string( { maxLength: 3 } ), c: q.integer(), d: q.number(), e: q.string(20) };\n`,
    `const c = { a: q.text().required(), b: q.text( { maxLength: 3 } ), c: q.int(), d: q.number(), e: q.string(20) };\n`,
  ],
  [
    "standalone beside a path",
    FILE,
    `const a = { x: {\n  access: {},\n  standalone: true,\n  path: "/x",\n}, y: { path: "/y", access: {}, standalone: true } };\n`,
    `const a = { x: {\n  access: {},\n  path: "/x",\n}, y: { path: "/y", access: {} } };\n`,
  ],
  [
    "standalone that says no",
    FILE,
    `const a = { standalone: false, access: {} };\n`,
    `const a = { access: {} };\n`,
  ],
  [
    "list and get under one rule",
    FILE,
    resource(`  crud: {
    list:   { access: { roles: ["a", "b"], }, pageSize: 5 }, // all of them
    get:    { access: { roles: ['a', 'b'] } },
    create: { access: { roles: ["a"] } },
  },`),
    resource(`  read: { access: { roles: ["a", "b"], }, pageSize: 5 },
  crud: {
    // all of them
    create: { access: { roles: ["a"] } },
  },`),
  ],
  [
    "list and get alone, on one line",
    FILE,
    `export default defineTable(jobs, { crud: { list: { access: A }, get: { access: A } }, x: 1 });\n`,
    `export default defineTable(jobs, { read: { access: A }, x: 1 });\n`,
  ],
  [
    "the last members of a line",
    FILE,
    `export default feature("jobs", { crud: { create: C, list: { access: A }, get: { access: A } } });\n`,
    `export default feature("jobs", { read: { access: A },\ncrud: { create: C,  } });\n`,
  ],
  [
    "views beside them",
    FILE,
    resource(`  crud: { list: { access: A }, get: { access: A } },
  // Short ones.
  views: {
    short: { fields: ["id"] }, // two
  },`),
    resource(`  read: {
    access: A,
    views: {
      short: { fields: ["id"] }, // two
    },
  },
  // Short ones.`),
  ],
  [
    "what one rule of read says",
    FILE,
    resource(`  crud: {\n    read: {\n      access: A,\n    },\n    update: U,\n  },`),
    resource(`  read: {\n    access: A,\n  },\n  crud: {\n    update: U,\n  },`),
  ],
  [
    "the configuration",
    CONFIG,
    `export default defineConfig({ features: ["organizations"], providers: { runtime: defineRuntime("bun"), database: defineDatabase('turso', {}) } });\n`,
    `export default defineConfig({ features: { organizations: true }, providers: { runtime: defineRuntime("deno"), database: defineDatabase('libsql', {}) } });\n`,
  ],
];

for (const [what, path, from, to] of REWRITTEN) {
  Deno.test(`an older form is rewritten: ${what}`, () => {
    const { text, changes } = rewriteOlderForms(path, from);
    assertEquals(text, to);
    assertEquals(changes.length > 0, true);
    const windows = (lines: string) => lines.replaceAll("\n", "\r\n");
    assertEquals(rewriteOlderForms(path, windows(from)).text, windows(to));
    // A second time there is nothing left to do.
    assertEquals(rewriteOlderForms(path, text), { text, changes: [] });
  });
}

const KEPT: readonly (readonly [what: string, text: string])[] = [
  ["get alone, which would open the list", resource("  crud: { get: { access: A } },")],
  ["list alone, which would open single records", resource("  crud: { list: { access: A } },")],
  ["two rules", resource("  crud: { list: { access: A }, get: { access: B } },")],
  [
    "a word of the author in what would go",
    resource("  crud: { list: { access: A }, get: { access: A /* sic */ } },"),
  ],
  [
    "a key that read does not have",
    resource("  crud: { list: { access: A, fields: [] }, get: { access: A } },"),
  ],
  [
    "read beside it",
    resource("  read: { access: A }, crud: { list: { access: A }, get: { access: A } },"),
  ],
  ["spread members", resource("  crud: { list: { ...A }, get: { ...A } },")],
  ["standalone without a path", `const a = { x: { standalone: true, access: {} } };\n`],
  ["a platform role", resource(`  read: { access: { userRole: "admin" } },`)],
  ["an object that is no action", `const a = { standalone: true, path: "/x" };\n`],
  ["a string that only looks like a module", `const a = "@quickback/compiler";\n`],
  ["other lists of features", `export default { features: ["teams"] };\n`],
];

for (const [what, text] of KEPT) {
  Deno.test(`an older form is left to a person: ${what}`, () =>
    assertEquals(rewriteOlderForms(CONFIG, text), { text, changes: [] }));
}

Deno.test("a file that is no TypeScript is refused with its place", () => {
  assertThrows(() => rewriteOlderForms(FILE, "export default {"), DraftError, `${FILE}: `);
  const deep = `export default ${"[".repeat(20_000)}${"]".repeat(20_000)};`;
  assertThrows(() => rewriteOlderForms(FILE, deep), DraftError, "nested too deeply");
});
