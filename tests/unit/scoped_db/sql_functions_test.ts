/** A handler's statement calls the functions that the docs list and reads the project's tables: nothing else that an engine knows. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Database } from "../../../shared/runtime/ports.ts";
import { DRIVERS, withDatabase } from "../../support/databases.ts";
import { fillDesk, type Handler, runAction } from "./action.ts";
import { tickets } from "./desk.ts";
import { SOURCES, type Use } from "./table_places.ts";

const DOCS = new URL("../../../docs/decisions/scoped_db.md", import.meta.url);

/** The names between backticks of the docs' list. */
async function documented(heading: string): Promise<ReadonlySet<string>> {
  const page = await Deno.readTextFile(DOCS);
  const list = page.split(`**${heading}**`)[1]?.split("\n\n")[0] ?? "";
  return new Set([...list.matchAll(/`([a-z0-9_]+)`/g)].map(([, name = ""]) => name));
}

async function known(database: Database, query: string): Promise<readonly string[]> {
  const { rows } = await database.run({ sql: query, args: [] });
  return rows.map(([name]) => String(name)).filter((name) => /^\w+$/.test(name));
}

/** Every place of every kind of statement where a function can stand. */
const CALLS: readonly Use[] = [
  (name) => `select ${name}('x')`,
  (name) => `select "${name}"('x')`,
  (name) => `select [${name}] ('x')`,
  (name) => `select \`${name.toUpperCase()}\`\n('x')`,
  (name) => `values (${name}('x'))`,
  (name) => `select id from tickets where ${name}(id)`,
  (name) => `select id from tickets order by ${name}(id)`,
  (name) => `select id from tickets group by id having ${name}(id)`,
  (name) =>
    `select sum(priority) filter (where ${name}(id)) over (order by ${name}(id)) from tickets`,
  (name) => `select id from tickets limit ${name}('x')`,
  (name) => `with w as (select ${name}('x') as v) select v from w`,
  (name) => `select * from tickets as t join comments as c on ${name}(c.id)`,
  (name) => `select case when ${name}('x') then 1 end`,
  (name) => `select id in (select ${name}('x')) from tickets`,
  (name) => `insert into comments (body) values (${name}('x'))`,
  (name) => `insert into comments (id, body) select id, ${name}('x') from tickets`,
  (name) =>
    `insert into comments (id, body) values ('com_a', 'y') on conflict (id) do update set body = ${name}('x')`,
  (name) =>
    `insert into comments (id, body) values ('com_a', 'y') on conflict (id) do update set body = 'y' where ${name}('x')`,
  (name) => `insert into comments (body) values ('y') returning ${name}(body)`,
  (name) => `update comments set body = ${name}('x')`,
  (name) => `update comments set body = 'y' where ${name}('x')`,
  (name) => `update comments set body = 'y' returning ${name}(body)`,
  (name) => `delete from comments where ${name}(body)`,
  (name) => `delete from comments where true returning ${name}(body)`,
];

const REFUSED = /is refused|no table of the project|is no SQL|name tables without/;

async function refusals(
  database: Database,
  names: readonly string[],
  uses: readonly Use[],
): Promise<void> {
  const { error } = await runAction(database, async ({ db }) => {
    for (const statement of names.flatMap((name) => uses.map((use) => use(name)))) {
      const refusal = await refusalOf(() => db.all(statement));
      assertMatch(refusal, REFUSED, statement);
    }
  }, { allowRawSql: true });
  if (error !== null) throw error;
}

async function refusalOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    const isOwn = error instanceof Error && error.name === "RefusedSqlError";
    return isOwn ? error.message : `the engine said: ${error}`;
  }
  return "nothing was refused";
}

