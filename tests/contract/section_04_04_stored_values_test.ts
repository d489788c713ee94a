/** Definitions 3, 5: what a handler writes and compares is stored, and found, in one form; whole numbers stay what they are. */
import { assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const WRITES = {
  spelled: 'db.insert(tasks).values({ title: "a", due: "2026-12-05T10:00:00Z" })',
  offset: 'db.insert(tasks).values({ title: "b", due: "2026-12-05T12:00:00.12345+02:00" })',
  date: "db.insert(tasks).values({ title: 'c', due: new Date(Date.UTC(2026, 11, 6)) as never })",
  raw:
    "db.run(sql`insert into tasks (id, title, due, done) values (${'x1'}, 'd', ${'2026-12-07T00:00Z'}, ${true})`)",
  own: "db.insert(plain).values({ id: 'x2', title: 'e', due: '2026-12-08T00:00:00Z' })",
  updated: 'db.update(tasks).set({ due: "2026-12-09T00:00:00Z" }).where(eq(tasks.title, "e"))',
  prepared:
    "db.insert(tasks).values({ title: 'f', due: sql.placeholder('due') }).prepare().run({ due: '2026-12-10T00:00:00Z' })",
  nothing:
    "db.update(tasks).set({ due: null, done: null, extra: null }).where(eq(tasks.title, 'f'))",
} as const;

const REFUSED: Readonly<Record<string, readonly [text: string, column: string]>> = {
  day: ['db.insert(tasks).values({ title: "x", due: "2026-12-05" })', "due"],
  local: ['db.insert(tasks).values({ title: "x", due: "2026-12-05T10:00:00" })', "due"],
  leap: ['db.insert(tasks).values({ title: "x", due: "2026-12-05T10:00:60Z" })', "due"],
  noDay: ['db.update(tasks).set({ due: "2026-02-30T10:00:00Z" })', "due"],
  noDate: ["db.update(tasks).set({ due: new Date(NaN) as never })", "due"],
  farDate: ["db.update(tasks).set({ due: new Date(8e15) as never })", "due"],
  number: ["db.update(tasks).set({ due: 5 as never })", "due"],
  compared: ['db.select().from(tasks).where(lt(tasks.due, "2026-12-05"))', "due"],
  among: ['db.select().from(tasks).where(inArray(tasks.due, ["x"]))', "due"],
  called: ['db.select().from(alias(tasks, "t")).where(eq(alias(tasks, "t").due, "x"))', "due"],
  own: ["db.insert(plain).values({ id: 'x9', title: 'e', due: 'tomorrow' })", "due"],
  raw: ["db.run(sql`update tasks set due = ${'soon'}`)", "due"],
  yes: ["db.update(tasks).set({ done: 'yes' as never })", "done"],
  one: ["db.update(tasks).set({ done: 1 as never })", "done"],
  two: ["db.run(sql`update tasks set done = ${2}`)", "done"],
  comparedOne: ["db.select().from(tasks).where(eq(tasks.done, 0 as never))", "done"],
  call: ["db.update(tasks).set({ extra: (() => 1) as never })", "extra"],
  wide: ["db.update(tasks).set({ extra: { a: 1n } as never })", "extra"],
  circle: ["db.update(tasks).set({ extra: circle })", "extra"],
  time: ['db.update(tasks).set({ day: "2026-12-05T00:00:00Z" })', "day"],
  dayDate: ["db.update(tasks).set({ day: new Date(0) as never })", "day"],
  comparedDay: ['db.select().from(tasks).where(lt(tasks.day, "soon"))', "day"],
  rawDay: ["db.run(sql`update tasks set day = ${'2026-02-30'}`)", "day"],
  half: ["db.run(sql`update tasks set extra = ${'{'}`)", "extra"],
};

const READS = {
  equal: 'db.select().from(tasks).where(eq(tasks.due, "2026-12-05T11:00:00+01:00"))',
  below: "db.select().from(tasks).where(lt(tasks.due, '2026-12-05T10:00:00.100Z'))",
  between:
    "db.select().from(tasks).where(between(tasks.due, '2026-12-06T01:00:00+01:00', new Date(Date.UTC(2026, 11, 7)) as never))",
  done: "db.select().from(tasks).where(eq(tasks.done, true))",
  fragment: "db.select().from(tasks).where(sql`${tasks.due} = ${'2026-12-05T10:00:00Z'}`)",
} as const;

const cases = (texts: Readonly<Record<string, string>>, kind: string) =>
  Object.entries(texts).map(([name, text]) => `      case "${kind}.${name}": return await ${text};`)
    .join("\n");

const FILES: RawFiles = {
  "quickback/quickback.config.ts":
    'export default { name: "tasks", contract: { changeset: true } };\n',
  "quickback/features/tasks/tasks.ts": `import { feature, q } from "quickback";
export default feature("tasks", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required(),
    due: q.timestamp(),
    done: q.bool(),
    extra: q.json(),
    day: q.date(),
  },
  guards: { createable: ["title", "extra"], updatable: ["extra"] },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
});
`,
  "quickback/features/tasks/actions/ask.ts": `import { defineAction } from "quickback";
import { between, eq, inArray, lt, sql } from "drizzle-orm";
import { alias, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { tasks } from "../schema";

const plain = sqliteTable("tasks", { id: text("id"), title: text("title"), due: text("due") });

export default defineAction({
  description: "Asks",
  path: "./ask",
  input: z.object({ kind: z.string(), extra: z.unknown().optional() }),
  access: { roles: ["member"] },
  allowRawSql: true,
  async execute({ db, input }) {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    switch (input.kind) {
${cases(WRITES, "write")}
${cases(READS, "read")}
${
    cases(
      Object.fromEntries(Object.entries(REFUSED).map(([name, [text]]) => [name, text])),
      "refused",
    )
  }
    }
    return { extra: input.extra };
  },
});
`,
};

const MEMBER = { sub: "user_m", orgId: "org_a", roles: ["member"] };

const ask = (api: ApiUnderTest, kind: string) =>
  api.ask("tasks/ask", { as: MEMBER, body: { kind } });

async function written(api: ApiUnderTest): Promise<void> {
  for (const name of Object.keys(WRITES)) {
    const { status, text } = await ask(api, `write.${name}`);
    assertEquals(status, 200, `${name}: ${text}`);
  }
}

Deno.test("a handler's instants and booleans are stored in one form, and sort and filter by it", async () => {
  await withCompiledActions(FILES, async (api) => {
    await written(api);
    const { rows } = await api.database.run({
      sql: "SELECT title, due, done FROM tasks ORDER BY title",
      args: [],
    });
    assertEquals(rows, [
      ["a", "2026-12-05T10:00:00.000Z", null],
      ["b", "2026-12-05T10:00:00.123Z", null],
      ["c", "2026-12-06T00:00:00.000Z", null],
      ["d", "2026-12-07T00:00:00.000Z", 1],
      ["e", "2026-12-09T00:00:00.000Z", null],
      ["f", null, null],
    ]);
    const found = await api.ask("tasks?due=2026-12-05T10:00:00Z", { as: MEMBER });
    assertEquals(found.body["data"] instanceof Array && found.body["data"].length, 1, found.text);
  });
});

Deno.test("a handler finds by any spelling of an instant, but for values inside of SQL", async () => {
  await withCompiledActions(FILES, async (api) => {
    await written(api);
    const titles = async (name: keyof typeof READS) => {
      const { status, text } = await ask(api, `read.${name}`);
      assertEquals(status, 200, text);
      return JSON.parse(text).map(({ title }: { readonly title: string }) => title);
    };
    assertEquals(await titles("equal"), ["a"]);
    assertEquals(await titles("below"), ["a"]);
    assertEquals(await titles("between"), ["c", "d"]);
    assertEquals(await titles("done"), ["d"]);
    assertEquals(await titles("fragment"), []);
  });
});

Deno.test("a value that a column cannot hold is 400 and names the column, written or compared", async (test) => {
  await withCompiledActions(FILES, async (api) => {
    await written(api);
    const stored = () => api.database.run({ sql: "SELECT * FROM tasks", args: [] });
    const before = await stored();
    for (const [name, [text, column]] of Object.entries(REFUSED)) {
      await test.step(text, async () => {
        const { status, body } = await ask(api, `refused.${name}`);
        const details = Object(body["details"]);
        assertEquals([status, body["code"], details.column], [400, "VALIDATION_ERROR", column]);
        assertEquals(Object.keys(details.fields), [column]);
      });
    }
    assertEquals(await stored(), before);
  });
});

Deno.test("a whole number beyond 53 bits is refused wherever a body holds it, and never rounded", async () => {
  await withCompiledActions(FILES, async (api) => {
    const made = await api.ask("tasks", { as: MEMBER, body: { title: "a", extra: { n: 1 } } });
    const id = made.body["id"];
    const wide = '{"a":[{"b":9007199254740993}]}';
    const sent = async (path: string, body: string, method = "POST") => {
      const answer = await api.ask(path, { as: MEMBER, method, body });
      return [answer.status, answer.body["code"], answer.body["pointer"]];
    };
    const refused = (pointer: string) => [400, "VALIDATION_ERROR", `${pointer}/a/0/b`];
    assertEquals(await sent("tasks", `{"title":"b","extra":${wide}}`), refused("/extra"));
    assertEquals(await sent(`tasks/${id}`, `{"extra":${wide}}`, "PATCH"), refused("/extra"));
    assertEquals(
      await sent("tasks/batch", `{"records":[{"title":"b","extra":${wide}}]}`),
      refused("/records/0/extra"),
    );
    assertEquals(
      await sent(
        "changeset",
        `{"operations":[{"op":"create","resource":"tasks","data":{"extra":${wide}}}]}`,
      ),
      refused("/operations/0/data/extra"),
    );
    assertEquals(await sent("tasks/ask", `{"kind":"x","extra":${wide}}`), refused("/extra"));
    assertEquals((await sent("tasks", '{"title":"c","extra":[1e400]}'))[0], 400);
    const kept = await api.ask("tasks", {
      as: MEMBER,
      body: '{"title":"d","extra":[1e20,-9007199254740991]}',
    });
    assertEquals([kept.status, kept.body["extra"]], [201, [1e20, -9007199254740991]]);
  });
});
