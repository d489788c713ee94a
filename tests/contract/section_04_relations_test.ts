/** Rules that follow relations, in every read and on written rows as they are and as they will be (definitions 4.1, 4.2). */
import { assert, assertEquals } from "@std/assert";
import {
  type ApiUnderTest,
  type Ask,
  type Claims,
  isRecord,
  withDefinitions,
} from "../support/api.ts";
import {
  DISPATCHER,
  FIELD,
  fillField,
  listed,
  make,
  STRANGER,
  TINA,
  TOM,
} from "../support/field_project.ts";

function withField(body: (api: ApiUnderTest) => Promise<void>): Promise<void> {
  return withDefinitions(FIELD, async (api) => {
    await fillField(api);
    await body(api);
  });
}

async function answer(api: ApiUnderTest, path: string, ask: Ask): Promise<string> {
  const { status, body } = await api.ask(path, ask);
  return status < 400 ? String(status) : `${status} ${body["code"]}`;
}

const change = (as: Claims, body: unknown): Ask => ({ method: "PATCH", as, body });

Deno.test("a list, its total, its numbers and its search hold what the relation lets through", () =>
  withField(async (api) => {
    assertEquals(await listed(api, "items", DISPATCHER), [
      "item_free",
      "item_gone",
      "item_null",
      "item_tinas",
      "item_toms",
    ]);
    await api.ask("orders/gone", { method: "DELETE", as: DISPATCHER });
    assertEquals(await listed(api, "items", TOM), ["item_toms"]);
    assertEquals(await listed(api, "items?search=item", TINA), ["item_tinas"]);
    const { body } = await api.ask("items?total=true", { as: TOM });
    assert(isRecord(body["pagination"]));
    assertEquals(body["pagination"]["total"], 1);
    const counted = await api.ask("items/views/counted", { as: TINA });
    assertEquals(counted.body["aggregations"], { all: 1 });
    const where = encodeURIComponent(JSON.stringify({ order: { status: "open" } }));
    assertEquals(await listed(api, `items?where=${where}`, TOM), ["item_toms"]);
    assertEquals(await listed(api, "items?id.in=item_toms,item_tinas", TOM), ["item_toms"]);
    assertEquals(await listed(api, "items?sort=-amount&limit=1", TOM), ["item_toms"]);
    assertEquals(await listed(api, "items", STRANGER), ["item_foreign"]);
  }));

Deno.test("one record, its history, file and children answer as their list does", () =>
  withField(async (api) => {
    for (
      const [id, expected] of [
        ["item_toms", "200"],
        ["item_tinas", "403 FIREWALL_NOT_FOUND"],
        ["item_null", "403 FIREWALL_NOT_FOUND"],
        ["item_foreign", "403 FIREWALL_NOT_FOUND"],
      ] as const
    ) {
      assertEquals(await answer(api, `items/${id}`, { as: TOM }), expected, id);
      assertEquals(await answer(api, `items/${id}/history`, { as: TOM }), expected, id);
    }
    assertEquals(
      await answer(api, "items/item_tinas/photo", { as: TOM }),
      "403 FIREWALL_NOT_FOUND",
    );
    // What the order's assignee may see moves with the order, on the next request.
    await api.ask("orders/tinas", change(DISPATCHER, { assigneeId: "tom" }));
    assertEquals(await answer(api, "items/item_tinas", { as: TOM }), "200");
    assertEquals(await answer(api, "items/item_tinas", { as: TINA }), "403 FIREWALL_NOT_FOUND");
    assertEquals(await listed(api, "items", TINA), []);
  }));

/** The same with ids that the service makes, which no other row ever has again. */
const MADE_IDS = Object.fromEntries(
  Object.entries(FIELD).map(([path, text]) => [
    path,
    text.replace("generateId: false", 'generateId: "prefixed"').replace(/^ +upsert: .*$/m, ""),
  ]),
);

Deno.test("a kept answer and a tag never outlive the right", () =>
  withDefinitions(MADE_IDS, async (api) => {
    const made = async (resource: string, body: unknown) =>
      String((await api.ask(resource, { as: DISPATCHER, body })).body["id"]);
    const orderId = await made("orders", { assigneeId: "tom" });
    const id = await made("items", { orderId, note: "kept" });
    const first = await api.ask(`items/${id}`, { as: TOM });
    const tag = first.headers.get("etag") ?? "";
    const again = () => answer(api, `items/${id}`, { as: TOM, headers: { "if-none-match": tag } });
    assertEquals(await again(), "304");
    await api.ask(`orders/${orderId}`, change(DISPATCHER, { assigneeId: "tina" }));
    assertEquals(await again(), "403 FIREWALL_NOT_FOUND");
  }));

