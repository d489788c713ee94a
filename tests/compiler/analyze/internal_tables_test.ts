/** Whose rows a table without routes holds (definitions 1, 4.1). */
import { assertEquals } from "@std/assert";
import { columnPredicates } from "../../../shared/model/access.ts";
import type { TableModel } from "../../../shared/model/table.ts";
import { type Analyzed, analyzed, CONFIG_FILE, toldOf } from "../../support/analysis.ts";

const TASKS = "quickback/features/tasks/tasks.ts";
const SCORES = "quickback/features/tasks/scores.ts";

const ORGANIZATIONS = 'export default { name: "s" };\n';
const SINGLE_TENANT = 'export default { name: "s", features: { organizations: false } };\n';

/** Imports of a table file; what follows begins at line 3. */
const IMPORTS = `import { defineTable, feature, q } from "quickback";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
`;

const SCOPED =
  `export default feature("tasks", { columns: { organizationId: q.scope("organization") } });\n`;
const BARE =
  'export const scores = sqliteTable("scores", { points: integer("points").unique() });\n';

/** A feature's primary table, another table of its folder, and other files. */
function project(primary: string, internal: string, config = ORGANIZATIONS): Analyzed {
  return analyzed({
    [CONFIG_FILE]: config,
    [TASKS]: IMPORTS + primary,
    [SCORES]: IMPORTS + internal,
  });
}

function scoresOf(result: Analyzed): TableModel {
  assertEquals(toldOf(result.errors), []);
  const table = result.model?.tables.find(({ name }) => name === "scores");
  if (!table) throw new Error("There is no table scores");
  return table;
}

function firewallOf({ firewall }: TableModel): readonly string[] {
  return columnPredicates(firewall).map(({ kind, column }) => `${kind} ${column}`);
}

Deno.test("An internal table belongs to the organizations that its feature's primary table belongs to", () => {
  const scores = scoresOf(project(SCOPED, BARE));
  assertEquals(scores.scope, { organization: "organizationId", owner: null, team: null });
  assertEquals(firewallOf(scores), ["organization organizationId", "notDeleted deletedAt"]);
  const [id, scope] = scores.columns;
  assertEquals(id?.name, "id");
  assertEquals([scope?.sqlName, scope?.manager, scope?.nullable], [
    "organization_id",
    "scope",
    false,
  ]);
  assertEquals(scores.indexes.filter(({ unique }) => unique).map(({ columns }) => columns), [
    ["organizationId", "points"],
  ]);
});

Deno.test("The inherited column has the primary table's names, wherever its scope comes from", () => {
  const primary = `export const tasks = sqliteTable("tasks", { tenant: text("of_org").notNull() });
export default defineTable(tasks, { firewall: [{ field: "tenant", equals: "ctx.activeOrgId" }] });
`;
  const scores = scoresOf(project(primary, BARE));
  assertEquals(firewallOf(scores), ["organization tenant", "notDeleted deletedAt"]);
  assertEquals(scores.columns.find(({ name }) => name === "tenant")?.sqlName, "of_org");
});

Deno.test("A primary table without routes gives its scope too", () => {
  const primary =
    'export const tasks = q.table("tasks", { organizationId: q.scope("organization") });\n';
  assertEquals(scoresOf(project(primary, BARE)).scope.organization, "organizationId");
});

Deno.test("A scope of its own is the one that an internal table has", () => {
  const own = 'export const scores = q.table("scores", { ownerId: q.scope("owner") });\n';
  const scores = scoresOf(project(SCOPED, own));
  assertEquals(scores.scope, { organization: null, owner: "ownerId", team: null });
});

for (
  const [form, text] of [
    [
      "after the columns of q.table()",
      'export const scores = q.table("scores", { points: q.int() }, { exception: true });\n',
    ],
    [
      "alone under defineTable()",
      `${BARE}export default defineTable(scores, { exception: true });\n`,
    ],
  ] as const
) {
  Deno.test(`An exception ${form} makes an internal table everybody's`, () => {
    const result = project(SCOPED, text);
    const scores = scoresOf(result);
    assertEquals(scores.scope, { organization: null, owner: null, team: null });
    assertEquals(firewallOf(scores), ["notDeleted deletedAt"]);
    assertEquals(result.model?.resources.map(({ name }) => name), ["tasks"]);
  });
}

