/** What surrounds a handler's statements: the end of its action, its helpers, its relations, the news of its writes. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { eq } from "drizzle-orm";
import { handlerHelpers } from "../../../shared/runtime/operations/actions/handler_parameters.ts";
import { ChangeLog } from "../../../shared/runtime/data/changes/change_log.ts";
import type { TableModel } from "../../../shared/model/table.ts";
import { withDatabase } from "../../support/databases.ts";
import { fillDesk, NOW, runAction } from "./action.ts";
import { comments, customers, desk, notes, tickets } from "./desk.ts";

const STAMPS = { now: NOW, userId: "alice" };

function modelOf(name: string): TableModel {
  const found = desk.tables.find((table) => table.name === name);
  if (!found) throw new Error(`No table "${name}"`);
  return found;
}

Deno.test("a database refuses whatever comes after its action", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const kept: { late?: () => Promise<unknown> } = {};
    await runAction(database, ({ db }) => {
      kept.late = () => db.select().from(tickets).execute();
    });
    await assertRejects(() => kept.late?.() ?? Promise.resolve(), Error, "The action is over");
  });
});

Deno.test("a statement that nobody waited for is done before its action ends", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const { value } = await runAction(database, async ({ db, close, transaction }) => {
      void db.insert(comments).values({ body: "left alone" }).execute();
      await close();
      const { rows } = await transaction.run({ sql: "SELECT count(*) FROM comments", args: [] });
      return rows;
    });
    assertEquals(value, [[3]]);
  });
});

Deno.test("transactions that overlap end the action", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const { error } = await runAction(database, async ({ db }) => {
      const gate: { open?: () => void } = {};
      const opened = new Promise<void>((resolve) => gate.open = resolve);
      await Promise.all([
        db.transaction(async (tx) => {
          await tx.insert(comments).values({ body: "1" });
          await opened;
        }),
        db.transaction(async (tx) => {
          await tx.insert(comments).values({ body: "2" });
          gate.open?.();
          await tx.select().from(comments);
          await tx.select().from(comments);
          await tx.select().from(comments);
        }),
      ]);
    });
    assertMatch(String(error), /overlap/);
  });
});

Deno.test("every write says what became of which rows, once, as they were before the action", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const changes = new ChangeLog({
      watched: new Map([
        ["comments", ["body"]],
        ["customers", ["name"]],
        ["notes", ["ownerId"]],
        ["tickets", ["priority"]],
      ]),
      audited: null,
    });
    const { value } = await runAction(database, async ({ db }) => {
      await db.insert(comments).values([{ body: "1" }, { body: "2" }]);
      const changed = await db.update(tickets).set({ priority: 3 }).where(eq(tickets.id, "tic_a"))
        .returning({ p: tickets.priority });
      await db.update(tickets).set({ priority: 3 }).where(eq(tickets.id, "tic_b"));
      await db.delete(notes);
      await db.delete(customers);
      await db.select().from(tickets);
      return changed;
    }, { changes });
    assertEquals(value, [{ p: 3 }]);
    const told = changes.aftermath.rows.map(({ kind, table, id, before, after }) => [
      kind,
      table,
      id,
      before && [...before.values()],
      after && [...after.values()],
    ]);
    assertEquals(told, [
      ["insert", "comments", "comment_new1", null, ["1"]],
      ["insert", "comments", "comment_new2", null, ["2"]],
      ["delete", "tickets", "tic_a", [1], [3]],
      ["delete", "notes", "not_a", ["alice"], null],
      ["delete", "tickets", "tic_a2", [2], [2]],
      ["delete", "comments", "com_a", ["Mine"], ["Mine"]],
      ["delete", "customers", "cus_a", ["Ann"], ["Ann"]],
    ]);
  });
});

Deno.test("what a nested transaction takes back, and what was made and removed, is not told", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const changes = new ChangeLog({
      watched: new Map([["comments", ["body"]], ["tickets", ["priority"]]]),
      audited: null,
    });
    await runAction(database, async ({ db }) => {
      await db.transaction(async (tx) => {
        await tx.update(tickets).set({ priority: 9 });
        throw new Error("No");
      }).catch(() => {});
      const [made] = await db.insert(comments).values({ body: "1" }).returning();
      await db.insert(comments).values({ id: made?.id ?? "", body: "2" })
        .onConflictDoUpdate({ target: comments.id, set: { body: "3" } });
      await db.insert(comments).values({ id: "com_a", body: "2" })
        .onConflictDoUpdate({ target: comments.id, set: { body: "4" } });
    }, { changes });
    const told = changes.aftermath.rows.map((
      { kind, id, after },
    ) => [kind, id, after?.get("body")]);
    assertEquals(told, [["insert", "comment_new1", "3"], ["update", "com_a", "4"]]);
  });
});

Deno.test("a refused write throws what the database said, without its statement", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const { error } = await runAction(
      database,
      ({ db }) => db.insert(customers).values({ name: "Twin", email: "ann@a.test" }),
    );
    assert(error instanceof Error);
    assertEquals(error.name, "ConstraintError");
    assert(!error.message.includes("ann@a.test"));
  });
});

Deno.test("whereRecord and whereTransition choose the record as the action found it", async () => {
  await withDatabase(async (database) => {
    await fillDesk(database);
    const { value } = await runAction(database, async ({ db }) => {
      const { whereRecord, whereTransition, auditFields } = handlerHelpers(STAMPS, {
        table: modelOf("tickets"),
        row: new Map([["id", "tic_a"], ["status", "open"]]),
        transitionField: "status",
      });
      const move = () =>
        db.update(tickets).set({ status: "closed", ...auditFields }).where(whereTransition(tickets))
          .returning({ id: tickets.id });
      return [
        await move(),
        await move(),
        await db.select({ s: tickets.status }).from(tickets).where(whereRecord(tickets)),
      ];
    });
    assertEquals(value, [[{ id: "tic_a" }], [], [{ s: "closed" }]]);
  });
});

Deno.test("whereRecord names a table that is not the record's", async () => {
  const { whereRecord } = handlerHelpers(STAMPS, {
    table: modelOf("tickets"),
    row: new Map([["id", "tic_a"]]),
    transitionField: null,
  });
  await assertRejects(
    () => Promise.resolve().then(() => whereRecord(comments)),
    Error,
    'Table "comments" is not the table of the action\'s record, "tickets"',
  );
});
