/** A column may have the name of a table that the service or the engine keeps; no statement reaches that table by it (contract 4.4 rule 3). */
import { assert, assertEquals } from "@std/assert";
import { serviceTables } from "../../../shared/model/service_tables.ts";
import { assembleProject, column } from "../../../shared/model/table_spec.ts";
import { scopedDbOf } from "../../../shared/runtime/data/scoped_db/open_scoped_db.ts";
import type { Database, Transaction } from "../../../shared/runtime/ports.ts";
import { withDatabase } from "../../support/databases.ts";
import { foundingStatements } from "../../support/found_accounts.ts";
import { schemaOf } from "../../support/model_database.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { settings } from "../../support/sample_project.ts";
import { NOW } from "./action.ts";
import { ALICE, desk } from "./desk.ts";
import { SOURCES, type Use } from "./table_places.ts";

const ENGINE = ["sqlite_schema", "sqlite_master", "pragma_table_list", "libsql_wasm_func_table"];
const KEPT = [...serviceTables(desk).map(({ name }) => name), ...ENGINE, "__drizzle_migrations"];

const TEXT = { kind: "text", maxLength: null, enum: null } as const;

/** The desk, whose tickets have a column of each kept name. */
const named = assembleProject(
  { ...settings, name: "desk" },
  desk.tables.map((table) => ({
    table: table.name !== "tickets" ? table : {
      ...table,
      columns: [
        ...table.columns,
        ...KEPT.map((name) => column({ name, sqlName: name, type: TEXT })),
      ],
    },
    resource: null,
  })),
);

const open = scopedDbOf(named, {}, { random: { bytes: (length) => new Uint8Array(length) } });

type Ask = (sql: string) => Promise<unknown>;

/** Asks as a handler with raw SQL does; whatever is written is taken back. */
async function withTickets(
  body: (ask: Ask, transaction: Transaction) => Promise<void>,
): Promise<void> {
  await withDatabase(async (database: Database) => {
    await database.migrate([
      ...schemaOf(named),
      ...foundingStatements({ organizations: ["org_b"], users: ["SECRET"], teams: {} }),
      ...["org_a", "org_b"].map((org) => ({
        sql: `INSERT INTO tickets (id, organization_id, subject, created_at, ${KEPT.join(", ")})
          VALUES (?, ?, 'x', ?, ${KEPT.map((name) => `'own ${name}'`).join(", ")})`,
        args: [`tic_${org}`, org, NOW],
      })),
      {
        sql: `INSERT INTO audit_events (id, result, created_at) VALUES ('SECRET', 'ok', ?)`,
        args: [NOW],
      },
    ]);
    await database.write(async (transaction) => {
      const opened = open({
        transaction,
        principal: ALICE,
        organizationId: "org_a",
        stamps: { now: NOW, userId: "alice" },
        newId: ({ idPrefix }) => `${idPrefix}_${crypto.randomUUID()}`,
        allowRawSql: true,
      });
      await body(async (sql) => {
        await transaction.run({ sql: "SAVEPOINT round", args: [] });
        try {
          return await opened.db.all(sql);
        } finally {
          await transaction.run({ sql: "ROLLBACK TO round", args: [] });
          await transaction.run({ sql: "RELEASE round", args: [] });
        }
      }, transaction);
      await opened.close();
    });
  });
}

/** Every way to write a name. */
const SPELLINGS: readonly Use[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `"${name}"`,
  (name) => `[${name}]`,
  (name) => `\`${name}\``,
];

/** Statements that use the name of a column, and what they give for the caller's one ticket. */
const COLUMNS: readonly (readonly [Use, (name: string) => unknown])[] = [
  [(n) => `select ${n} as x from tickets`, (name) => [{ x: `own ${name}` }]],
  [(n) => `select t.${n} as x from tickets as t`, (name) => [{ x: `own ${name}` }]],
  [(n) => `select 1 as x from tickets where ${n} is not null order by ${n}`, () => [{ x: 1 }]],
  [(n) => `select count(distinct ${n}) as x from tickets group by ${n}`, () => [{ x: 1 }]],
  [(n) => `select 1 as x from tickets where 'a' is distinct from ${n}`, () => [{ x: 1 }]],
  [(n) => `select 1 as x from tickets where id in (${n}, id)`, () => [{ x: 1 }]],
  [
    (n) => `select count(*) as x from tickets as a join tickets as b using (${n})`,
    () => [{ x: 1 }],
  ],
  [(n) => `with w as (select ${n} from tickets) select ${n} as x from w`, (name) => [
    { x: `own ${name}` },
  ]],
  [(n) => `update tickets set ${n} = 'new' returning ${n} as x`, () => [{ x: "new" }]],
  [(n) => `insert into tickets (subject, ${n}) values ('y', 'new') returning ${n} as x`, () => [
    { x: "new" },
  ]],
];

