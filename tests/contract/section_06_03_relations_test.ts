/** Frames of resources whose rules follow relations: who gets them, who loses and who gains (contract 6.3). */
import { assertEquals } from "@std/assert";
import {
  DISPATCHER,
  FIELD,
  fillField,
  make,
  STRANGER,
  TINA,
  TOM,
} from "../support/field_project.ts";
import type { Database } from "../../shared/runtime/mod.ts";
import { DRIVERS } from "../support/databases.ts";
import { type Listener, type RealtimeUnderTest, withRealtime } from "../support/realtime.ts";

const FILES = Object.fromEntries(
  Object.entries(FIELD).map(([path, text]) => [
    path,
    text.replace('name: "field",', 'name: "field", realtime: { enabled: true },')
      .replace("guards: false,", "guards: false, realtime: true,"),
  ]),
);

const ITEMS = "?resources=items,parts,notes,keys,audits";

interface Heard {
  readonly api: RealtimeUnderTest;
  readonly tom: Listener;
  readonly tina: Listener;
  readonly dispatcher: Listener;
  readonly stranger: Listener;
}

function listening(body: (heard: Heard) => Promise<void>): Promise<void> {
  return withRealtime(FILES, async (api) => {
    await fillField(api);
    const listen = (as: typeof TOM) => api.listen(as, { search: ITEMS });
    const [tom, tina, dispatcher, stranger] = [
      await listen(TOM),
      await listen(TINA),
      await listen(DISPATCHER),
      await listen(STRANGER),
    ];
    await body({ api, tom, tina, dispatcher, stranger });
    api.end();
    // Nothing else was told.
    for (const one of [tom, tina, dispatcher, stranger]) {
      assertEquals(await one.brief(1), ["closing "]);
    }
  });
}

const patch = (api: RealtimeUnderTest, path: string, body: unknown) =>
  api.ask(path, { method: "PATCH", as: DISPATCHER, body });

Deno.test("a row is told to whoever its relation lets see it", () =>
  listening(async ({ api, tom, tina, dispatcher }) => {
    await make(api, "items", { id: "item_new", orderId: "toms" });
    assertEquals(await tom.brief(1), ["record.created items item_new"]);
    assertEquals(await dispatcher.brief(1), ["record.created items item_new"]);
    // To another's order: gone for one, there for the other.
    await patch(api, "items/item_new", { orderId: "tinas" });
    assertEquals(await tom.brief(1), ["record.deleted items item_new"]);
    assertEquals(await tina.brief(1), ["record.updated items item_new"]);
    assertEquals(await dispatcher.brief(1), ["record.updated items item_new"]);
  }));

Deno.test("a change of the related row takes a right away and gives it, behind two keys too", () =>
  listening(async ({ api, tom, tina, dispatcher }) => {
    await make(api, "parts", { id: "part_1", itemId: "item_toms" });
    for (const one of [tom, dispatcher]) {
      assertEquals(await one.brief(1), ["record.created parts part_1"]);
    }
    await patch(api, "orders/toms", { title: "Another title" });
    await patch(api, "orders/toms", { assigneeId: "tina" });
    assertEquals((await tom.brief(2)).toSorted(), [
      "record.deleted items item_toms",
      "record.deleted parts part_1",
    ]);
    const told = [await tina.next(), await tina.next()].map((
      { data },
    ) => [data["type"], data["resource"], data["id"]]);
    assertEquals(told.toSorted(), [
      ["record.updated", "items", "item_toms"],
      ["record.updated", "parts", "part_1"],
    ]);
    // Later frames are judged anew.
    await patch(api, "items/item_toms", { note: "n" });
    assertEquals(await tina.brief(1), ["record.updated items item_toms"]);
    assertEquals(await dispatcher.brief(1), ["record.updated items item_toms"]);
  }));

Deno.test("a deleted parent takes its children out of sight, and one that comes back brings them", () =>
  listening(async ({ api, tom, dispatcher }) => {
    await patch(api, "orders/free", { assigneeId: "tom" });
    assertEquals(await tom.brief(1), ["record.updated items item_free"]);
    await api.ask("orders/free", { method: "DELETE", as: DISPATCHER });
    assertEquals(await tom.brief(1), ["record.deleted items item_free"]);
    assertEquals(await dispatcher.brief(1), ["record.deleted items item_free"]);
    await api.ask("orders/free/restore", { method: "POST", as: DISPATCHER });
    assertEquals(await tom.brief(1), ["record.updated items item_free"]);
    assertEquals(await dispatcher.brief(1), ["record.updated items item_free"]);
  }));

Deno.test("children that come and go change who sees what none of them may refer to", () =>
  listening(async ({ api, tom, tina, dispatcher }) => {
    await make(api, "audits", { id: "audit_1", orderId: "tinas" });
    for (const one of [tom, tina, dispatcher]) {
      assertEquals(await one.brief(1), ["record.created audits audit_1"]);
    }
    await make(api, "crew", { id: "crew_2", userId: "tina", orderId: "tinas" });
    assertEquals(await tina.brief(1), ["record.deleted audits audit_1"]);
    await api.ask("crew/crew_2", { method: "DELETE", as: DISPATCHER });
    assertEquals(await tina.brief(1), ["record.updated audits audit_1"]);
  }));

Deno.test("a frame masks what its row does not show by now", () =>
  listening(async ({ api, tom, tina, dispatcher }) => {
    await make(api, "keys", { id: "key_1", orderId: "toms", code: "1234" });
    const code = async (one: Listener) => {
      const { data } = await one.next();
      const record = data["data"];
      return typeof record === "object" && record !== null ? Reflect.get(record, "code") : null;
    };
    assertEquals([await code(tom), await code(tina), await code(dispatcher)], [
      "1234",
      "[REDACTED]",
      "1234",
    ]);
  }));

for (const driver of DRIVERS) {
  Deno.test(`a frame of what is gone does not wait for what the next transaction does (${driver.name})`, () => {
    let next: string | null = null;
    const wrap = (database: Database): Database => ({
      ...database,
      async write(body, options) {
        const value = await database.write(body, options);
        const sql = next;
        next = null;
        // Right behind the commit, before anything else is read.
        if (sql !== null) await database.write((part) => part.run({ sql, args: [] }));
        return value;
      },
    });
    return withRealtime(FILES, async (api) => {
      await fillField(api);
      const tom = await api.listen(TOM, { search: "?resources=items" });
      next = "UPDATE items SET order_id = 'free' WHERE id = 'item_toms'";
      await patch(api, "orders/toms", { assigneeId: "tina" });
      await make(api, "items", { id: "item_last", orderId: "gone" });
      assertEquals(await tom.brief(1), ["record.deleted items item_toms"]);
      api.end();
    }, { driver, wrap });
  });
}

Deno.test("a change that concerns more than a thousand rows has subscribers read again", () =>
  listening(async ({ api, tom, tina, dispatcher, stranger }) => {
    await api.database.write(async (transaction) => {
      await transaction.run({
        sql: `INSERT INTO items (id, organization_id, order_id, version, created_at, modified_at)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
          SELECT 'many_' || i, 'org_a', 'toms', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n`,
        args: [],
      });
    });
    await patch(api, "orders/toms", { assigneeId: "tina" });
    for (const one of [tom, tina, dispatcher, stranger]) {
      assertEquals((await one.brief(2)).toSorted(), ["resync items", "resync parts"]);
    }
  }));
