/** The one outbox (docs/decisions/webhooks.md), with a kind of work that nobody has yet: what holds for it holds for each. */
import { assert, assertEquals } from "@std/assert";
import { changeSql } from "../../../shared/compiler/migrations/schema_change.ts";
import { PUSH_MESSAGES } from "../../../shared/model/realtime.ts";
import { JOBS, WEBHOOK_DELIVERIES, WEBHOOK_EVENTS } from "../../../shared/model/webhooks.ts";
import type { OutboxTable } from "../../../shared/model/service_tables.ts";
import type { SqlTable } from "../../../shared/model/sql_table.ts";
import { databaseQueue } from "../../../shared/runtime/data/database_queue.ts";
import { insertRows, selectUnqueued, settleRow } from "../../../shared/runtime/data/outbox_rows.ts";
import { MESSAGES } from "../../../shared/runtime/data/push.ts";
import { DELIVERIES } from "../../../shared/runtime/data/webhooks/deliveries.ts";
import { EVENTS } from "../../../shared/runtime/data/webhooks/events.ts";
import type { Database, Reader, Statement } from "../../../shared/runtime/ports.ts";
import {
  type Attempt,
  type OpenOutbox,
  openOutbox,
  type OutboxRow,
} from "../../../shared/runtime/background/outbox.ts";
import { systemRandomness as random } from "../../../library/platform/system.ts";
import { withDatabase } from "../../support/databases.ts";

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
const LEASE = 10 * SECOND;
const REQUEUE_AFTER = 60 * SECOND;
const START = Date.UTC(2026, 0, 2);

/** Chores are counted when they begin, and may wait from the start. */
const CHORES: OutboxTable = {
  name: "chores",
  receiver: "id",
  nextAttempt: "run_at",
  unique: ["key"],
  states: { fresh: "queued", begun: "running", again: "queued", done: "done", dead: "failed" },
};

const CREATE_CHORES = `CREATE TABLE chores (id TEXT PRIMARY KEY, key TEXT UNIQUE, status TEXT,
  attempts INTEGER, run_at TEXT, error TEXT, created_at TEXT, queued_at TEXT)`;

interface ChoresUnderTest {
  readonly outbox: OpenOutbox;
  readonly database: Database;
  /** Another process on the same rows. */
  another(attempt?: (row: OutboxRow) => Promise<Attempt>): OpenOutbox;
  add(id: string, row?: { readonly key?: string; readonly runAt?: number }): Promise<number>;
  /** Works for so many seconds, and gives the status and attempts of the row at the end of each. */
  seen(id: string, seconds: number): Promise<readonly string[]>;
  state(id: string): Promise<string>;
  pass(milliseconds: number): void;
}

function withChores(
  attempt: (row: OutboxRow) => Promise<Attempt>,
  body: (chores: ChoresUnderTest) => Promise<void>,
): Promise<void> {
  return withDatabase(async (database) => {
    await create(database, [JOBS]);
    await database.migrate([{ sql: CREATE_CHORES, args: [] }]);
    let now = START;
    const clock = { now: () => now };
    const ports = {
      database,
      clock,
      logger: { log: () => {} },
      webhooks: { queue: databaseQueue({ database, clock, random }) },
    };
    const another = (make = attempt) =>
      openOutbox(
        {
          queue: "webhook-events",
          table: CHORES,
          schedule: {
            waits: [2 * SECOND, 4 * SECOND],
            longestWait: 30 * DAY,
            obeysRetryAfter: false,
          },
          slots: 4,
          slotsPerReceiver: 1,
          retentionDays: 7,
          select,
          attempt: make,
        },
        { lease: LEASE, requeueAfter: REQUEUE_AFTER, logsAttempts: false },
        ports,
      );
    const outbox = another();
    const state = async (id: string) => {
      const sql = "SELECT status, attempts FROM chores WHERE id = ?";
      const { rows: [row = []] } = await database.run({ sql, args: [id] });
      return row.join(" ");
    };
    await body({
      outbox,
      database,
      another,
      state,
      pass: (milliseconds) => void (now += milliseconds),
      add: (id, { key, runAt } = {}) =>
        database.write((transaction) =>
          insertRows(transaction, CHORES, [{
            id,
            key: key ?? null,
            run_at: runAt === undefined ? null : new Date(runAt).toISOString(),
            created_at: new Date(now).toISOString(),
          }])
        ),
      async seen(id, seconds) {
        const states: string[] = [];
        for (let second = 0; second < seconds; second += 1) {
          await worked(outbox);
          states.push(await state(id));
          now += SECOND;
        }
        return states;
      },
    });
  });
}

