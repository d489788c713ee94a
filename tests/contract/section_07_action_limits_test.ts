/** Definitions 8, `ACTION_TIMEOUT_MS` and `TRANSACTION_MAX_MS`: authored code ends in time, and others write meanwhile. */
import { assert, assertEquals } from "@std/assert";
import { systemTimer } from "../../library/platform/mod.ts";
import { type ApiUnderTest, type Claims } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { limitedDriver } from "../support/databases.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const EVE: Claims = { ...ANN, sub: "eve", orgId: "org_b" };
const ROLES = `{ access: { roles: ["member"] } }`;
const LIMITS = { readMs: 5000, statementMs: 5000, transactionMs: 300 };

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), text: q.text() },
  guards: { createable: ["text"] },
  read: ${ROLES},
  create: ${ROLES},
});
`,
  "quickback/features/notes/actions/linger.ts": `import { defineAction } from "quickback";
import { z } from "zod";
import { notes } from "../schema";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export default defineAction({
  description: "Lingers",
  path: "./linger",
  input: z.object({ milliseconds: z.number(), writesLater: z.boolean().default(false) }),
  access: { roles: ["member"] },
  async execute({ db, signal, input: { milliseconds, writesLater } }) {
    await db.insert(notes).values({ text: "first" });
    await pause(milliseconds); if (writesLater) {
      try { await db.insert(notes).values({ text: "late" }); } catch { /* as an author may */ }
    }
    return { aborted: signal.aborted };
  },
});
`,
};

const PAUSE =
  "const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));";
const ORDERS = {
  "quickback/quickback.config.ts": 'export default { name: "shop" };\n',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    note: q.text().optional(),
    open: q.bool().default(true),
    state: q.enum(["new", "paid", "void"]).default("new"),
  },
  guards: { createable: ["note"], updatable: ["note", "open", "state"] },
  read: ${ROLES},
  create: ${ROLES},
  update: ${ROLES},
  delete: ${ROLES},
});
`,
  "quickback/features/orders/actions/pay.ts": `import { defineAction } from "quickback";
import { z } from "zod";
import { orders } from "../schema";
${PAUSE}
export default defineAction({
  description: "Pays",
  input: z.object({ writes: z.boolean().default(true) }),
  access: { roles: ["member"], record: { open: { equals: true } } },
  transition: { field: "state", fromTo: { new: ["paid"] }, to: "paid" },
  async execute({ db, whereRecord, input }) {
    await pause(400);
    if (input.writes) await db.update(orders).set({ note: "paid" }).where(whereRecord(orders));
    return { ok: true };
  },
});
`,
  "quickback/features/orders/actions/ask.ts": `import { defineAction } from "quickback";
import { z } from "zod";
import { orders } from "../schema";
${PAUSE}
export default defineAction({
  description: "Asks somebody, then writes",
  path: "./ask",
  input: z.object({ orderId: z.string(), lingers: z.boolean().default(false) }),
  refs: { orderId: "orders" },
  access: { roles: ["member"] },
  async execute({ db, input }) {
    await pause(400);
    await db.insert(orders).values({ note: "asked" });
    if (input.lingers) await pause(400);
    return { ok: true };
  },
});
`,
};

const textsOf = ({ data }: Readonly<Record<string, unknown>>) =>
  Array.isArray(data) ? data.map(({ text }) => text) : data;

Deno.test("a handler that takes too long is ended, and nothing of it is kept", () =>
  withCompiledActions(FILES, async (api) => {
    const asked = { as: ANN, body: { milliseconds: 600, writesLater: true } };
    // What is made with the first answers is not measured.
    assertEquals((await api.ask("notes/linger", { as: ANN, body: {} })).status, 400);
    const since = performance.now();
    const { status, body } = await api.ask("notes/linger", asked);
    assertEquals([status, body["code"], body["layer"]], [503, "ACTION_TIMEOUT", "action"]);
    assert(performance.now() - since < 550);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assertEquals(textsOf((await api.ask("notes", { as: ANN })).body), []);
    const short = await api.ask("notes/linger", { as: ANN, body: { milliseconds: 1 } });
    assertEquals([short.status, short.body], [200, { aborted: false }]);
    assertEquals(textsOf((await api.ask("notes", { as: ANN })).body), ["first"]);
  }, {
    timer: systemTimer,
    settings: { actionTimeoutMs: 200 },
    driver: limitedDriver({ ...LIMITS, transactionMs: 5000 }),
  }));

