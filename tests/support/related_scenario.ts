/**
 * One walk through everything that rules with relations decide, as a list of what was answered beside what must be: reads, writes
 * as they will be, actions, files, masks and frames (docs/decisions/relations.md).
 */
import type { ApiUnderTest, Ask, Claims } from "./api.ts";
import { isRecord } from "./api.ts";
import {
  DISPATCHER,
  FIELD,
  fillField,
  listed,
  make,
  STRANGER,
  TINA,
  TOM,
} from "./field_project.ts";
import type { Listener, RealtimeUnderTest } from "./realtime.ts";

const ROLES = '["dispatcher", "technician"]';
const OPEN_TASK = '{ order: { tasks: { some: { state: "open" } } } }';

/** The field project with a table of states, one for everybody, and everything that a client may ask for. */
export const SCENARIO: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(FIELD).map(([path, text]) => [
      path,
      text.replace(
        'name: "field",',
        'name: "field", realtime: { enabled: true }, contract: { changeset: true },',
      ).replace(
        /guards: false,/,
        path.endsWith("/orders.ts") ? "guards: false," : "guards: false, realtime: true,",
      ),
    ]),
  ),
  "quickback/features/field/tasks.ts": `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("tasks", {
  columns: {
    organizationId: q.scope("organization"), version: q.revision(),
    state: q.enum(["open", "done"]).default("open"), kind: q.text(),
    orderId: q.text().references(() => orders.id),
  },
  guards: false, realtime: true,
  read: { access: { roles: ${ROLES} } },
  upsert: { access: { roles: ${ROLES} } },
});
`,
  "quickback/features/field/notices.ts": `import { feature, q } from "quickback";
import orders from "./orders.ts";
export default feature("notices", {
  columns: {
    organizationId: q.scope("organization"), text: q.text(),
    orderId: q.text().references(() => orders.id),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "order", where: { crew: { none: { userId: "$ctx.userId" } } } },
  ],
  guards: false,
  read: { access: { roles: ["PUBLIC"] } },
  upsert: { access: { roles: ${ROLES} } },
});
`,
  ...Object.fromEntries(
    Object.entries({
      // Its own move may take away what its rule asks for.
      close: [`access: { roles: ${ROLES}, record: ${OPEN_TASK} }`, ""],
      finish: [
        `access: { roles: ${ROLES}, record: { order: { assigneeId: "$ctx.userId" } } }`,
        ', guard: { kind: { equals: "free" } }',
      ],
    }).map(([name, [access, guard]]) => [
      `quickback/features/field/actions/tasks/${name}.ts`,
      `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Move it",
  input: z.object({}),
  ${access},
  transition: { field: "state", fromTo: { open: ["done"] }, to: "done"${guard} },
});
`,
    ]),
  ),
  "quickback/features/field/actions/items/sweep.ts": `import { defineAction, z } from "quickback";
import { items } from "../../schema";
export default defineAction({
  description: "Read all",
  path: "/sweep",
  input: z.object({}),
  access: { roles: ["technician"] },
  execute: async ({ db }) => ({ seen: (await db.select({ id: items.id }).from(items)).length }),
});
`,
};

/** What was asked, what was answered, and what must be. */
export interface Seen {
  readonly what: string;
  readonly answered: unknown;
  readonly wanted: unknown;
}

interface Walk {
  readonly api: RealtimeUnderTest;
  readonly see: (what: string, answered: unknown, wanted: unknown) => void;
}

/** What was seen that must not be so, on the way or where the walk could not go on. */
export async function wrongOnWalk(api: RealtimeUnderTest): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  try {
    await walkScenario(api, seen);
  } catch (error) {
    seen.push({ what: "the way", answered: String(error), wanted: "open" });
  }
  return seen.filter(({ answered, wanted }) => JSON.stringify(answered) !== JSON.stringify(wanted));
}

