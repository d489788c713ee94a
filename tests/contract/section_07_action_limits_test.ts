/** Definitions 8, `ACTION_TIMEOUT_MS` and `TRANSACTION_MAX_MS`: authored code ends in time, and others write meanwhile. */
import { assert, assertEquals } from "@std/assert";
import { systemTimer } from "../../platform/mod.ts";
import { type Claims } from "../support/api.ts";
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

const textsOf = ({ data }: Readonly<Record<string, unknown>>) =>
  Array.isArray(data) ? data.map(({ text }) => text) : data;

Deno.test("a handler that takes too long is ended, and nothing of it is kept", () =>
  withCompiledActions(FILES, async (api) => {
    const asked = { as: ANN, body: { milliseconds: 600, writesLater: true } };
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
