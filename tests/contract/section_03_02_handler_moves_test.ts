/** Moves of actions with a handler of their own, which may make the move or leave it to the service (contract 3.2). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, START } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DRIVERS } from "../support/databases.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const AT = new Date(START).toISOString();
const EARLIER = "2020-01-01T00:00:00.000Z";

const ORDERS = "quickback/features/orders";

const action = (body: string) =>
  `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { orders } from "../schema";

export default defineAction({
  description: "Move it",
  access: { roles: ["member"] },
  ${body}
});
void [eq, orders];
`;

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "moves" };\n',
  [`${ORDERS}/orders.ts`]: `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    state: q.enum(["open", "sent", "lost", "kept"]).required().default("open"),
    keeper: q.text(),
    amount: q.int().required(),
    reason: q.text(),
    sentAt: q.timestamp(),
    version: q.revision(),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "deletedAt", isNull: true },
    { field: "keeper", equals: "ctx.userId", exceptRoles: ["admin"] },
  ],
  guards: { createable: ["amount", "keeper", "reason"] },
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["member"] } },
});
`,
  [`${ORDERS}/actions/ship.ts`]: action(`
  input: z.object({ how: z.enum(["leave", "move", "stamp", "spend", "hand-over", "elsewhere", "remove", "throw"]) }),
  transition: {
    field: "state", fromTo: { open: ["sent"] }, to: "sent", guard: { amount: { greaterThan: 0 } },
    stamp: "sentAt", clears: ["reason"],
  },
  execute: async ({ db, record, input, whereTransition }) => {
    const set = (values) => db.update(orders).set(values).where(whereTransition(orders));
    if (input.how === "move") await set({ state: "sent" });
    if (input.how === "stamp") await set({ state: "sent", sentAt: "${EARLIER}", reason: "kept" });
    if (input.how === "spend") await set({ amount: 0 });
    if (input.how === "hand-over") await set({ keeper: "bob" });
    if (input.how === "elsewhere") await set({ state: "lost" });
    if (input.how === "remove") await db.delete(orders).where(eq(orders.id, record.id));
    if (input.how === "throw") throw new TypeError("hidden");
    return { how: input.how };
  },`),
  [`${ORDERS}/actions/put.ts`]: action(`
  input: z.object({ state: z.enum(["lost", "kept"]) }),
  transition: { field: "state", fromTo: { open: ["lost", "kept"] }, via: "state", idempotent: "noop" },
  execute: ({ record }) => ({ was: record.state }),`),
};

async function made(api: ApiUnderTest): Promise<string> {
  const { body, text } = await api.ask("orders", {
    as: ANN,
    body: { amount: 1, keeper: "ann", reason: "wait" },
  });
  assertEquals(typeof body["id"], "string", text);
  return String(body["id"]);
}

function ship(api: ApiUnderTest, id: string, how: string, query = "") {
  return api.ask(`orders/${id}/ship${query}`, { as: ANN, body: { how } });
}

async function stored(api: ApiUnderTest, id: string) {
  const as = { ...ANN, roles: ["admin"] };
  const { body } = await api.ask(`orders/${id}`, { as });
  const { state, sentAt, reason, version } = body;
  return [state, sentAt, reason, version];
}

const withOrders = (
  body: (api: ApiUnderTest) => Promise<void>,
  options: Parameters<typeof withCompiledActions>[2] = {},
) => withCompiledActions(FILES, body, options);

Deno.test("what a handler leaves of its move, the service writes, and nothing that the handler has written", () =>
  withOrders(async (api) => {
    const outcomes: readonly (readonly [string, readonly unknown[]])[] = [
      ["leave", ["sent", AT, null, 2]],
      ["move", ["sent", AT, null, 3]],
      ["stamp", ["sent", EARLIER, "kept", 2]],
      // Its condition was met when the action began.
      ["spend", ["sent", AT, null, 3]],
      // Out of the caller's own sight.
      ["hand-over", ["sent", AT, null, 3]],
    ];
    for (const [how, expected] of outcomes) {
      const id = await made(api);
      const { status, body } = await ship(api, id, how);
      assertEquals([how, status, body], [how, 200, { how }]);
      assertEquals([how, await stored(api, id)], [how, expected]);
    }
  }));

Deno.test("a handler that leaves another state ends the action and undoes it", () =>
  withOrders(async (api) => {
    for (const how of ["elsewhere", "throw"]) {
      const id = await made(api);
      const { status, body } = await ship(api, id, how);
      assertEquals([how, status, body["code"]], [how, 500, "ACTION_EXECUTION_FAILED"]);
      assertEquals(await stored(api, id), ["open", null, "wait", 1]);
    }
  }));

Deno.test("a handler that deletes its record has it moved all the same", () =>
  withOrders(async (api) => {
    const id = await made(api);
    assertEquals((await ship(api, id, "remove")).body, { how: "remove" });
    const gone = await api.ask(`orders/${id}`, { as: ANN });
    assertEquals(gone.body["code"], "FIREWALL_SOFT_DELETED");
    const { rows } = await api.database.run({ sql: "SELECT state FROM orders", args: [] });
    assertEquals(rows, [["sent"]]);
  }));

Deno.test("a rehearsal makes the move and takes it back", () =>
  withOrders(async (api) => {
    const id = await made(api);
    const { status, body } = await ship(api, id, "leave", "?dryRun=true");
    assertEquals([status, body], [200, { how: "leave" }]);
    assertEquals(await stored(api, id), ["open", null, "wait", 1]);
  }));

Deno.test("each record of a bulk action is moved, or told why not", () =>
  withOrders(async (api) => {
    const ids = [await made(api), await made(api), await made(api)];
    await ship(api, ids[1] ?? "", "leave");
    const { status, body } = await api.ask("orders/batch/ship", {
      as: ANN,
      body: { ids, input: { how: "leave" } },
    });
    assertEquals([status, body["success"]], [207, [{ how: "leave" }, { how: "leave" }]]);
    const errors: unknown[] = Array.isArray(body["errors"]) ? body["errors"] : [];
    assertEquals(errors.map((one) => Object(one).error.code), [
      "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
    ]);
    for (const id of ids) assertEquals((await stored(api, id))[0], "sent");
  }));

Deno.test("a state that the input names is reached likewise, and a noop runs no handler", () =>
  withOrders(async (api) => {
    const id = await made(api);
    const put = (state: string) => api.ask(`orders/${id}/put`, { as: ANN, body: { state } });
    assertEquals((await put("kept")).body, { was: "open" });
    assertEquals(await stored(api, id), ["kept", null, "wait", 2]);
    assertEquals((await put("kept")).body, { success: true, state: "kept" });
    assertEquals((await put("lost")).body["code"], "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE");
    assertEquals(await stored(api, id), ["kept", null, "wait", 2]);
  }));

for (const driver of DRIVERS) {
  Deno.test(`twenty callers at once: one handler runs and one move is made (${driver.name})`, () =>
    withOrders(async (api) => {
      const id = await made(api);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => ship(api, id, "leave")),
      );
      assertEquals(answers.filter(({ status }) => status === 200).length, 1);
      assertEquals(answers.filter(({ status }) => status === 409).length, 19);
      assertEquals(await stored(api, id), ["sent", AT, null, 2]);
    }, { driver }));
}