async function walkScenario(api: RealtimeUnderTest, seen: Seen[]): Promise<void> {
  const see: Walk["see"] = (what, answered, wanted) => void seen.push({ what, answered, wanted });
  const walk = { api, see };
  await fillField(api);
  await make(api, "crew", { id: "crew_lost", userId: "tina" });
  await run(api, "UPDATE orders SET deleted_at = '2026-01-01T00:00:00.000Z' WHERE id = 'gone'");
  await run(
    api,
    "INSERT INTO items (id, organization_id, order_id, version, created_at, modified_at) " +
      "VALUES ('item_alien', 'org_a', 'foreign', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
  );
  await reads(walk);
  await singleWrites(walk);
  await batches(walk);
  await moves(walk);
  await files(walk);
  await cascades(walk);
  await masks(walk);
  await frames(walk);
}

async function run({ database }: ApiUnderTest, sql: string): Promise<void> {
  await database.write((transaction) => transaction.run({ sql, args: [] }));
}

async function code(api: ApiUnderTest, path: string, ask: Ask): Promise<string> {
  const { status, body } = await api.ask(path, ask);
  return status < 400 ? "ok" : String(body["code"]);
}

const HIDDEN = "FIREWALL_NOT_FOUND";
const FAILED = "ACCESS_CONDITION_FAILED";
const STATE = "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE";
const patch = (as: Claims, body: unknown, headers: Ask["headers"] = {}): Ask => ({
  method: "PATCH",
  as,
  body,
  headers,
});

async function reads({ api, see }: Walk): Promise<void> {
  see("list of an assignee", await listed(api, "items", TOM), ["item_toms"]);
  see("list of another", await listed(api, "items", TINA), ["item_tinas"]);
  see("list of a dispatcher", await listed(api, "items", DISPATCHER), [
    "item_alien",
    "item_free",
    "item_gone",
    "item_null",
    "item_tinas",
    "item_toms",
  ]);
  for (const id of ["item_tinas", "item_null", "item_alien", "item_gone", "item_foreign"]) {
    see(`single ${id}`, await code(api, `items/${id}`, { as: TOM }), HIDDEN);
  }
  see("single of an assignee", await code(api, "items/item_toms", { as: TOM }), "ok");
  const { body } = await api.ask("items/views/counted", { as: TOM });
  see("numbers", body["aggregations"], { all: 1 });
  const keys = "items?id.in=item_toms,item_tinas,item_alien,item_gone";
  see("list of named rows", await listed(api, keys, TOM), ["item_toms"]);
  for (const orderId of ["toms", "tinas"]) {
    await make(api, "crew", { id: `crew_${orderId}`, userId: "dora", orderId });
    await make(api, "visits", { id: `visit_${orderId}`, orderId });
    await api.ask(`crew/crew_${orderId}`, { method: "DELETE", as: DISPATCHER });
    await make(api, "audits", { id: `audit_${orderId}`, orderId });
    await make(api, "notices", { id: `notice_${orderId}`, orderId });
  }
  see("some of the crew", await listed(api, "visits", TINA), ["visit_toms"]);
  see("none of the crew", await listed(api, "audits", TINA), ["audit_tinas"]);
  see("none, for others", await listed(api, "audits", TOM), ["audit_tinas", "audit_toms"]);
  see("single some", await code(api, "visits/visit_toms", { as: TOM }), HIDDEN);
  see("single none", await code(api, "audits/audit_toms", { as: TINA }), HIDDEN);
  const nobody = await api.ask("notices?organizationId=org_a", {});
  see("none, for nobody", nobody.body["data"], []);
  see("none, for a member", (await listed(api, "notices", TOM)).length, 2);
  await make(api, "parts", { id: "part_toms", itemId: "item_toms" });
  see("through alone", await listed(api, "parts", TINA), []);
  see("through alone, of an assignee", await listed(api, "parts", TOM), ["part_toms"]);
  const swept = await api.ask("sweep", { as: TOM, body: {} });
  see("handler's reads", swept.body["seen"], 1);
  // By one that the caller may not see, a moved order of a past state tells nothing.
  const past = await api.ask("items/item_toms/history", { as: TINA });
  see("history", past.body["code"], HIDDEN);
}