Deno.test("through alone goes on through the other table's own rule", () =>
  withField(async (api) => {
    await make(api, "parts", { id: "part_toms", name: "Bolt", itemId: "item_toms" });
    await make(api, "parts", { id: "part_null", name: "Nut", itemId: "item_null" });
    assertEquals(await listed(api, "parts", TOM), ["part_toms"]);
    assertEquals(await listed(api, "parts", TINA), []);
    assertEquals(await listed(api, "parts", DISPATCHER), ["part_null", "part_toms"]);
    assertEquals(await answer(api, "parts/part_toms", { as: TINA }), "404 NOT_FOUND");
  }));

Deno.test("some is true where a row is there, none where no row is, and a missing parent is neither", () =>
  withField(async (api) => {
    for (const orderId of ["toms", "tinas"]) {
      await make(api, "crew", { id: `crew_d_${orderId}`, userId: "dora", orderId });
      await make(api, "visits", { id: `visit_${orderId}`, orderId });
      await api.ask(`crew/crew_d_${orderId}`, { method: "DELETE", as: DISPATCHER });
      await make(api, "audits", { id: `audit_${orderId}`, orderId });
    }
    assertEquals(await listed(api, "visits", TINA), ["visit_toms"]);
    assertEquals(await listed(api, "audits", TINA), ["audit_tinas"]);
    assertEquals(await listed(api, "visits", TOM), []);
    assertEquals(await listed(api, "audits", TOM), ["audit_tinas", "audit_toms"]);
    const lost = await answer(api, "audits/lost", { method: "PUT", as: TOM, body: {} });
    assertEquals(lost, "403 FIREWALL_NOT_FOUND");
  }));

const WRITES: readonly (readonly [orderId: string | null, expected: string])[] = [
  ["toms", "ok"],
  ["tinas", "403 FIREWALL_NOT_FOUND"],
  ["free", "403 FIREWALL_NOT_FOUND"],
  [null, "403 FIREWALL_NOT_FOUND"],
  ["foreign", "400 VALIDATION_ERROR"],
  ["gone", "400 VALIDATION_ERROR"],
];

Deno.test("a create, an update, a PUT and each record of a batch are judged as they will be", () =>
  withField(async (api) => {
    await api.ask("orders/gone", { method: "DELETE", as: DISPATCHER });
    const ok = (text: string) => /^20\d$/.test(text) ? "ok" : text;
    for (const [at, [orderId, expected]] of WRITES.entries()) {
      const asked = `an order ${orderId}`;
      const created = await answer(api, "items", { as: TOM, body: { id: `new_${at}`, orderId } });
      assertEquals(ok(created), expected, `create: ${asked}`);
      const put = { method: "PUT", as: TOM, body: { orderId, note: "put" } };
      assertEquals(ok(await answer(api, `items/put_${at}`, put)), expected, `PUT: ${asked}`);
      assertEquals(ok(await answer(api, "items/item_toms", put)), expected, `PUT over: ${asked}`);
      const patched = await answer(api, "items/item_toms", change(TOM, { orderId, note: "x" }));
      assertEquals(ok(patched), expected, `update: ${asked}`);
      for (const method of ["POST", "PATCH", "PUT"]) {
        await make(api, "items", { id: "item_b", orderId: "toms" });
        const id = method === "POST" ? `batch_${at}` : "item_b";
        const good = method === "POST" ? `batch_good_${at}` : "item_toms";
        const records = [{ id, orderId }, { id: good, orderId: "toms", note: method }];
        const { body, status } = await api.ask("items/batch", {
          method,
          as: TOM,
          body: { records },
        });
        const errors = Array.isArray(body["errors"]) ? body["errors"] : [];
        const [error] = errors.map((one) =>
          isRecord(one) && isRecord(one["error"]) ? one["error"]["code"] : null
        );
        assertEquals(error ?? "ok", expected.replace(/^\d+ /, ""), `${method}: ${asked}`);
        assertEquals(status === 207, expected !== "ok", `${method}: ${asked}`);
        const { body: kept } = await api.ask(`items/${good}`, { as: TOM });
        assertEquals(kept["note"], method, `${method} keeps the other record: ${asked}`);
        if (at > 1) continue;
        const stopped = {
          method,
          as: TOM,
          body: {
            records: [{ id: good, orderId: "toms", note: "no" }, { id, orderId }].map((one) =>
              method === "POST" ? { ...one, id: `${one.id}_f` } : one
            ),
            options: { failFast: true },
          },
        };
        const whole = await answer(api, "items/batch", stopped);
        assertEquals(
          ok(whole),
          expected === "ok" ? "ok" : "400 BATCH_FAIL_FAST_STOPPED",
          `${method} failFast: ${asked}`,
        );
      }
    }
    // Nothing of what was refused is there.
    const found = await listed(api, "items?limit=100", DISPATCHER);
    assertEquals(
      found.filter((id) => /^(new|put|batch)_/.test(id)),
      [
        "batch_0",
        "batch_0_f",
        ...WRITES.flatMap((_, at) =>
          at === 0 ? ["batch_good_0", "batch_good_0_f"] : [`batch_good_${at}`]
        ),
        "new_0",
        "put_0",
      ].sort(),
    );
  }));

