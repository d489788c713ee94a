/** Definitions 6, `db.records`: the full route for code, without access rule and guards (contract 4.1, 4.4). */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, isRecord } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BEN: Claims = { sub: "ben", orgId: "org_b", roles: ["member"] };

const SHOP = "quickback/features/shop";

/** An action whose whole body is `code`. */
const action = (path: string, code: string) =>
  `import { ActionError, defineAction, RecordError } from "quickback";
import { z } from "zod";
import { customers, lines, orders } from "../schema";

export default defineAction({
  description: "Does ${path}",
  path: "/${path}", method: "POST",
  input: z.looseObject({}),
  access: { roles: ["member"] },
  execute: async ({ db, input, ctx }) => { ${code} },
});
void [ActionError, RecordError, customers, lines, orders];
`;

const ROLES = `{ access: { roles: ["member"] } }`;

const FILES: RawFiles = {
  "quickback/quickback.config.ts": 'export default { name: "shop" };\n',
  [`${SHOP}/customers.ts`]: `import { feature, q } from "quickback";
export default feature("customers", {
  columns: { organizationId: q.scope("organization"), name: q.text().required().unique(), vip: q.bool() },
  guards: { createable: ["name"], updatable: [] },
  read: ${ROLES}, create: ${ROLES},
});
`,
  [`${SHOP}/orders.ts`]: `import { feature, q } from "quickback";
import customers from "./customers";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    number: q.text().required().default({ sequence: "WO-{000}" }),
    customerId: q.text().references(() => customers.id),
    status: q.enum(["open", "paid"]).required().default("open"),
    code: q.text().required().default("none"),
    total: q.decimal({ precision: 10, scale: 2 }),
    dueAt: q.timestamp(),
    dueOn: q.date(),
    lineTotal: q.rollup("lines.orderId", { sum: "quantity" }),
    version: q.revision(),
  },
  guards: { createable: ["customerId"], updatable: [], immutable: ["code"], protected: { status: [] } },
  audit: { access: { roles: ["member"] } },

  read: ${ROLES},
  create: { access: { roles: ["boss"] } },
  update: { access: { roles: ["boss"] } },
  delete: { access: { roles: ["boss"] }, mode: "soft", restore: { access: { roles: ["boss"] } } },
});
`,
  [`${SHOP}/lines.ts`]: `import { feature, q } from "quickback";
import orders from "./orders";
export default feature("lines", {
  columns: {
    organizationId: q.scope("organization"),
    orderId: q.text().required().references(() => orders.id, { onDelete: "cascade" }),
    quantity: q.int({ min: 1, max: 9 }).required(),
  },
  guards: { createable: ["orderId", "quantity"] },
  read: ${ROLES}, create: ${ROLES}, delete: ${ROLES},
});
`,
  [`${SHOP}/notes.ts`]: `import { q } from "quickback";
export const notes = q.table("notes", { organizationId: q.scope("organization"), text: q.text() });
export default notes;
`,
  [`${SHOP}/actions/create.ts`]: action(
    "create",
    `const { table = orders, ...data } = input; return await db.records.create(table, data);`,
  ),
  [`${SHOP}/actions/update.ts`]: action(
    "update",
    `const { id, ...data } = input; return await db.records.update("orders", id, data);`,
  ),
  [`${SHOP}/actions/remove.ts`]: action(
    "remove",
    `await db.records.delete(orders, input.id); return { done: true };`,
  ),
  [`${SHOP}/actions/restore.ts`]: action(
    "restore",
    `return await db.records.restore(orders, input.id);`,
  ),
  [`${SHOP}/actions/dates.ts`]: action(
    "dates",
    `const at = new Date("2026-05-06T07:08:09Z"); return await db.records.create(orders, { dueAt: at, dueOn: at });`,
  ),
  [`${SHOP}/actions/several.ts`]: action(
    "several",
    `const told = [];
    const one = await db.records.create(orders, { code: "first" });
    try { await db.records.create(lines, { orderId: one.id, quantity: 99 }); }
    catch (error) {
      told.push(error instanceof RecordError, error instanceof Error, error.name, error.code, error.status, error.details);
    }
    try { await db.records.create(customers, { name: "Taken" }); } catch (error) { told.push(error.code, error.status); }
    await db.records.create(lines, { orderId: one.id, quantity: 4 });
    const [row] = await db.select().from(orders);
    told.push(row.lineTotal);
    return { told };`,
  ),
  [`${SHOP}/actions/at-once.ts`]: action(
    "at-once",
    `const made = await Promise.all([1, 2, 3].map((n) => db.records.create(orders, { code: "n" + n })));
    return { numbers: made.map(({ number }) => number) };`,
  ),
  [`${SHOP}/actions/undone.ts`]: action(
    "undone",
    `await db.records.create(orders, { code: "gone" }); throw new ActionError("No", "NO_WAY", 409);`,
  ),
};