async function singleWrites({ api, see }: Walk): Promise<void> {
  const put = (orderId: string): Ask => ({ method: "PUT", as: TOM, body: { orderId } });
  see(
    "create",
    await code(api, "items", { as: TOM, body: { id: "n1", orderId: "tinas" } }),
    HIDDEN,
  );
  see("update", await code(api, "items/item_toms", patch(TOM, { orderId: "tinas" })), HIDDEN);
  see("PUT of a new one", await code(api, "items/n2", put("tinas")), HIDDEN);
  see("PUT over an old one", await code(api, "items/item_toms", put("tinas")), HIDDEN);
  see("PUT over a hidden one", await code(api, "items/item_tinas", put("toms")) === "ok", false);
  for (const [at, headers] of [{ "idempotency-key": "k" }, { "if-match": "*" }].entries()) {
    const name = at === 0 ? "keyed" : "conditional";
    const moved = patch(
      TOM,
      { orderId: "tinas" },
      at === 0 ? { "idempotency-key": "k1" } : headers,
    );
    see(`${name} update`, await code(api, "items/item_toms", moved), HIDDEN);
    if (at === 1) continue;
    const again = await api.ask("items/item_toms", moved);
    see("keyed update, again", again.body["code"], HIDDEN);
    const created = {
      as: TOM,
      body: { id: "n3", orderId: "tinas" },
      headers: { "idempotency-key": "k2" },
    };
    see("keyed create", await code(api, "items", created), HIDDEN);
    const kept = { ...patch(TOM, { note: "kept" }), headers: { "idempotency-key": "k3" } };
    see("keyed update of one's own", await code(api, "items/item_toms", kept), "ok");
  }
  see(
    "row condition, create",
    await code(api, "notes", { as: TOM, body: { id: "o1", orderId: "tinas" } }),
    FAILED,
  );
  await make(api, "notes", { id: "note_1", orderId: "toms" }, TOM);
  see(
    "row condition, update",
    await code(api, "notes/note_1", patch(TOM, { orderId: "tinas" })),
    FAILED,
  );
  see(
    "row condition, of another",
    await code(api, "notes/note_1", patch(TINA, { text: "n" })),
    FAILED,
  );
  see(
    "row condition, keyed",
    await code(api, "notes/note_1", patch(TOM, { orderId: "free" }, { "idempotency-key": "k4" })),
    FAILED,
  );
  see("nothing was kept", await listed(api, "items?limit=100", TINA), ["item_tinas"]);
  const operations = [
    { resource: "items", op: "update", id: "item_toms", data: { note: "c" } },
    { resource: "items", op: "update", id: "item_toms", data: { orderId: "tinas" } },
  ];
  see("changeset", await code(api, "changeset", { as: TOM, body: { operations } }), HIDDEN);
}

async function batches({ api, see }: Walk): Promise<void> {
  for (const method of ["POST", "PATCH", "PUT"]) {
    const id = method === "POST" ? `b_${method}` : "item_toms";
    const records = [{ id, orderId: "tinas" }, {
      id: method === "POST" ? "b_own" : "b_own",
      orderId: "toms",
    }];
    const headers = method === "PATCH" ? { "idempotency-key": "batch" } : {};
    const { body } = await api.ask("items/batch", { method, as: TOM, body: { records }, headers });
    const errors = Array.isArray(body["errors"]) ? body["errors"] : [];
    see(
      `batch ${method}`,
      errors.map((one) => isRecord(one) && isRecord(one["error"]) ? one["error"]["code"] : one),
      [HIDDEN],
    );
  }
  see("batches kept the others", await listed(api, "items", TOM), ["b_own", "item_toms"]);
}

