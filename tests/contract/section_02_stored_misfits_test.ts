/** What another tool has stored against a column's type is served to nobody, and its operator hears of it (contract 2). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { DRIVERS } from "../support/databases.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };

/** By column: its type, a value that fits, and what no value of the type is stored as. */
const COLUMNS: Readonly<
  Record<string, readonly [type: string, fits: unknown, misfits: readonly string[]]>
> = {
  size: ["q.int()", 7, ["'seven'", "1.5"]],
  price: ["q.decimal({ precision: 8, scale: 2 })", "1.50", ["'cheap'", "1.5"]],
  ratio: ["q.real()", 0.5, ["'half'"]],
  done: ["q.bool()", true, ["7", "'yes'"]],
  day: ["q.date()", "2026-01-31", ["'soon'", "'2026-02-30'", "'2026-01-31T00:00:00.000Z'"]],
  at: ["q.timestamp()", "2026-01-31T10:00:00.000Z", ["'2026-01-31'", "'2026-01-31 10:00:00'"]],
  state: ['q.enum(["open", "it\'s"])', "it's", ["'Open'", "''"]],
  level: ['q.text({ enum: ["low", "high"] })', "low", ["'middle'"]],
  tags: ["q.list(q.text())", ["a"], ["'{}'", "'a, b'", "''"]],
  more: ["q.json()", { a: '":9.0e+999' }, ["'{'"]],
  title: ["q.text()", 'a":9.0e+999', ["x'00ff'"]],
};

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "misfits" };\n',
  "quickback/features/things/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: {
    organizationId: q.scope("organization"),
    ${Object.entries(COLUMNS).map(([name, [type]]) => `${name}: ${type},`).join("\n    ")}
  },
  guards: false,
  read: { access: { roles: ["admin"] } },
  create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] } },
});
`,
  "quickback/features/parts/parts.ts": `import { feature, q } from "quickback";
import things from "../things/things.ts";
export default feature("parts", {
  columns: { organizationId: q.scope("organization"), thingId: q.text().references(() => things.id) },
  guards: false,
  read: { access: { roles: ["admin"] }, include: ["thingId"] },
  create: { access: { roles: ["admin"] } },
});
`,
};

const VALUES = Object.fromEntries(Object.entries(COLUMNS).map(([name, [, fits]]) => [name, fits]));

async function add(api: ApiUnderTest, path: string, body: unknown): Promise<string> {
  const answer = await api.ask(path, { as: admin, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function put(api: ApiUnderTest, id: string, column: string, sql: string): Promise<void> {
  const text = `UPDATE things SET ${column} = ${sql} WHERE id = '${id}'`;
  await api.database.write((transaction) => transaction.run({ sql: text, args: [] }));
}

/** Lines of the log about the column. */
function lines(api: ApiUnderTest, column: string): readonly string[] {
  return api.log.filter(({ level }) => level === "error")
    .map(({ error }) => error instanceof Error ? error.message : "")
    .filter((text) => text.includes(`things.${column} `));
}

for (const driver of DRIVERS) {
  Deno.test(`${driver.name}: a stored value that is none of its column's type is a 500 wherever it would be read`, async () => {
    await withDefinitions(FILES, async (api) => {
      const bad = await add(api, "things", VALUES);
      const good = await add(api, "things", VALUES);
      const part = await add(api, "parts", { thingId: bad });
      const statuses = async () => {
        const paths = [
          `things/${bad}`,
          "things",
          "things?sort=-createdAt&limit=1&offset=0",
          `parts/${part}?include=thingId`,
          `things/${good}`,
          `things?id=${good}`,
        ];
        const answers = [];
        for (const path of paths) answers.push(await api.ask(path, { as: admin }));
        for (const { status, body, text } of answers) {
          if (status === 200) continue;
          assertEquals([status, body["code"]], [500, "INTERNAL_ERROR"], text);
        }
        return answers.map(({ status }) => status);
      };
      const all = [200, 200, 200, 200, 200, 200];
      assertEquals(await statuses(), all);
      for (const [column, [, , misfits]] of Object.entries(COLUMNS)) {
        for (const misfit of misfits) {
          await put(api, bad, column, misfit);
          const [one, list, , included, ...others] = await statuses();
          assertEquals(
            [one, list, included, ...others],
            [500, 500, 500, 200, 200],
            `${column} ${misfit}`,
          );
          await put(api, bad, column, `(SELECT ${column} FROM things WHERE id = '${good}')`);
          api.pass(61_000);
        }
      }
      assertEquals(await statuses(), all);
    }, { driver });
  });
}

Deno.test("the log tells of the table, the column and the row, once a minute", async () => {
  await withDefinitions(FILES, async (api) => {
    const bad = await add(api, "things", VALUES);
    await put(api, bad, "size", "'seven'");
    const said = `things.size holds a value in row "${bad}" that is none of the column's type`;
    for (const path of [`things/${bad}`, "things", `things/${bad}`]) {
      assertEquals((await api.ask(path, { as: admin })).status, 500);
    }
    assertEquals(lines(api, "size"), [said]);
    api.pass(60_000);
    await api.ask("things", { as: admin });
    assertEquals(lines(api, "size"), [said, said]);
    // What is not asked for stands in nobody's way.
    assertEquals((await api.ask("things?fields=id,title", { as: admin })).status, 200);
  });
});

Deno.test("a null is no value of another type", async () => {
  await withDefinitions(FILES, async (api) => {
    const id = await add(api, "things", {});
    const { status, body } = await api.ask(`things/${id}`, { as: admin });
    assertEquals([status, Object.keys(COLUMNS).map((name) => body[name])], [
      200,
      Object.keys(COLUMNS).map(() => null),
    ]);
  });
});