const post = (api: ApiUnderTest, path: string, body: unknown, as = ANN) =>
  api.ask(path, { method: "POST", as, body });

const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body["code"],
];

const codes = async (api: ApiUnderTest, as = ANN) => {
  const { body } = await api.ask("orders?sort=number", { as });
  const { data } = body;
  return Array.isArray(data) ? data.map((row) => isRecord(row) && row["code"]) : data;
};

Deno.test("db.records is the full route for code", async (t) => {
  await withCompiledActions(FILES, async (api) => {
    const customer = String((await post(api, "customers", { name: "Taken" })).body["id"]);
    const foreign = String((await post(api, "customers", { name: "Far" }, BEN)).body["id"]);
    let id = "";
    await t.step(
      "it stamps, numbers, validates and keeps a history, past access and guards",
      async () => {
        assertEquals(codeOf(await post(api, "orders", {})), [403, "ACCESS_ROLE_REQUIRED"]);
        const made = await post(api, "create", {
          customerId: customer,
          status: "paid",
          code: "x",
          total: "12.50",
        });
        assertEquals(made.status, 200, made.text);
        const { body } = made;
        id = String(body["id"]);
        assertEquals(
          [
            body["number"],
            body["status"],
            body["code"],
            body["total"],
            body["createdBy"],
            body["version"],
          ],
          ["WO-001", "paid", "x", "12.50", "ann", 1],
        );
        assertEquals(body["organizationId"], "org_a");
        const { body: history } = await api.ask(`orders/${id}/history`, { as: ANN });
        const [change] = Array.isArray(history["data"]) ? history["data"] : [];
        assert(isRecord(change));
        assertEquals([change["kind"], change["actorUserId"]], ["create", "ann"]);
      },
    );
    await t.step("it refuses what a route refuses, by the route's own codes", async () => {
      for (
        const [body, expected] of [
          [{ total: "nope" }, [400, "VALIDATION_ERROR"]],
          [{ status: "lost" }, [400, "VALIDATION_ERROR"]],
          [{ organizationId: "org_b" }, [400, "GUARD_SYSTEM_MANAGED"]],
          [{ version: 4 }, [400, "GUARD_SYSTEM_MANAGED"]],
          [{ lineTotal: 4 }, [400, "GUARD_SYSTEM_MANAGED"]],
          [{ colour: "red" }, [400, "GUARD_FIELD_NOT_CREATEABLE"]],
          [{ customerId: foreign }, [400, "VALIDATION_ERROR"]],
          [{ table: "customers", name: "Taken" }, [409, "DB_UNIQUE_VIOLATION"]],
          [{ table: "customers" }, [400, "VALIDATION_ERROR"]],
          [{ table: "nothing" }, [500, "ACTION_EXECUTION_FAILED"]],
        ] satisfies readonly (readonly [object, unknown[]])[]
      ) assertEquals(codeOf(await post(api, "create", body)), expected, JSON.stringify(body));
      assertEquals(await codes(api), ["x"]);
    });
    await t.step(
      "a change may write what guards keep, in the caller's own tenant alone",
      async () => {
        const changed = await post(api, "update", { id, status: "open", code: "y" });
        assertEquals([changed.status, changed.body["code"], changed.body["version"]], [
          200,
          "y",
          2,
        ]);
        assertEquals(codeOf(await post(api, "update", { id, code: "z" }, BEN)), [
          403,
          "FIREWALL_NOT_FOUND",
        ]);
        assertEquals(codeOf(await post(api, "update", { id: "none", code: "z" })), [
          403,
          "FIREWALL_NOT_FOUND",
        ]);
        assertEquals(codeOf(await post(api, "update", { id, code: null })), [
          400,
          "VALIDATION_ERROR",
        ]);
        assertEquals(codeOf(await post(api, "update", { id, createdBy: "me" })), [
          400,
          "GUARD_SYSTEM_MANAGED",
        ]);
      },
    );
    await t.step("a deletion and its end", async () => {
      assertEquals(codeOf(await post(api, "restore", { id })), [
        409,
        "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
      ]);
      assertEquals((await post(api, "remove", { id })).status, 200);
      assertEquals(codeOf(await post(api, "update", { id, code: "z" })), [
        403,
        "FIREWALL_SOFT_DELETED",
      ]);
      assertEquals(codeOf(await post(api, "restore", { id }, BEN)), [403, "FIREWALL_NOT_FOUND"]);
      const back = await post(api, "restore", { id });
      assertEquals([back.status, back.body["deletedAt"], back.body["version"]], [200, null, 4]);
    });
    await t.step("days and instants may be a Date", async () => {
      const { body } = await post(api, "dates", {});
      assertEquals([body["dueAt"], body["dueOn"]], ["2026-05-06T07:08:09.000Z", "2026-05-06"]);
    });
    await t.step("calls at once run one after the other", async () => {
      const { body } = await post(api, "at-once", {});
      assertEquals(body["numbers"], ["WO-003", "WO-004", "WO-005"]);
    });
    await t.step("what an action refuses afterwards undoes them", async () => {
      const before = await codes(api);
      assertEquals(codeOf(await post(api, "undone", {})), [409, "NO_WAY"]);
      assertEquals(await codes(api), before);
    });
  });
});