async function moves({ api, see }: Walk): Promise<void> {
  const task = (id: string, orderId: string, kind = "free") =>
    make(api, "tasks", { id, orderId, kind });
  await task("t1", "toms");
  const act = (path: string, as: Claims, body: unknown = {}) =>
    code(api, `tasks/${path}`, { as, body });
  see("transition of another", await act("t1/finish", TINA), STATE);
  see("transition", await act("t1/finish", TOM), "ok");
  await task("t2", "toms", "bound");
  see("transition behind a guard", await act("t2/finish", TOM), STATE);
  see("transition that ends its own right", await act("t2/close", TOM), STATE);
  await task("t3", "toms");
  see("transition that leaves its right", await act("t2/close", TOM), "ok");
  await task("t4", "tinas");
  await task("t5", "tinas");
  const bulk = await api.ask("tasks/batch/close", {
    as: TOM,
    body: { ids: ["t4", "t5"], input: {} },
  });
  const meta = bulk.body["meta"];
  see("bulk transition", isRecord(meta) && [meta["succeeded"], meta["failed"]], [1, 1]);
  const finished = await api.ask("tasks/batch/finish", {
    as: TOM,
    body: { ids: ["t3", "t5"], input: {} },
  });
  const counts = finished.body["meta"];
  see(
    "bulk transition by another's order",
    isRecord(counts) && [counts["succeeded"], counts["failed"]],
    [1, 1],
  );
  const keyed = { as: TOM, body: {}, headers: { "idempotency-key": "act" } };
  see("keyed transition", await code(api, "tasks/t5/close", keyed), STATE);
}

const PNG = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

async function files({ api, see }: Walk): Promise<void> {
  const asked = { method: "PUT", size: PNG.length, type: "image/png", name: "a.png" };
  await make(api, "items", { id: "filed", orderId: "toms" });
  const presign = async (id: string, as: Claims) =>
    await api.ask(`items/${id}/photo/presign`, { method: "POST", as, body: asked });
  see("address for another's", (await presign("item_tinas", TOM)).body["code"], HIDDEN);
  const given = await presign("filed", TOM);
  const { pathname } = new URL(String(given.body["url"]));
  const sent = await api.ask(pathname, {
    method: "PUT",
    body: PNG,
    headers: { "content-type": "image/png" },
  });
  see("upload to an address", sent.status < 300, true);
  const confirm = (as: Claims): Ask => ({
    method: "PUT",
    as,
    body: { upload: given.body["upload"] },
  });
  await api.ask("orders/toms", patch(DISPATCHER, { assigneeId: "tina" }));
  see(
    "confirmation after the order moved",
    await code(api, "items/filed/photo", confirm(TOM)),
    HIDDEN,
  );
  const put = { method: "PUT", as: TOM, body: PNG, headers: { "content-type": "image/png" } };
  see("file after the order moved", await code(api, "items/filed/photo", put), HIDDEN);
  await api.ask("orders/toms", patch(DISPATCHER, { assigneeId: "tom" }));
  see("confirmation", await code(api, "items/filed/photo", confirm(TOM)), "ok");
  await api.ask("orders/toms", patch(DISPATCHER, { assigneeId: "tina" }));
  see("file of an order that moved", await code(api, "items/filed/photo", { as: TOM }), HIDDEN);
  await api.ask("orders/toms", patch(DISPATCHER, { assigneeId: "tom" }));
}

async function cascades({ api, see }: Walk): Promise<void> {
  await make(api, "orders", { id: "fresh", assigneeId: "tom" });
  await make(api, "items", { id: "item_fresh", orderId: "fresh" });
  await api.ask("orders/fresh", { method: "DELETE", as: TOM });
  const stamped = await api.database.run({
    sql: "SELECT deleted_at IS NOT NULL FROM items WHERE id = 'item_fresh'",
    args: [],
  });
  see("children go with their parent", stamped.rows[0]?.[0], 1);
  await api.ask("orders/fresh/restore", { method: "POST", as: TOM });
  see("children come back", await code(api, "items/item_fresh", { as: TOM }), "ok");
  await api.ask("notes/note_1", { method: "DELETE", as: TOM });
  const restore = (as: Claims) => code(api, "notes/note_1/restore", { method: "POST", as });
  see("restore by another", await restore(TINA), FAILED);
  see("restore", await restore(TOM), "ok");
}