Deno.test("A project without organizations keeps its internal tables as they are", () => {
  const primary = 'export default feature("tasks", { columns: { ownerId: q.scope("owner") } });\n';
  const scores = scoresOf(project(primary, BARE, SINGLE_TENANT));
  assertEquals(scores.scope, { organization: null, owner: null, team: null });
  assertEquals(scores.columns.map(({ name }) => name).slice(0, 2), ["id", "points"]);
});

const MISSING =
  'ISOLATION_MISSING 3:35 No column isolates the rows of "scores" by its caller | Add q.scope("organization") or q.scope("owner"), ' +
  "or say that its rows are everybody's: defineTable(table, { exception: true }), or { exception: true } after the columns of q.table()";

type MistakeRow = readonly [title: string, primary: string, internal: string, told: string[]];

const MISTAKES: readonly MistakeRow[] = [
  [
    "a primary table that belongs to owners only",
    'export default feature("tasks", { columns: { ownerId: q.scope("owner") } });\n',
    BARE,
    [MISSING],
  ],
  [
    "a primary table that is an exception, whatever its siblings are",
    'export default feature("tasks", { columns: { note: q.text() }, firewall: { exception: true } });\n',
    BARE,
    [MISSING],
  ],
  [
    "an unknown option",
    SCOPED,
    'export const scores = q.table("scores", { points: q.int() }, { exeption: true });\n',
    [
      'UNKNOWN_KEY 3:64 Unknown key "exeption" in table options | Did you mean "exception"?',
    ],
  ],
  [
    "a column of its own under the name of the scope",
    `export const tasks = sqliteTable("tasks", { tenant: text("tenant").notNull() });
export default defineTable(tasks, { firewall: [{ field: "tenant", equals: "ctx.activeOrgId" }] });
`,
    'export const scores = sqliteTable("scores", { tenant: integer("tenant") });\n',
    [MISSING],
  ],
  [
    "an exception beside a scope column",
    SCOPED,
    'export const scores = q.table("scores", { organizationId: q.scope("organization") }, { exception: true });\n',
    [
      'EXCEPTION_WITH_SCOPE 3:88 Table "scores" has the scope column "organizationId" and cannot be an exception | Remove the exception, or the column',
    ],
  ],
  [
    "an exception that is false",
    SCOPED,
    `${BARE}export default defineTable(scores, { exception: false });\n`,
    ['VALUE_UNKNOWN 4:49 "table options.exception" is false, expected true'],
  ],
  [
    "an exception in drizzle's third argument",
    SCOPED,
    'export const scores = sqliteTable("scores", { points: integer("points") }, { exception: true });\n',
    [
      'TABLE_EXTRAS 3:76 Third argument of sqliteTable() is not read | Put its indexes under "indexes" and "unique" of defineTable()',
    ],
  ],
  [
    "an exception among the keys of a resource",
    SCOPED,
    `${BARE}export default defineTable(scores, { exception: true, read: { access: { roles: ["a"] } } });\n`,
    [
      'ISOLATION_MISSING 3:35 No column isolates the rows of "scores" by its caller | Add q.scope("organization") or q.scope("owner"), or say firewall: { exception: true }',
      'KEY_REPLACED 4:38 Key "exception" in scores is now "firewall: { exception: true }" | Move it to "firewall: { exception: true }"',
    ],
  ],
];

for (const [title, primary, internal, told] of MISTAKES) {
  Deno.test(`An internal table: ${title}`, () => {
    assertEquals(toldOf(project(primary, internal).errors), told);
  });
}

Deno.test("Without a primary table there is no scope to inherit, whatever the siblings have", () => {
  const { errors } = analyzed({
    [CONFIG_FILE]: ORGANIZATIONS,
    "quickback/features/tasks/works.ts": IMPORTS + SCOPED.replace('"tasks"', '"works"'),
    [SCORES]: IMPORTS + BARE,
  });
  assertEquals(toldOf(errors), [MISSING]);
});

Deno.test("An internal table says nothing of its isolation while its feature's table cannot be read", () => {
  assertEquals(
    project("export default feature(1);\n", BARE).errors.map(({ code }) => code),
    ["ARGUMENTS"],
  );
});