Deno.test("a row condition with a relation binds every verb, before and after", () =>
  withField(async (api) => {
    const failed = "403 ACCESS_CONDITION_FAILED";
    const created = (orderId: string | null, id: string) =>
      answer(api, "notes", { as: TOM, body: { id, orderId, text: id } });
    assertEquals(await created("toms", "note_1"), "201");
    assertEquals(await created("tinas", "note_2"), failed);
    assertEquals(await created(null, "note_3"), failed);
    assertEquals(await answer(api, "notes/note_1", { as: TINA }), failed);
    assertEquals(await listed(api, "notes", TINA), []);
    assertEquals(await listed(api, "notes", TOM), ["note_1"]);
    assertEquals(await answer(api, "notes/note_1", change(TOM, { orderId: "tinas" })), failed);
    assertEquals(await answer(api, "notes/note_1", change(TINA, { text: "no" })), failed);
    assertEquals(await answer(api, "notes/note_1", change(TOM, { text: "yes" })), "200");
    const put = { method: "PUT", as: TOM, body: { orderId: "free" } };
    assertEquals(await answer(api, "notes/note_1", put), failed);
    assertEquals(await answer(api, "notes/note_1", { method: "DELETE", as: TINA }), failed);
    assertEquals(await answer(api, "notes/note_1", { method: "DELETE", as: TOM }), "200");
    const restored = (as: Claims) => answer(api, "notes/note_1/restore", { method: "POST", as });
    assertEquals(await restored(TINA), failed);
    await api.ask("orders/toms", change(DISPATCHER, { assigneeId: "tina" }));
    assertEquals(await restored(TOM), failed);
    assertEquals(await restored(TINA), "200");
  }));

Deno.test("children are chosen before their parent is stamped, and come back with it", () =>
  withField(async (api) => {
    await make(api, "items", { id: "item_2", orderId: "toms" });
    const remove = (as: Claims) => api.ask("orders/toms", { method: "DELETE", as });
    assertEquals((await remove(TOM)).status, 200);
    assertEquals((await listed(api, "items", DISPATCHER)).filter((id) => /toms|_2/.test(id)), []);
    const { status } = await api.ask("orders/toms/restore", { method: "POST", as: TOM });
    assertEquals(status, 200);
    assertEquals(await listed(api, "items", TOM), ["item_2", "item_gone", "item_toms"]);
  }));

Deno.test("a changeset judges each operation on what those before it left", () => {
  const files = {
    ...FIELD,
    "quickback/quickback.config.ts": (FIELD["quickback/quickback.config.ts"] ?? "")
      .replace('name: "field",', 'name: "field", contract: { changeset: true },'),
  };
  return withDefinitions(files, async (api) => {
    await fillField(api);
    const ask = (operations: readonly unknown[], as: Claims) =>
      answer(api, "changeset", { as, body: { operations } });
    const assign = {
      resource: "orders",
      op: "update",
      id: "tinas",
      data: { assigneeId: "tom" },
    };
    const create = {
      resource: "items",
      op: "create",
      data: { id: "item_c", orderId: "tinas" },
    };
    assertEquals(await ask([create, assign], TOM), "403 FIREWALL_NOT_FOUND");
    assertEquals(await ask([assign, create], TOM), "200");
    assertEquals(await answer(api, "items/item_c", { as: TOM }), "200");
    assertEquals(await answer(api, "items/item_c", { as: TINA }), "403 FIREWALL_NOT_FOUND");
  });
});

Deno.test("of two requests that race for the parent and the child one is told", () =>
  withField(async (api) => {
    const moved = api.ask("orders/toms", change(DISPATCHER, { assigneeId: "tina" }));
    const created = api.ask("items", { as: TOM, body: { id: "item_r", orderId: "toms" } });
    const [first, second] = await Promise.all([moved, created]);
    assertEquals(first.status, 200);
    const isThere = (await listed(api, "items", DISPATCHER)).includes("item_r");
    assertEquals(isThere, second.status === 201);
    assertEquals(await answer(api, "items/item_r", { as: TOM }), "403 FIREWALL_NOT_FOUND");
  }));