async function masks({ api, see }: Walk): Promise<void> {
  await make(api, "keys", { id: "key_toms", orderId: "toms", code: "1234" });
  await make(api, "copies", { id: "copy", keyId: "key_toms" });
  const read = async (path: string, as: Claims) => (await api.ask(path, { as })).body;
  const hidden = "[REDACTED]";
  see("mask, of an assignee", (await read("keys/key_toms", TOM))["code"], "1234");
  see("mask", (await read("keys/key_toms", TINA))["code"], hidden);
  see("mask of a label", (await read("copies/copy", TINA))["key_label"], hidden);
  see("mask of a file", await code(api, "keys/key_toms/file", { as: TINA }), "FIELD_MASKED");
  const told = async (as: Claims) =>
    (await api.ask("keys/key_toms/history", { as })).text.includes("1234");
  see("mask of a history", [await told(TOM), await told(TINA)], [true, false]);
  const tag = async () => (await api.ask("keys/key_toms", { as: TOM })).headers.get("etag");
  const first = await tag();
  await api.ask("orders/toms", patch(DISPATCHER, { assigneeId: "tina" }));
  see("tag of what is shown", first === await tag(), false);
  see("history after the order moved", await told(TOM), false);
  await api.ask("orders/toms", patch(DISPATCHER, { assigneeId: "tom" }));
  // What a state said while the row did not show it stays hidden.
  await make(api, "keys", { id: "key_past", orderId: "tinas", code: "5555" });
  await api.ask("keys/key_past", patch(DISPATCHER, { orderId: "toms", code: "6666" }));
  const past = (await api.ask("keys/key_past/history", { as: TOM })).text;
  see("history of another's past", [past.includes("6666"), past.includes("5555")], [true, false]);
}

/** The next frame that is there by now, in short. */
async function heard(one: Listener): Promise<string> {
  const { data } = await one.next();
  const code = isRecord(data["data"]) ? data["data"]["code"] : undefined;
  return [data["type"], data["id"], ...(code === undefined ? [] : [code])].join(" ");
}

async function frames({ api, see }: Walk): Promise<void> {
  const search = "?resources=items,keys,tasks";
  const listen = (as: Claims) => api.listen(as, { search });
  const [tom, tina, stranger] = [await listen(TOM), await listen(TINA), await listen(STRANGER)];
  // Everybody of the organization hears of it, so that nobody waits for what does not come.
  let marks = 0;
  const since = async (one: Listener): Promise<readonly string[]> => {
    const id = `mark_${++marks}`;
    await make(api, "tasks", { id, kind: id });
    const all: string[] = [];
    for (let text = await heard(one); !text.endsWith(id); text = await heard(one)) {
      if (!text.includes(" mark_")) all.push(text);
    }
    return all.toSorted();
  };
  await make(api, "items", { id: "told", orderId: "toms" });
  see("frame of a new row", await since(tom), ["record.created told"]);
  see("frame that others do not get", await since(tina), []);
  await api.ask("orders/toms", patch(DISPATCHER, { assigneeId: "tina" }));
  const own = ["b_own", "filed", "item_toms", "told"];
  // Of what stays in sight a mask is closed for one, and lifted for the other.
  const keys = (code: (plain: string) => string) =>
    [["key_past", "6666"], ["key_toms", "1234"]].map(([id, plain = ""]) =>
      `record.updated ${id} ${code(plain)}`
    );
  const gone = [...own.map((id) => `record.deleted ${id}`), ...keys(() => "[REDACTED]")];
  see("frames of what is gone", await since(tom), gone.toSorted());
  const come = [...own.map((id) => `record.updated ${id}`), ...keys((plain) => plain)];
  see("frames of what has come", await since(tina), come.toSorted());
  await api.ask("items/told", patch(DISPATCHER, { note: "z" }));
  see("frame after the right is gone", await since(tom), []);
  see("frame after the right has come", await since(tina), ["record.updated told"]);
  await make(api, "keys", { id: "key_told", orderId: "toms", code: "99" });
  see("frame with a mask", await since(tom), ["record.created key_told [REDACTED]"]);
  see("frame without a mask", await since(tina), ["record.created key_told 99"]);
  await api.ask("items/told", patch(DISPATCHER, { orderId: "free" }));
  see("frame of a row that left", await since(tina), ["record.deleted told"]);
  await make(api, "tasks", { id: "mark_s", kind: "s" }, STRANGER);
  see("frames of another tenant", await heard(stranger), "record.created mark_s");
}