Deno.test("a handler reads and writes columns of kept names, in every spelling", () =>
  withTickets(async (ask) => {
    for (const name of KEPT) {
      for (const spelled of SPELLINGS) {
        for (const [use, gives] of COLUMNS) {
          const sql = use(spelled(name));
          assertEquals(await ask(sql), gives(name), sql);
        }
      }
    }
  }));

Deno.test("a text may say the name of a kept table", () =>
  withTickets(async (ask) => {
    for (const name of KEPT) {
      assertEquals(await ask(`select '${name}' as x from tickets`), [{ x: name }]);
      assertEquals(await ask(`select id from tickets where subject in ('${name}')`), []);
    }
  }));

/** Places of tables, beside those where the engine's modules are tried. */
const TABLES: readonly Use[] = [
  ...SOURCES,
  (name) => `select ${name}.id from ${name}`,
  (name) => `select ${name}.* from tickets`,
  (name) => `select main . ${name} . id from tickets`,
  (name) => `select * from temp.${name}`,
  (name) => `select * from tickets as t left join ${name} as n on n.id = t.${name}`,
  (name) => `select (select max(id) from ${name}) as ${name} from tickets`,
  (name) => `select * from tickets where ${name} in ${name}`,
  (name) => `select * from tickets where ${name} is distinct from (select id from ${name})`,
  (name) => `with ${name} as (select * from ${name}) select * from ${name}`,
  (name) => `update ${name} set id = 'x'`,
  (name) => `insert into ${name} (id) values ('x')`,
  (name) => `insert into ${name} select ${name} from tickets`,
  (name) => `select * from /* ${name} */ ${name}`,
  (name) => `select * from tickets; select * from ${name}`,
];

Deno.test("no place of a table takes a kept name, in any spelling, though columns have it", () =>
  withTickets(async (ask) => {
    for (const name of KEPT) {
      for (const spelled of [...SPELLINGS, (name: string) => `'${name}'`]) {
        for (const use of TABLES) {
          const sql = use(spelled(name));
          const { name: error } = await ask(sql).then(() => ({ name: "ran" }), (error) => error);
          assertEquals(error, "RefusedSqlError", sql);
        }
      }
    }
  }));

const ROUNDS = 4000;
const GLUE =
  "select from tickets where in ( ) , . as join on using is distinct not union all with * = 1 null id order by group having left natural values t"
    .split(" ");

/** Words of statements in any order, some of which are statements. */
function scrambled(random: Random): string {
  const name = random.pick(SPELLINGS)(random.pick(KEPT));
  const uses = random.chance(75) ? COLUMNS.map(([use]) => use) : TABLES;
  const words = random.pick(uses)(name).split(" ");
  for (let change = random.below(3); change > 0; change -= 1) {
    const at = random.below(words.length + 1);
    const word = random.chance(70) ? random.pick(GLUE) : random.pick(SPELLINGS)(random.pick(KEPT));
    words.splice(at, random.below(2), word);
  }
  return words.join(" ");
}

Deno.test("scrambled statements show and change nothing of the kept tables", () =>
  withTickets(async (ask, transaction) => {
    const random = seededRandom(20260704);
    const counts = async () =>
      (await transaction.runAll(
        serviceTables(desk).map(({ name }) => ({ sql: `SELECT count(*) FROM ${name}`, args: [] })),
      )).map(({ rows }) => rows);
    const before = await counts();
    let ran = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const sql = scrambled(random);
      const told = await ask(sql).then(
        (rows) => (ran += 1, JSON.stringify(rows)),
        () => "",
      );
      assert(!/SECRET|CREATE TABLE|org_b/.test(told), `${sql}: ${told}`);
    }
    assertEquals(await counts(), before);
    assert(ran > ROUNDS / 8, `Only ${ran} statements ran`);
  }));