async function worked(outbox: OpenOutbox): Promise<void> {
  await outbox.tick();
  await outbox.settled();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function select(reader: Reader, id: string): Promise<OutboxRow | null> {
  const sql = "SELECT attempts, run_at FROM chores WHERE id = ? AND status <> 'done'";
  const { rows: [row] } = await reader.run({ sql, args: [id] });
  if (!row) return null;
  const [attempts, runAt] = row;
  return {
    id,
    attempts: Number(attempts),
    nextAttemptAt: typeof runAt === "string" ? runAt : null,
  };
}

async function create(database: Database, tables: readonly SqlTable[]): Promise<void> {
  const statements = tables.flatMap((table) => [
    ...changeSql({ kind: "createTable", table }),
    ...table.indexes.flatMap((index) =>
      changeSql({ kind: "createIndex", table: table.name, index })
    ),
  ]);
  await database.migrate(statements.map((sql) => ({ sql, args: [] })));
}

const failed = (reason: string): Promise<Attempt> =>
  Promise.resolve({ kind: "failed", reason, retryAfter: null, columns: { error: reason } });
const done = (): Promise<Attempt> => Promise.resolve({ kind: "done" });

Deno.test("work that fails is tried at once, after 2 s and after 4 s more, and is then dead", async () => {
  await withChores(() => failed("No"), async ({ add, seen, database }) => {
    await add("c1");
    assertEquals(await seen("c1", 9), [
      "queued 1",
      "queued 1",
      "queued 2",
      "queued 2",
      "queued 2",
      "queued 2",
      "failed 3",
      "failed 3",
      "failed 3",
    ]);
    const sql = "SELECT error, run_at FROM chores";
    assertEquals((await database.run({ sql, args: [] })).rows, [["No", null]]);
  });
});

Deno.test("work may wait from the start, for longer than any retry, and is done once", async () => {
  let runs = 0;
  const attempt = () => {
    runs += 1;
    return done();
  };
  await withChores(attempt, async ({ add, seen, pass }) => {
    await add("c1", { runAt: START + 29 * DAY });
    assertEquals(await seen("c1", 3), ["queued 0", "queued 0", "queued 0"]);
    pass(28 * DAY);
    assertEquals(await seen("c1", 1), ["queued 0"]);
    pass(DAY);
    assertEquals(await seen("c1", 3), ["done 1", "done 1", "done 1"]);
    assertEquals(runs, 1);
  });
});

Deno.test("work of one key is written once", async () => {
  await withChores(done, async ({ add, seen }) => {
    assertEquals([await add("c1", { key: "k" }), await add("c2", { key: "k" })], [1, 0]);
    assertEquals([await seen("c1", 1), await seen("c2", 1)], [["done 1"], [""]]);
  });
});

Deno.test("an attempt whose worker died is counted, and made again when its lease is over", async () => {
  await withChores(done, async ({ add, another, outbox, state, pass }) => {
    await add("c1");
    const dying = another(() => new Promise(() => {}));
    await dying.tick();
    while (await state("c1") !== "running 1") await turn();
    await worked(outbox);
    assertEquals(await state("c1"), "running 1");
    pass(LEASE + 1);
    await worked(outbox);
    assertEquals(await state("c1"), "done 2");
  });
});

Deno.test("what changes with an attempt is one transaction with its end, or is none", async () => {
  let tries = 0;
  const attempt = (): Promise<Attempt> => {
    tries += 1;
    return Promise.resolve({
      kind: "done",
      async also(transaction) {
        await transaction.run({ sql: "UPDATE chores SET error = 'told'", args: [] });
        if (tries === 1) throw new Error("The database is busy");
      },
    });
  };
  await withChores(attempt, async ({ add, outbox, database, state, pass }) => {
    await add("c1");
    const error = async () =>
      (await database.run({ sql: "SELECT error FROM chores", args: [] })).rows;
    await worked(outbox);
    assertEquals([await state("c1"), await error()], ["running 1", [[null]]]);
    pass(LEASE + 1);
    await worked(outbox);
    assertEquals([await state("c1"), await error(), tries], ["done 2", [["told"]], 2]);
  });
});

Deno.test("what is settled stays so, whatever a worker says that was late", async () => {
  await withChores(done, async ({ add, seen, database, state }) => {
    await add("c1");
    await seen("c1", 1);
    const late = { state: "dead", attempts: 1, nextAttemptAt: null, columns: {} } as const;
    await database.write((transaction) => settleRow(transaction, CHORES, "c1", late));
    assertEquals(await state("c1"), "done 1");
  });
});

Deno.test("what a queue lost is queued anew, what waits for its time is not", async () => {
  await withChores(done, async ({ add, outbox, another, database, state, pass }) => {
    await add("lost");
    await add("later", { runAt: START + DAY });
    const dying = another(() => new Promise(() => {}));
    await dying.tick();
    while (await state("lost") !== "running 1") await turn();
    await database.write((transaction) =>
      transaction.run({ sql: "DELETE FROM quickback_jobs", args: [] })
    );
    const jobs = async () =>
      (await database.run({ sql: "SELECT id FROM quickback_jobs", args: [] })).rows.flat();
    pass(REQUEUE_AFTER - SECOND);
    await worked(outbox);
    assertEquals([await state("lost"), await jobs()], ["running 1", []]);
    pass(REQUEUE_AFTER);
    await worked(outbox);
    assertEquals([await state("lost"), await jobs()], ["done 2", []]);
  });
});

Deno.test("what is over is forgotten when it was kept long enough, what waits is not", async () => {
  await withChores(done, async ({ add, outbox, state, pass }) => {
    await add("over");
    await add("later", { runAt: START + 20 * DAY });
    await worked(outbox);
    pass(7 * DAY);
    await worked(outbox);
    assertEquals(await state("over"), "done 1");
    pass(DAY);
    await worked(outbox);
    assertEquals([await state("over"), await state("later")], ["", "queued 0"]);
  });
});

const KINDS: readonly (readonly [what: string, outbox: OutboxTable, table: SqlTable])[] = [
  ["deliveries", DELIVERIES, WEBHOOK_DELIVERIES],
  ["events", EVENTS, WEBHOOK_EVENTS],
  ["push messages", MESSAGES, PUSH_MESSAGES],
];

for (const [what, outbox, table] of KINDS) {
  Deno.test(`an idle worker looks for ${what} in an index alone`, async () => {
    await withDatabase(async (database) => {
      await create(database, [table]);
      const asked: Statement[] = [];
      const reader: Reader = {
        runAll: (statements) => database.runAll(statements),
        run(statement) {
          asked.push(statement);
          return database.run(statement);
        },
      };
      const now = new Date(START).toISOString();
      assertEquals(await selectUnqueued(reader, outbox, { now, limit: 10 }), []);
      const [{ sql, args } = { sql: "", args: [] }] = asked;
      const plan = await database.run({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
      const steps = plan.rows.map((row) => String(row.at(-1)));
      const walks = steps.filter((step) => /^(?:SCAN|SEARCH) \w/.test(step))
        .filter((step) => !/INDEX|SCAN (?:waiting|\(subquery)/.test(step));
      assertEquals(walks, []);
      assert(steps.some((step) => step.includes(`${table.name}_`)), steps.join("\n"));
    });
  });
}
