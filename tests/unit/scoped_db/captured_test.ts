/** What a handler keeps beyond its own action: databases, transactions and queries are of no use in another one (contract 4.4 rule 3). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { eq, placeholder } from "drizzle-orm";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import { DRIVERS } from "../../support/databases.ts";
import { fillDesk, type Handler, runAction } from "./action.ts";
import { tickets } from "./desk.ts";

const BEA: Principal = {
  ...ANONYMOUS,
  credential: "token",
  userId: "bea",
  organizationId: "org_b",
  roles: ["agent"],
};
const AS_BEA = { principal: BEA, organizationId: "org_b", stamps: { now: "", userId: "bea" } };

type Db = Handler["db"];

/** What the handler of another tenant left behind, and what one may try with it. */
const WAYS: Readonly<Record<string, (kept: Db) => () => unknown>> = {
  "a database": (db) => () => db.select().from(tickets),
  "a database, for a write": (db) => () => db.update(tickets).set({ subject: "X" }),
  "a transaction of it": (db) => () => db.transaction((tx) => tx.select().from(tickets)),
  "a batch of it": (db) => () => db.batch([db.select().from(tickets)]),
  "a query that was built": (db) => {
    const query = db.select().from(tickets);
    return () => query.all();
  },
  "a prepared query": (db) => {
    const query = db.select().from(tickets).where(eq(tickets.id, placeholder("id"))).prepare();
    return () => query.all({ id: "tic_b" });
  },
  "a relational query": (db) => () => db.query.tickets.findMany(),
  "a count": (db) => () => db.$count(tickets).then((n) => n),
};

for (const driver of DRIVERS) {
  Deno.test(`what another tenant's handler kept is refused in the next one's (${driver.name})`, async (t) => {
    await driver.with(async (database) => {
      await fillDesk(database);
      for (const [name, keep] of Object.entries(WAYS)) {
        await t.step(name, async () => {
          const bag: (() => unknown)[] = [];
          await runAction(database, ({ db }) => void bag.push(keep(db)), AS_BEA);
          const { value, error } = await runAction(database, () => bag[0]?.());
          assertEquals(value, undefined);
          assert(error instanceof Error && /The action is over/.test(error.message), String(error));
        });
      }
    });
  });

  Deno.test(`a nested transaction that was kept writes nothing after its action (${driver.name})`, async () => {
    await driver.with(async (database) => {
      await fillDesk(database);
      const kept: Pick<Db, "update" | "select">[] = [];
      await runAction(
        database,
        ({ db }) => db.transaction((tx) => Promise.resolve(void kept.push(tx))),
      );
      const [tx] = kept;
      assert(tx);
      await assertRejects(
        async () => await tx.update(tickets).set({ subject: "X" }),
        Error,
        "The action is over",
      );
      await assertRejects(async () => await tx.select().from(tickets), Error, "The action is over");
    });
  });

  Deno.test(`a nested transaction that was kept is the action's own again (${driver.name})`, async () => {
    await driver.with(async (database) => {
      await fillDesk(database);
      const { value, error } = await runAction(database, async ({ db }) => {
        const kept: Pick<Db, "select">[] = [];
        await db.transaction((tx) => Promise.resolve(void kept.push(tx)));
        return await kept[0]?.select({ id: tickets.id }).from(tickets);
      });
      assertEquals([error, value], [null, [{ id: "tic_a" }, { id: "tic_a2" }]]);
    });
  });

  Deno.test(`a prepared query used again and again binds its own values each time (${driver.name})`, async () => {
    await driver.with(async (database) => {
      await fillDesk(database);
      const { value } = await runAction(database, async ({ db }) => {
        const query = db.select({ id: tickets.id }).from(tickets)
          .where(eq(tickets.id, placeholder("id"))).prepare();
        const found = [];
        for (const id of ["tic_a", "tic_b", "tic_a2", "tic_gone", "tic_a"]) {
          found.push(await query.all({ id }));
        }
        return found.map((rows) => rows.map(({ id }) => id));
      });
      assertEquals(value, [["tic_a"], [], ["tic_a2"], [], ["tic_a"]]);
    });
  });
}