for (const driver of DRIVERS) {
  Deno.test(`no statement calls a function that the docs do not list (${driver.name})`, async () => {
    await driver.with(async (database) => {
      await fillDesk(database);
      const listed = await documented("Functions");
      const all = await known(database, "SELECT DISTINCT name FROM pragma_function_list");
      const names = [
        ...new Set([...all, "readfile", "writefile", "edit", "load_extension", "fsdir"]),
      ]
        .filter((name) => !listed.has(name));
      assert(names.length > 10);
      await refusals(database, names, CALLS);
    });
  });

  Deno.test(`no statement reads a module of the engine (${driver.name})`, async () => {
    await driver.with(async (database) => {
      await fillDesk(database);
      const all = await known(database, "SELECT name FROM pragma_module_list");
      const names = [...new Set([...all, "fsdir", "dbstat", "pragma_database_list", "carray"])]
        .filter((name) => !["json_each", "json_tree"].includes(name));
      await refusals(database, names, SOURCES);
    });
  });
}

Deno.test("each function of the docs' list is taken, and by SQLite where it has it", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const names = [...await documented("Functions")];
    assert(names.length > 80);
    const { error } = await runAction(database, async ({ db }) => {
      for (const name of names) {
        const refusal = await refusalOf(() => db.all(`select ${name}('x')`));
        assert(!REFUSED.test(refusal), `${name}: ${refusal}`);
      }
    }, { allowRawSql: true });
    if (error !== null) throw error;
  });
});

const TAKEN: readonly (readonly [string, unknown])[] = [
  ["select count(*) as n from tickets window w as (order by id), v as (order by id)", [{ n: 2 }]],
  ["select j.value as v from tickets as t, json_each('[1]') as j where t.id = 'tic_a'", [{ v: 1 }]],
  [
    "select count(*) as n from (tickets as t left join (comments) on ticket_id = t.id), customers",
    [{ n: 2 }],
  ],
  [
    "with recursive r(n) as (select 1 union all select n + 1 from r where n < 3) select max(n) as m from r",
    [{ m: 3 }],
  ],
  ["select strftime('%Y', '2026-01-01') as y, row_number() over (order by 1) as r", [{
    y: "2026",
    r: 1,
  }]],
  ["select like('a%', 'abc') as a, 'abc' glob ('a*') as b, cast('1' as integer) as c", [{
    a: 1,
    b: 1,
    c: 1,
  }]],
  ["select id from tickets where subject is distinct from 'Screen'", [{ id: "tic_a" }]],
  [
    "insert into comments (id, body) with w(b) as (select subject from tickets) select 'com_' || b, b from w returning body",
    [{ body: "Printer" }, { body: "Screen" }],
  ],
];

Deno.test("what SQL needs is taken wherever it stands", async (test) => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    for (const [statement, gives] of TAKEN) {
      await test.step(statement, async () => {
        const { value, error } = await runAction(
          database,
          ({ db }) => db.all(statement),
          { allowRawSql: true },
        );
        if (error !== null) throw error;
        assertEquals(value, gives);
      });
    }
  });
});

const fsdir = sqliteTable("fsdir", { name: text("name"), path: text("path") });

const BUILT: Readonly<Record<string, (handler: Handler) => unknown>> = {
  "a table of the handler's own": ({ db }) => db.select().from(fsdir),
  "a template in a select list": ({ db }) =>
    db.select({ x: sql`"readfile"(${"/etc/hostname"})` }).from(tickets),
  "a template in a condition": ({ db }) =>
    db.select().from(tickets).where(sql`"writefile"(${"/tmp/x"}, ${tickets.id})`),
  "a template in an order": ({ db }) =>
    db.select().from(tickets).orderBy(sql`"readfile"(${tickets.id})`),
  "a template in a value": ({ db }) =>
    db.update(tickets).set({ subject: sql`"readfile"(${"/etc/hostname"})` }),
  "a template in RETURNING": ({ db }) =>
    db.delete(tickets).returning({ x: sql`"readfile"(${"/etc/hostname"})` }),
};

Deno.test("builders reach no file either, with raw SQL declared or not", async (test) => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    for (const [name, body] of Object.entries(BUILT)) {
      for (const allowRawSql of [true, false]) {
        await test.step(`${name}, ${allowRawSql ? "" : "not "}declared`, async () => {
          const { error } = await runAction(database, body, { allowRawSql });
          assertMatch(error instanceof Error ? error.message : "nothing was refused", REFUSED);
        });
      }
    }
  });
});