Deno.test("a handler that keeps others from writing is ended for them", () =>
  withCompiledActions(FILES, async (api) => {
    const lingering = api.ask("notes/linger", {
      as: ANN,
      body: { milliseconds: 2000, writesLater: true },
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const since = performance.now();
    const created = await api.ask("notes", { as: EVE, body: { text: "a" } });
    assertEquals(created.status, 201);
    assert(performance.now() - since < 1500, `${performance.now() - since} ms`);
    const { status, body, headers } = await lingering;
    assertEquals([status, body["code"]], [503, "DATABASE_UNAVAILABLE"]);
    assertEquals(headers.get("retry-after"), "1");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    assertEquals(textsOf((await api.ask("notes", { as: ANN })).body), []);
    assertEquals(textsOf((await api.ask("notes", { as: EVE })).body), ["a"]);
  }, { driver: limitedDriver(LIMITS) }));

Deno.test("a handler that keeps nobody waiting may linger", () =>
  withCompiledActions(FILES, async (api) => {
    const { status } = await api.ask("notes/linger", { as: ANN, body: { milliseconds: 700 } });
    assertEquals(status, 200);
  }, { driver: limitedDriver(LIMITS) }));

Deno.test("a write that waits hears in time that it waits in vain", () =>
  withCompiledActions(FILES, async (api) => {
    const linger = () => api.ask("notes/linger", { as: ANN, body: { milliseconds: 1500 } });
    const lingering = linger();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const since = performance.now();
    const { status, body, headers } = await api.ask("notes", { as: EVE, body: { text: "a" } });
    assertEquals([status, body["code"]], [503, "DATABASE_UNAVAILABLE"]);
    assertEquals(headers.get("retry-after"), "1");
    assert(performance.now() - since < 1300, `${performance.now() - since} ms`);
    assertEquals((await lingering).status, 200);
    assertEquals(textsOf((await api.ask("notes", { as: EVE })).body), []);
  }, { driver: limitedDriver({ ...LIMITS, transactionMs: 60_000 }, 500) }));

/** Another tenant's create while an action waits; its milliseconds. */
async function createdMeanwhile(api: ApiUnderTest): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const since = performance.now();
  const { status } = await api.ask("orders", { as: EVE, body: { note: "meanwhile" } });
  assertEquals(status, 201);
  return performance.now() - since;
}

const PATIENT = { timer: systemTimer, driver: limitedDriver({ ...LIMITS, transactionMs: 60_000 }) };

Deno.test("a handler that waits before its first statement holds no writer", () =>
  withCompiledActions(ORDERS, async (api) => {
    const { body: { id } } = await api.ask("orders", { as: ANN, body: { note: "mine" } });
    const calls = [
      () => api.ask("orders/ask", { as: ANN, body: { orderId: id } }),
      () => api.ask(`orders/${id}/pay`, { as: ANN, body: {} }),
    ];
    for (const call of calls) {
      const called = call();
      assert(await createdMeanwhile(api) < 250);
      const { status, body } = await called;
      assertEquals([status, body], [200, { ok: true }]);
    }
    const { body } = await api.ask(`orders/${id}`, { as: ANN });
    assertEquals([body["note"], body["state"]], ["paid", "paid"]);
  }, PATIENT));

Deno.test("under a key, and from its first statement on, it holds the one transaction", () =>
  withCompiledActions(ORDERS, async (api) => {
    const { body: { id } } = await api.ask("orders", { as: ANN, body: { note: "mine" } });
    const headers = { "idempotency-key": "one" };
    const keyed = api.ask("orders/ask", { as: ANN, body: { orderId: id }, headers });
    assert(await createdMeanwhile(api) > 250);
    assertEquals((await keyed).status, 200);
    const called = api.ask("orders/ask", { as: ANN, body: { orderId: id, lingers: true } });
    await new Promise((resolve) => setTimeout(resolve, 350));
    assert(await createdMeanwhile(api) > 250);
    assertEquals((await called).status, 200);
  }, PATIENT));

for (
  const [what, change, pay, refused] of [
    ["its condition", { open: false }, {}, "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"],
    ["its state", { state: "void" }, {}, "ACCESS_TRANSITION_LOST"],
    ["its move, made by somebody else", { state: "paid" }, {}, "ACCESS_TRANSITION_LOST"],
    [
      "its move, which it leaves to the service",
      { state: "void" },
      { writes: false },
      "ACCESS_TRANSITION_LOST",
    ],
    ["its existence", null, {}, "FIREWALL_SOFT_DELETED"],
    ["another column", { note: "new" }, {}, null],
  ] as const
) {
  Deno.test(`a record that changed while its handler waited is judged again: ${what}`, () =>
    withCompiledActions(ORDERS, async (api) => {
      const { body: { id } } = await api.ask("orders", { as: ANN, body: { note: "mine" } });
      const called = api.ask(`orders/${id}/pay`, { as: ANN, body: pay });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const changed = change === null
        ? await api.ask(`orders/${id}`, { as: ANN, method: "DELETE" })
        : await api.ask(`orders/${id}`, { as: ANN, method: "PATCH", body: change });
      assertEquals(changed.status, 200);
      const { status, body } = await called;
      assertEquals([status === 200, body["code"] ?? null], [refused === null, refused]);
      const { body: record } = await api.ask(`orders/${id}`, { as: ANN });
      const left = refused === null ? { note: "paid", state: "paid" } : { note: "mine", ...change };
      for (const [name, value] of change === null ? [] : Object.entries(left)) {
        assertEquals(record[name], value, name);
      }
    }, PATIENT));
}

Deno.test("a handler that is over takes no transaction any more", () =>
  withCompiledActions(ORDERS, async (api) => {
    const { body: { id } } = await api.ask("orders", { as: ANN, body: { note: "mine" } });
    const { status, body } = await api.ask("orders/ask", { as: ANN, body: { orderId: id } });
    assertEquals([status, body["code"]], [503, "ACTION_TIMEOUT"]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert(await createdMeanwhile(api) < 250);
    const { body: { data } } = await api.ask("orders", { as: ANN });
    assertEquals(Array.isArray(data) && data.length, 1);
  }, { ...PATIENT, settings: { actionTimeoutMs: 200 } }));