Deno.test("a mask is lifted on the rows whose relation says so, in every read and in its tag", () =>
  withDefinitions(MADE_IDS, async (api) => {
    const made = async (resource: string, body: unknown, as = DISPATCHER) =>
      String((await api.ask(resource, { as, body })).body["id"]);
    const toms = await made("orders", { assigneeId: "tom" });
    const tinas = await made("orders", { assigneeId: "tina" });
    const mine = await made("keys", { orderId: toms, code: "1234", title: "a" });
    const hers = await made("keys", { orderId: tinas, code: "5678", title: "b" });
    const own = await made("keys", { orderId: tinas, code: "9999", title: "c" }, TOM);
    const codes = async (path: string, as: Claims) => {
      const { body } = await api.ask(path, { as });
      const data = Array.isArray(body["data"]) ? body["data"] : [];
      return data.map((one) => isRecord(one) ? one["code"] ?? one["key_label"] : null);
    };
    const hidden = "[REDACTED]";
    assertEquals(await codes("keys?sort=title", TOM), ["1234", hidden, "9999"]);
    assertEquals(await codes("keys?sort=title", TINA), [hidden, "5678", "9999"]);
    assertEquals(await codes("keys?sort=title", DISPATCHER), ["1234", "5678", "9999"]);
    const read = async (id: string, as: Claims, headers = {}) => {
      const { status, body, headers: sent } = await api.ask(`keys/${id}`, { as, headers });
      return { status, code: body["code"], tag: sent.get("etag") ?? "" };
    };
    const seen = await read(mine, TOM);
    assertEquals([seen.code, (await read(hers, TOM)).code, (await read(own, TOM)).code], [
      "1234",
      hidden,
      "9999",
    ]);
    assert(/^"1-.+"$/.test(seen.tag), seen.tag);
    const kept = { "if-none-match": seen.tag };
    assertEquals((await read(mine, TOM, kept)).status, 304);
    // Labels are masked as the record is.
    await made("copies", { keyId: mine });
    assertEquals(await codes("copies", TOM), ["1234"]);
    assertEquals(await codes("copies", TINA), [hidden]);
    // Its history under the masks of today; nobody asks by it.
    const history = async (as: Claims) => (await api.ask(`keys/${mine}/history`, { as })).text;
    assertEquals([(await history(TOM)).includes("1234"), (await history(TINA)).includes("1234")], [
      true,
      false,
    ]);
    for (const asked of ["code=1234", "sort=code", "search=1234&fields=code", "code.like=1"]) {
      const { status, body } = await api.ask(`keys?${asked}`, { as: TOM });
      const data = Array.isArray(body["data"]) ? body["data"].length : 0;
      assert(status === 400 || data === 0, `${asked}: ${status}`);
    }
    assertEquals(await answer(api, `keys/${hers}/file`, { as: TOM }), "403 FIELD_MASKED");
    assertEquals(await answer(api, `keys/${mine}/file`, { as: TOM }), "404 FILE_NOT_FOUND");
    // The order moves: the copy is over, and what is read is masked.
    await api.ask(`orders/${toms}`, change(DISPATCHER, { assigneeId: "tina" }));
    assertEquals(await read(mine, TOM, kept).then(({ status, code }) => [status, code]), [
      200,
      hidden,
    ]);
    assertEquals((await read(mine, TINA)).code, "1234");
    // A tag of the revision is one for a write, whatever is shown.
    const written = await api.ask(`keys/${mine}`, {
      ...change(TINA, { title: "z" }),
      headers: { "if-match": seen.tag },
    });
    assertEquals([written.status, written.body["code"]], [200, "1234"]);
  }));

Deno.test("a file is put, read and removed where its record's relation lets its caller, by now", () =>
  withField(async (api) => {
    const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
    const put = (id: string, as: Claims) =>
      answer(api, `items/${id}/photo`, {
        method: "PUT",
        as,
        body: png,
        headers: { "content-type": "image/png" },
      });
    const hidden = "403 FIREWALL_NOT_FOUND";
    assertEquals([await put("item_toms", TOM), await put("item_tinas", TOM)], ["200", hidden]);
    assertEquals(await answer(api, "items/item_toms/photo", { as: TOM }), "200");
    await api.ask("orders/toms", change(DISPATCHER, { assigneeId: "tina" }));
    assertEquals(await put("item_toms", TOM), hidden);
    const path = "items/item_toms/photo";
    assertEquals(await answer(api, path, { as: TOM }), hidden);
    assertEquals(await answer(api, path, { method: "DELETE", as: TOM }), hidden);
    assertEquals(await answer(api, path, { as: TINA }), "200");
  }));