Deno.test("a RecordError that a handler catches leaves that one call undone", () =>
  withCompiledActions(FILES, async (api) => {
    await post(api, "customers", { name: "Taken" });
    const { body, text } = await post(api, "several", {});
    const told = Array.isArray(body["told"]) ? body["told"] : [text];
    assertEquals(told.slice(0, 5), [true, true, "RecordError", "VALIDATION_ERROR", 400]);
    assert(isRecord(told[5]) && isRecord(told[5]["fields"]));
    assertEquals(Object.keys(told[5]["fields"]), ["quantity"]);
    assertEquals(told.slice(6), ["DB_UNIQUE_VIOLATION", 409, 4]);
    assertEquals(await codes(api), ["first"]);
    assertEquals((await api.ask("lines?fields=quantity", { as: ANN })).body["data"], [{
      quantity: 4,
    }]);
  }));

Deno.test("unsafeDb has no records, and what db.records gives is masked in the answer", () =>
  withCompiledActions({
    ...FILES,
    [`${SHOP}/customers.ts`]: (FILES[`${SHOP}/customers.ts`] ?? "").replace(
      "guards:",
      'masking: { name: { type: "name", show: { roles: ["boss"] } } }, guards:',
    ),
    [`${SHOP}/actions/past.ts`]: action(
      "past",
      `return await unsafeDb.records.create(customers, { name: "Eve" });`,
    )
      .replace(
        "execute: async ({ db,",
        'unsafe: { reason: "a test" },\n  execute: async ({ db, unsafeDb,',
      ),
  }, async (api) => {
    const past = await post(api, "past", {});
    assertEquals(codeOf(past), [500, "ACTION_EXECUTION_FAILED"], past.text);
    const made = await post(api, "create", { table: "customers", name: "Ada Lovelace" });
    assertEquals([made.status, made.text.includes("Lovelace")], [200, false], made.text);
  }));
