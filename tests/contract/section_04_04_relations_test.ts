/** Rules that follow relations in actions, bulk actions and the databases of handlers (contract 4.4, definitions 4.1, 5). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, isRecord } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DISPATCHER, FIELD, fillField, make, TINA, TOM } from "../support/field_project.ts";

const OF_ASSIGNEE = '{ record: { order: { assigneeId: "$ctx.userId" } } }';

const FILES = {
  ...FIELD,
  "quickback/features/field/actions/notes/close.ts": `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Close it",
  input: z.object({}),
  access: ${OF_ASSIGNEE},
  transition: { field: "state", fromTo: { open: ["closed"] }, to: "closed" },
});
`,
  "quickback/features/field/actions/items/look.ts": `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Look at it",
  input: z.object({}),
  access: { roles: ["technician", "dispatcher"] },
  execute: ({ record }) => ({ note: record.note }),
});
`,
  ...Object.fromEntries(["db", "unsafeDb"].map((name) => [
    `quickback/features/field/actions/items/sweep${name}.ts`,
    `import { defineAction, z } from "quickback";
import { crew, items } from "../../schema";
import { eq } from "drizzle-orm";
export default defineAction({
  description: "Sweep them",
  path: "/sweep-${name.toLowerCase()}",
  input: z.object({ orderId: z.string() }),
  access: { roles: ["technician", "sysadmin"] },
  ${name === "db" ? "" : 'unsafe: { reason: "Looks everywhere", crossTenant: true },'}
  async execute({ ${name}: db, input }) {
    const seen = await db.select({ id: items.id, note: items.note }).from(items);
    const joined = await db.select({ id: items.id }).from(items)
      .innerJoin(crew, eq(crew.orderId, items.orderId));
    const changed = await db.update(items).set({ note: "swept" }).returning({ id: items.id });
    ${name === "db" ? 'await db.insert(items).values({ id: "made", orderId: input.orderId });' : ""}
    const ids = (rows) => rows.map(({ id }) => id).sort();
    return { seen: ids(seen), joined: ids(joined), changed: ids(changed) };
  },
});
`,
  ])),
};

function withActions(body: (api: ApiUnderTest) => Promise<void>): Promise<void> {
  return withCompiledActions(FILES, async (api) => {
    await fillField(api);
    await body(api);
  });
}

async function run(api: ApiUnderTest, path: string, as: Claims, body: unknown = {}) {
  const answer = await api.ask(path, { method: "POST", as, body });
  return answer.status < 400
    ? answer.body
    : `${answer.status} ${answer.body["code"]} ${
      JSON.stringify(
        isRecord(answer.body["details"]) ? answer.body["details"]["conditions"] ?? null : null,
      )
    }`;
}

Deno.test("an action is judged by its record's relations, and says the conditions as they were written", () =>
  withActions(async (api) => {
    await make(api, "notes", { id: "note_1", orderId: "toms", state: "open" }, TOM);
    assertEquals(
      await run(api, "notes/note_1/close", TINA),
      '409 ACCESS_ACTION_NOT_ALLOWED_FOR_STATE {"order":{"assigneeId":{"equals":"$ctx.userId"}}}',
    );
    const closed = await run(api, "notes/note_1/close", TOM);
    assertEquals(closed, { success: true, state: "closed" });
    assertEquals(await run(api, "items/item_toms/look", TINA), "403 FIREWALL_NOT_FOUND null");
    assertEquals(await run(api, "items/item_toms/look", TOM), { note: "item_toms" });
    const bulk = await run(api, "items/batch/look", TOM, {
      ids: ["item_toms", "item_tinas"],
      input: {},
    });
    assertEquals(
      isRecord(bulk) && isRecord(bulk["meta"]) &&
        [bulk["meta"]["succeeded"], bulk["meta"]["failed"]],
      [1, 1],
    );
  }));

Deno.test("a handler's database reads and changes what its caller reaches, and inserts what it likes", () =>
  withActions(async (api) => {
    const swept = await run(api, "sweep-db", TOM, { orderId: "tinas" });
    // The rule asks the orders of the tenant, whatever the statement calls so.
    assertEquals(swept, {
      seen: ["item_gone", "item_toms"],
      joined: ["item_toms"],
      changed: ["item_gone", "item_toms"],
    });
    const { body } = await api.ask("items/made", { as: DISPATCHER });
    assertEquals([body["orderId"], body["note"]], ["tinas", null]);
    assertEquals((await api.ask("items/item_tinas", { as: TINA })).body["note"], "item_tinas");
  }));

Deno.test("an unsafe database keeps the relations, each in its row's own tenant", () =>
  withActions(async (api) => {
    const root: Claims = {
      sub: "tom",
      orgId: "org_a",
      roles: ["technician"],
      userRole: "sysadmin",
    };
    const swept = await run(api, "sweep-unsafedb", root, { orderId: "tinas" });
    assertEquals(isRecord(swept) && swept["seen"], ["item_foreign", "item_gone", "item_toms"]);
    assertEquals(isRecord(swept) && swept["changed"], ["item_foreign", "item_gone", "item_toms"]);
  }));
