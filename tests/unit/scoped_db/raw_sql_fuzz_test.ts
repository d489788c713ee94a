/** Random SQL, half of it broken on purpose, neither reads nor writes anybody else's rows (contract 4.4 rule 3). */
import { assert, assertEquals } from "@std/assert";
import type { Transaction } from "../../../shared/runtime/ports.ts";
import { withDatabase } from "../../support/databases.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { fillDesk, hiddenRows, runAction } from "./action.ts";

const TABLES = ["tickets", "customers", "comments", "notes", "team_tasks"] as const;
const COLUMNS = ["id", "organization_id", "created_by", "created_at"] as const;
const BREAKS = [
  ")",
  "(",
  "or 1",
  "where 1",
  "returning *",
  "from tickets",
  "main.",
  "'",
  '"',
  "--",
  "union select * from notes",
  ", organization_id = 'org_b'",
  "as tickets",
  "with",
  "on conflict do nothing",
  ";",
  "is distinct from",
  "set",
  "null",
] as const;

const quoted = (random: Random, name: string): string =>
  random.pick([name, `"${name}"`, `[${name}]`, `\`${name.toUpperCase()}\``, `'${name}'`]);

const table = (random: Random): string => quoted(random, random.pick(TABLES));

function expression(random: Random, depth: number): string {
  const column = random.pick(COLUMNS);
  if (depth <= 0) return random.pick([column, `"${column}"`, "1", "'org_b'", "null"]);
  const inner = () => expression(random, depth - 1);
  return random.pick([
    `${inner()} = ${inner()}`,
    `(${inner()} or ${inner()})`,
    `${inner()} is not distinct from ${inner()}`,
    `case when ${inner()} then ${inner()} else ${inner()} end`,
    `exists (${select(random, depth - 1)})`,
    `(select max(x.created_by || x.id) from ${table(random)} as x where ${inner()})`,
    `${inner()} in (select id from ${table(random)})`,
  ]);
}

function select(random: Random, depth: number): string {
  const from = table(random);
  return random.pick([
    `select * from ${from}`,
    `select * from ${from} where ${expression(random, depth)}`,
    `select group_concat(id || organization_id) from ${from}`,
    `select * from ${from} as a left join ${table(random)} as b on ${
      random.pick(["1", "a.id <> b.id", "a.organization_id = b.organization_id"])
    }`,
    `select id from ${from} union select id from ${table(random)}`,
    `with w as (select * from ${from}) select * from w`,
    `select * from (select * from ${from})`,
  ]);
}

function statement(random: Random): string {
  const target = table(random);
  const where = expression(random, 2);
  return random.pick([
    select(random, 2),
    `update ${target} set created_by = ${expression(random, 1)} where ${where}`,
    `update ${target} set created_by = x.id, deleted_at = null from ${
      table(random)
    } as x where ${where}`,
    `update ${target} set organization_id = 'org_b', created_at = ${expression(random, 1)}`,
    `update ${target} set created_by = 'X' returning *, (${select(random, 0)})`,
    `delete from ${target} where ${where}`,
    `delete from ${target} where ${where} returning *`,
    `insert into ${target} (id, organization_id) values ('x', 'org_b')`,
    `insert into comments (id, body) select id, id from ${target} where ${where}`,
    `insert into comments (id, body) values ('com_b', 'X') on conflict (id) do update set body = ${
      expression(random, 1)
    } where ${where}`,
  ]);
}

/** Puts a piece of SQL somewhere between two words. */
function broken(random: Random, sql: string): string {
  const words = sql.split(" ");
  words.splice(random.below(words.length + 1), 0, random.pick(BREAKS));
  return words.join(" ");
}

const ROUNDS = 3000;

Deno.test("random raw SQL stays within its caller's rows", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const random = seededRandom(20260101);
    let ran = 0;
    await runAction(database, async ({ db, transaction }) => {
      const before = await hiddenRows(transaction);
      for (let round = 0; round < ROUNDS; round += 1) {
        const whole = statement(random);
        const sql = random.chance(50) ? broken(random, whole) : whole;
        const told = await undone(transaction, async () => {
          const answer = await attempt(() => db.values(sql));
          if (answer.ran) ran += 1;
          assertEquals(await hiddenRows(transaction), before, sql);
          return answer.told;
        });
        assert(!/SECRET|tic_b|cus_b|not_carl|com_b|tas_2/.test(told), `${sql}: ${told}`);
      }
    }, { allowRawSql: true }).then(({ error }) => {
      if (error !== null) throw error;
    });
    assert(ran > ROUNDS / 4, `Only ${ran} statements ran`);
  });
});

async function attempt(
  run: () => Promise<unknown>,
): Promise<{ readonly ran: boolean; readonly told: string }> {
  try {
    return { ran: true, told: JSON.stringify(await run()) };
  } catch {
    return { ran: false, told: "" };
  }
}

async function undone<T>(transaction: Transaction, body: () => Promise<T>): Promise<T> {
  await transaction.run({ sql: "SAVEPOINT round", args: [] });
  const value = await body();
  await transaction.run({ sql: "ROLLBACK TO round", args: [] });
  await transaction.run({ sql: "RELEASE round", args: [] });
  return value;
}
