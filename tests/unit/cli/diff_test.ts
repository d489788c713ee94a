/** `diff`: what is printed, and when it fails (definitions 8). */
import { join } from "node:path";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const CONFIG = `export default {
  name: "shop",
  providers: { database: { name: "libsql", generateId: "uuid" } },
  compiler: { migrations: { allowDestructive: true } },
};\n`;

const ORDERS = `import { feature, q } from "quickback";

export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().required(),
    note: q.text(),
  },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["admin"] } },
  create: { access: { roles: ["admin"] } },
});\n`;

type Files = Readonly<Record<string, string>>;

const OLD: Files = {
  "quickback/quickback.config.ts": CONFIG,
  "quickback/features/orders/orders.ts": ORDERS,
};

function changed(from: string, to: string, files = OLD): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text.replace(from, to)]),
  );
}

const MORE_READ = changed(
  'read: { access: { roles: ["admin"]',
  'read: { access: { roles: ["clerk"]',
);
const NO_CREATE = changed('\n  create: { access: { roles: ["admin"] } },', "");
const NO_NOTE = changed("\n    note: q.text(),", "");
const CAREFUL = changed("allowDestructive: true", "allowDestructive: false", NO_NOTE);

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function diff(now: Files, ...args: readonly string[]): Promise<Run> {
  const folder = await Deno.makeTempDir();
  try {
    const [before, after] = [join(folder, "old"), join(folder, "new")];
    await writeAll(before, OLD);
    await writeAll(after, now);
    const terminal = recordingTerminal();
    const code = await main(["diff", before, after, ...args], terminal);
    return { code, out: terminal.outText(), err: terminal.errText() };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}

const VERDICTS: readonly (readonly [
  what: string,
  now: Files,
  args: readonly string[],
  code: number,
  err: RegExp,
])[] = [
  ["nothing", OLD, [], 0, /^$/],
  [
    "an added route",
    changed("  create:", '  delete: { access: { roles: ["nobody"] } },\n  create:'),
    [
      "--allow",
      "gain",
    ],
    0,
    /^$/,
  ],
  ["a role that gains", MORE_READ, [], 1, /Look at: gain; then --allow gain/],
  ["a role that gains, allowed", MORE_READ, ["--allow", "gain"], 0, /^$/],
  ["a route that is gone", NO_CREATE, [], 1, /Look at: breaking;/],
  [
    "a route that is gone, while something else is allowed",
    NO_CREATE,
    ["--allow", "gain"],
    1,
    /Look at: breaking;/,
  ],
  [
    "a column that is gone",
    NO_NOTE,
    [],
    1,
    /Look at: breaking, destructive; then --allow breaking,destructive/,
  ],
  [
    "a column that is gone, half allowed",
    NO_NOTE,
    ["--allow", "breaking"],
    1,
    /Look at: destructive;/,
  ],
  ["a column that is gone, allowed", NO_NOTE, ["--allow", "breaking,destructive"], 0, /^$/],
  [
    "a loss that the author has not allowed",
    CAREFUL,
    ["--allow", "breaking,destructive"],
    1,
    /No migration leads from the old version to the new one:/,
  ],
  ["a new version with mistakes", changed("q.text()", "q.txt()"), [], 1, /new has errors:/],
  [
    "an unknown concern",
    OLD,
    ["--allow", "everything"],
    2,
    /--allow takes gain, breaking, destructive, not "everything"/,
  ],
];

for (const [what, now, args, code, err] of VERDICTS) {
  Deno.test(`diff of ${what} exits with ${code}`, async () => {
    const run = await diff(now, ...args);
    assertEquals([run.code, err.test(run.err)], [code, true], `${run.err}\n${run.out}`);
  });
}

Deno.test("diff tells of everything under its heading, and shows the migration", async () => {
  const { out } = await diff(NO_NOTE);
  assertEquals(out.split("\n").filter((line) => /^\S/.test(line)), [
    "Who may see or do less",
    "What clients can trip over",
    "Migration",
  ]);
  assertStringIncludes(out, "  OrdersRecord.note  is no longer answered");
  assertMatch(out, /^ {2}-- destructive: the column "orders"."note" and its values are gone$/m);
  assertMatch(out, /^ {2}ALTER TABLE `orders` DROP COLUMN `note`;$/m);
});

Deno.test("diff tells a migration that is refused, beside what else changes", async () => {
  const { out, err } = await diff(CAREFUL);
  assertStringIncludes(out, "OrdersRecord.note  is no longer answered");
  assertStringIncludes(err, "MIGRATION_DROPS_COLUMN");
  const { refusals, migration } = JSON.parse((await diff(CAREFUL, "--json")).out);
  assertEquals([refusals.length, migration], [1, null]);
});

Deno.test("diff --json prints one document", async () => {
  const { out } = await diff(MORE_READ, "--json");
  const { changes, migration, refusals } = JSON.parse(out);
  assertEquals(changes[0], {
    kind: "loss",
    subject: "GET /api/v1/orders",
    principals: ["role:admin"],
    text: "let in → refused (ACCESS_ROLE_REQUIRED)",
  });
  assertEquals([migration, refusals], [null, []]);
});

Deno.test("diff of projects with data steps compares them, and names the new ones", async () => {
  const step = "quickback/migrations/0003_fill-notes.sql";
  const { code, out, err } = await diff(
    {
      ...changed("note: q.text()", "note: q.text(), more: q.text()"),
      [step]: "UPDATE orders SET more = note;\n",
    },
    "--allow",
    "gain",
  );
  assertEquals([code, err], [0, ""]);
  assertStringIncludes(out, "ADD COLUMN `more`");
  assertStringIncludes(out, "  and data step 0003_fill-notes.sql");
});
