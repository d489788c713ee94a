/** Batches: envelope, statuses, fail-fast and what each verb does (contract 2.6, 4.1 rules 6 and 7). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Statement } from "../../shared/runtime/ports.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Claims,
  isRecord,
  withDefinitions,
} from "../support/api.ts";
import { DRIVERS } from "../support/databases.ts";
import { limiterOf } from "../support/limiter.ts";
import { SHOP } from "../support/shop.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const clerk: Claims = { sub: "user_2", orgId: "org_1", roles: ["clerk"] };
const stranger: Claims = { sub: "user_3", orgId: "org_2", roles: ["admin"] };

type Json = Readonly<Record<string, unknown>>;

function list(value: unknown): readonly Json[] {
  assert(Array.isArray(value), `No list: ${JSON.stringify(value)}`);
  return value.filter(isRecord);
}

const success = ({ body }: Answer) => list(body["success"]);
const errors = ({ body }: Answer) => list(body["errors"]);

/** `index code` of every error item. */
function refused(answer: Answer): readonly string[] {
  return errors(answer).map(({ index, error }) =>
    `${index} ${isRecord(error) ? error["code"] : error}`
  );
}

function batch(
  api: ApiUnderTest,
  method: string,
  resource: string,
  body: unknown,
  as: Claims = admin,
): Promise<Answer> {
  return api.ask(`${resource}/batch`, { method, as, body });
}

async function add(api: ApiUnderTest, path: string, body: unknown, as = admin): Promise<string> {
  const answer = await api.ask(path, { as, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function count(api: ApiUnderTest, path: string): Promise<unknown> {
  const { body } = await api.ask(`${path}?total=true`, { as: admin });
  return isRecord(body["pagination"]) ? body["pagination"]["total"] : null;
}

Deno.test("a batch create answers 201 with the records in order and a meta of five keys", async () => {
  await withDefinitions(SHOP, async (api) => {
    const answer = await batch(api, "POST", "customers", {
      records: [{ name: "Ada" }, { name: "Ben", plan: "gold" }, { name: "Cid" }],
    });
    assertEquals(answer.status, 201);
    assertEquals(answer.headers.get("content-type"), "application/json");
    assertEquals(success(answer).map(({ name, plan }) => [name, plan]), [
      ["Ada", "free"],
      ["Ben", "gold"],
      ["Cid", "free"],
    ]);
    assertEquals(new Set(success(answer).map(({ createdAt }) => createdAt)).size, 1);
    assertEquals(new Set(success(answer).map(({ id }) => id)).size, 3);
    assertEquals(answer.body["errors"], []);
    assertEquals(answer.body["meta"], {
      total: 3,
      succeeded: 3,
      failed: 0,
      failFast: false,
      transactional: true,
    });
    assertEquals(Object.keys(answer.body), ["success", "errors", "meta"]);
  });
});

Deno.test("a bare list in the place of a batch is told the form of one", async () => {
  await withDefinitions(SHOP, async (api) => {
    const { status, body } = await batch(api, "POST", "customers", [{ name: "Ada" }]);
    assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"]);
    assertMatch(String(body["hint"]), /\{ "records": \[ … \] \}/);
  });
});

Deno.test("a batch create is one insert", async () => {
  const written: Statement[] = [];
  await withDefinitions(SHOP, async (api) => {
    const records = Array.from({ length: 20 }, (_, at) => ({ name: `c${at}` }));
    assertEquals((await batch(api, "POST", "customers", { records })).status, 201);
    assertEquals(written.filter(({ sql }) => /^INSERT INTO \W?customers\W/.test(sql)).length, 1);
  }, {
    wrap: (database) => ({
      ...database,
      write: (body) =>
        database.write((transaction) =>
          body({
            ...transaction,
            run: (statement) => {
              written.push(statement);
              return transaction.run(statement);
            },
          })
        ),
    }),
  });
});

Deno.test("a batch create with refused records answers 207: each by itself, the others are written", async () => {
  await withDefinitions(SHOP, async (api) => {
    await add(api, "customers", { name: "Old", code: "taken" });
    const records = [
      { name: "Ada", code: "a" },
      { name: "x".repeat(21) },
      { name: "Ben", notes: "n" },
      { name: "Cid", code: "taken" },
      { name: "Dot", code: "a" },
      { name: "Eve", createdAt: "x" },
      "none",
      { name: "Fay", code: "f" },
    ];
    const answer = await batch(api, "POST", "customers", { records });
    assertEquals(answer.status, 207);
    assertEquals(answer.headers.get("content-type"), "application/json");
    assertEquals(success(answer).map(({ name }) => name), ["Ada", "Fay"]);
    assertEquals(refused(answer), [
      "1 VALIDATION_ERROR",
      "2 GUARD_FIELD_NOT_CREATEABLE",
      "3 DB_UNIQUE_VIOLATION",
      "4 DB_UNIQUE_VIOLATION",
      "5 GUARD_SYSTEM_MANAGED",
      "6 VALIDATION_ERROR",
    ]);
    assertEquals(errors(answer)[1], {
      index: 2,
      record: records[2],
      error: {
        error: "Field not createable",
        layer: "guards",
        code: "GUARD_FIELD_NOT_CREATEABLE",
        details: { fields: ["notes"] },
        hint: "Leave the fields out; 'guards.createable' lists what may be sent",
      },
    });
    const meta = { total: 8, succeeded: 2, failed: 6, failFast: false, transactional: true };
    assertEquals(answer.body["meta"], meta);
    assertEquals(await count(api, "customers"), 3);
  });
});

Deno.test("a batch in which every record fails is 207 too", async () => {
  await withDefinitions(SHOP, async (api) => {
    const answer = await batch(api, "POST", "customers", { records: [{}, {}] });
    assertEquals([answer.status, refused(answer)], [207, [
      "0 VALIDATION_ERROR",
      "1 VALIDATION_ERROR",
    ]]);
    const meta = { total: 2, succeeded: 0, failed: 2, failFast: false, transactional: true };
    assertEquals(answer.body["meta"], meta);
  });
});

for (const driver of DRIVERS) {
  Deno.test(`fail-fast undoes a whole create on the ${driver.name} driver`, async () => {
    await withDefinitions(SHOP, async (api) => {
      await add(api, "customers", { name: "Old", code: "taken" });
      const answer = await batch(api, "POST", "customers", {
        records: [{ name: "Ada" }, { name: "Ben" }, { name: "Cid", code: "taken" }, {
          name: "Dot",
        }],
        options: { failFast: true },
      });
      assertEquals([answer.status, answer.body["code"]], [400, "BATCH_FAIL_FAST_STOPPED"]);
      assertEquals(answer.headers.get("content-type"), "application/problem+json");
      const details = answer.body["details"];
      assert(isRecord(details));
      assertEquals(details["failedAt"], 2);
      assertEquals(details["reason"], "Value already taken");
      assert(isRecord(details["errorDetails"]));
      assertEquals(details["errorDetails"]["code"], "DB_UNIQUE_VIOLATION");
      assertEquals(details["errorDetails"]["details"], { column: "code" });
      assertMatch(String(answer.body["hint"]), /meta\.transactional/);
      assertEquals(await count(api, "customers"), 1);
    }, { driver });
  });

  Deno.test(`fail-fast undoes a whole update on the ${driver.name} driver`, async () => {
    await withDefinitions(SHOP, async (api) => {
      const ada = await add(api, "customers", { name: "Ada", code: "a" });
      const ben = await add(api, "customers", { name: "Ben", code: "b" });
      const change = (failFast: boolean) =>
        batch(api, "PATCH", "customers", {
          records: [{ id: ada, name: "Ann" }, { id: ben, code: "a" }],
          options: { failFast },
        });
      const stopped = await change(true);
      assertEquals([stopped.status, stopped.body["code"]], [400, "BATCH_FAIL_FAST_STOPPED"]);
      assertEquals((await api.ask(`customers/${ada}`, { as: admin })).body["name"], "Ada");
      const partial = await change(false);
      assertEquals([partial.status, refused(partial)], [207, ["1 DB_UNIQUE_VIOLATION"]]);
      assertEquals(isRecord(partial.body["meta"]) && partial.body["meta"]["transactional"], false);
      assertEquals((await api.ask(`customers/${ada}`, { as: admin })).body["name"], "Ann");
      assertEquals((await api.ask(`customers/${ben}`, { as: admin })).body["code"], "b");
    }, { driver });
  });

  Deno.test(`a hard delete of what others keep is refused alone on the ${driver.name} driver`, async () => {
    await withDefinitions(SHOP, async (api) => {
      const free = await add(api, "parcels", { label: "free" });
      const kept = await add(api, "parcels", { label: "kept" });
      await add(api, "stamps", { parcelId: kept });
      const ids = [kept, free];
      const stopped = await batch(api, "DELETE", "parcels", { ids, options: { failFast: true } });
      assertEquals([stopped.status, stopped.body["code"]], [400, "BATCH_FAIL_FAST_STOPPED"]);
      assertEquals(await count(api, "parcels"), 2);
      const partial = await batch(api, "DELETE", "parcels", { ids });
      assertEquals([partial.status, refused(partial)], [207, ["0 DB_REFERENCE_VIOLATION"]]);
      assertEquals(errors(partial)[0]?.["id"], kept);
      assertEquals(success(partial), [{ id: free }]);
      assertEquals(await count(api, "parcels"), 1);
    }, { driver });
  });
}

Deno.test("fail-fast without a failure says that it would have been undone", async () => {
  await withDefinitions(SHOP, async (api) => {
    const id = await add(api, "customers", { name: "Ada" });
    const options = { failFast: true };
    const records = [{ id, name: "Ann" }];
    const answer = await batch(api, "PATCH", "customers", { records, options });
    const meta = { total: 1, succeeded: 1, failed: 0, failFast: true, transactional: true };
    assertEquals([answer.status, answer.body["meta"]], [200, meta]);
  });
});

Deno.test("fail-fast names the first record of the request that was refused, at whatever step", async () => {
  await withDefinitions(SHOP, async (api) => {
    const records = [
      { customerId: "customer_none", amount: 1 },
      { amount: 1, nope: 1 },
    ];
    const answer = await batch(api, "POST", "orders", { records, options: { failFast: true } });
    assert(isRecord(answer.body["details"]));
    assertEquals(answer.body["details"]["failedAt"], 0);
    assertEquals(answer.body["pointer"], "/records/0");
  });
});

Deno.test("a batch update changes what is sent, stamps it once and counts the revision", async () => {
  await withDefinitions(SHOP, async (api) => {
    const ada = await add(api, "customers", { name: "Ada", code: "a" });
    const ben = await add(api, "customers", { name: "Ben", code: "b" });
    api.pass(1000);
    const answer = await batch(api, "PATCH", "customers", {
      records: [{ id: ben, plan: "gold" }, { id: ada, name: "Ann", code: null }],
    });
    assertEquals(answer.status, 200);
    assertEquals(
      success(answer).map(({ id, name, code, plan, version }) => [id, name, code, plan, version]),
      [[ben, "Ben", "b", "gold", 2], [ada, "Ann", null, "free", 2]],
    );
    const modified = success(answer).map(({ modifiedAt }) => modifiedAt);
    assertEquals(modified, ["2026-01-02T03:04:06.678Z", "2026-01-02T03:04:06.678Z"]);
  });
});

Deno.test("a batch update judges each record by firewall, access, guards and validation", async () => {
  await withDefinitions(SHOP, async (api) => {
    const customer = await add(api, "customers", { name: "Ada" });
    const foreign = await add(api, "customers", { name: "Far" }, stranger);
    const order = (state: string) => add(api, "orders", { customerId: customer, amount: 1, state });
    const [open, paid, other] = [await order("open"), await order("paid"), await order("open")];
    const gone = await order("open");
    await api.ask(`orders/${gone}`, { as: admin, method: "DELETE" });
    const far = await add(api, "orders", { amount: 1 }, stranger);
    const records = [
      { id: open, amount: 2 },
      { id: paid, amount: 2 },
      { id: far, amount: 2 },
      { id: "order_none", amount: 2 },
      { id: gone, amount: 2 },
      { id: other, customerId: foreign },
      { id: open, amount: 3 },
    ];
    const answer = await batch(api, "PATCH", "orders", { records }, clerk);
    assertEquals(answer.status, 207);
    assertEquals(success(answer).map(({ id, amount }) => [id, amount]), [[open, 2]]);
    assertEquals(refused(answer), [
      "1 ACCESS_CONDITION_FAILED",
      "2 FIREWALL_NOT_FOUND",
      "3 FIREWALL_NOT_FOUND",
      "4 FIREWALL_SOFT_DELETED",
      "5 VALIDATION_ERROR",
      "6 VALIDATION_ERROR",
    ]);
    const [, second, third] = errors(answer);
    assertEquals(second?.["error"], third?.["error"]);
  });
});

Deno.test("a foreign row and a missing one fail alike where the firewall hides", async () => {
  await withDefinitions(SHOP, async (api) => {
    const far = await add(api, "parcels", { label: "far" }, stranger);
    const answer = await batch(api, "DELETE", "parcels", { ids: [far, "parcel_none"] });
    assertEquals([answer.status, refused(answer)], [207, ["0 NOT_FOUND", "1 NOT_FOUND"]]);
  });
});

Deno.test("a batch update and delete fetch every row with one query", async () => {
  const reads: string[] = [];
  await withDefinitions(SHOP, async (api) => {
    const ids: string[] = [];
    for (const name of ["Ada", "Ben", "Cid"]) ids.push(await add(api, "customers", { name }));
    reads.length = 0;
    await batch(api, "PATCH", "customers", { records: ids.map((id) => ({ id, plan: "gold" })) });
    assertEquals(reads.length, 1);
    reads.length = 0;
    await batch(api, "DELETE", "customers", { ids });
    assertEquals(reads.length, 1);
  }, {
    wrap: (database) => ({
      ...database,
      run: (statement) => {
        reads.push(statement.sql);
        return database.run(statement);
      },
    }),
  });
});

Deno.test("a soft batch delete tells id and stamps, and takes children along", async () => {
  await withDefinitions(SHOP, async (api) => {
    const ada = await add(api, "customers", { name: "Ada" });
    const ben = await add(api, "customers", { name: "Ben" });
    const order = await add(api, "orders", { customerId: ada, amount: 1 });
    const gift = await add(api, "orders", { giftFor: ben, amount: 1 });
    api.pass(1000);
    const answer = await batch(api, "DELETE", "customers", { ids: [ben, ada, "customer_none"] });
    const stamp = { deletedAt: "2026-01-02T03:04:06.678Z", deletedBy: "user_1" };
    assertEquals(answer.status, 207);
    assertEquals(success(answer), [{ id: ben, ...stamp }, { id: ada, ...stamp }]);
    assertEquals(refused(answer), ["2 FIREWALL_NOT_FOUND"]);
    assertEquals(errors(answer)[0]?.["id"], "customer_none");
    const code = async (id: string) => (await api.ask(`orders/${id}`, { as: admin })).body["code"];
    assertEquals(await code(order), "FIREWALL_SOFT_DELETED");
    const kept = await api.ask(`orders/${gift}`, { as: admin });
    assertEquals([kept.status, kept.body["giftFor"], kept.body["customerId"]], [200, null, null]);
  });
});

Deno.test("an id that is given twice counts once", async () => {
  await withDefinitions(SHOP, async (api) => {
    const id = await add(api, "customers", { name: "Ada" });
    const answer = await batch(api, "DELETE", "customers", { ids: [id, id] });
    assertEquals([answer.status, refused(answer)], [207, ["1 VALIDATION_ERROR"]]);
    assertEquals(success(answer).length, 1);
  });
});

Deno.test("masks apply to what a batch answers with, and to what a conflict tells", async () => {
  await withDefinitions(SHOP, async (api) => {
    const records = [
      { name: "Ada", email: "ada@example.com", salary: 100 },
      { name: "Ben", email: "ada@example.com" },
    ];
    const answer = await batch(api, "POST", "customers", { records }, clerk);
    assertEquals(success(answer).map(({ email, salary }) => [email, salary]), [
      ["a***@e***.com", "[REDACTED]"],
    ]);
    const [{ error } = {}] = errors(answer);
    assert(isRecord(error));
    assertEquals([error["code"], error["details"]], ["DB_UNIQUE_VIOLATION", {}]);
    const plain = await batch(api, "POST", "customers", { records: [records[1]] });
    const [{ error: told } = {}] = errors(plain);
    assertEquals(isRecord(told) && told["details"], { column: "email" });
  });
});

Deno.test("access is asked once for a create, the row's condition of each record", async () => {
  await withDefinitions(SHOP, async (api) => {
    const records = [{ amount: 1 }, { amount: 1, state: "paid" }];
    const answer = await batch(api, "POST", "orders", { records }, clerk);
    assertEquals([answer.status, refused(answer)], [207, ["1 ACCESS_CONDITION_FAILED"]]);
    assertEquals(await count(api, "orders"), 1);
    const nobody = await batch(api, "POST", "orders", { records }, { ...clerk, roles: ["guest"] });
    assertEquals([nobody.status, nobody.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
  });
});

Deno.test("a role is asked before any row, so that a batch tells nothing to whoever lacks it", async () => {
  await withDefinitions(SHOP, async (api) => {
    const guest = { ...admin, roles: ["guest"] };
    for (const [method, body] of [["PATCH", { records: [] }], ["DELETE", "{"]] as const) {
      const answer = await batch(api, method, "customers", body, guest);
      assertEquals([answer.status, answer.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    }
  });
});

Deno.test("batch settings: own access, own size, no fail-fast, no route", async () => {
  await withDefinitions(SHOP, async (api) => {
    const importer: Claims = { ...admin, roles: ["importer"] };
    const post = (body: unknown, as = importer) => batch(api, "POST", "parcels", body, as);
    const records = [{ label: "a" }, { label: "b" }];
    assertEquals((await post({ records }, admin)).body["code"], "ACCESS_ROLE_REQUIRED");
    assertEquals((await post({ records })).status, 201);
    const large = await post({ records: [...records, { label: "c" }] });
    assertEquals([large.status, large.body["code"]], [400, "BATCH_SIZE_EXCEEDED"]);
    assertEquals(large.body["details"], { max: 2, actual: 3 });
    const fast = await post({ records, options: { failFast: true } });
    assertEquals([fast.status, fast.body["code"], fast.body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/options/failFast",
    ]);
    assertEquals((await post({ records, options: { failFast: false } })).status, 201);
    const none = await batch(api, "POST", "stamps", { records: [{}] });
    assertEquals([none.status, none.body["code"]], [404, "ROUTE_NOT_FOUND"]);
    const other = await batch(api, "PATCH", "parcels", { records });
    assertEquals([other.status, other.headers.get("allow")], [405, "POST, DELETE"]);
  });
});

Deno.test("a batch has at most 100 records unless it is said otherwise", async () => {
  await withDefinitions(SHOP, async (api) => {
    const records = (length: number) => Array.from({ length }, (_, at) => ({ name: `c${at}` }));
    const answer = await batch(api, "POST", "customers", { records: records(101) });
    assertEquals([answer.body["code"], answer.body["details"]], [
      "BATCH_SIZE_EXCEEDED",
      { max: 100, actual: 101 },
    ]);
    assertEquals((await batch(api, "POST", "customers", { records: records(100) })).status, 201);
  });
});

const BODIES: readonly (readonly [string, string, unknown, string, string])[] = [
  ["POST", "nothing", {}, "VALIDATION_ERROR", "/records"],
  ["POST", "no record", { records: [] }, "VALIDATION_ERROR", "/records"],
  ["POST", "no list", { records: {} }, "VALIDATION_ERROR", "/records"],
  [
    "POST",
    "an unknown member",
    { records: [{ name: "a" }], atomic: true },
    "VALIDATION_ERROR",
    "/atomic",
  ],
  [
    "POST",
    "an unknown option",
    { records: [{}], options: { failfast: true } },
    "VALIDATION_ERROR",
    "/options/failfast",
  ],
  [
    "POST",
    "an option of another type",
    { records: [{}], options: { failFast: "yes" } },
    "VALIDATION_ERROR",
    "/options/failFast",
  ],
  [
    "POST",
    "options of another type",
    { records: [{}], options: [] },
    "VALIDATION_ERROR",
    "/options",
  ],
  [
    "PATCH",
    "a record without id",
    { records: [{ id: "x", name: "a" }, { name: "b" }] },
    "BATCH_MISSING_IDS",
    "/records/1/id",
  ],
  [
    "PATCH",
    "an id of null",
    { records: [{ id: null, name: "a" }] },
    "BATCH_MISSING_IDS",
    "/records/0/id",
  ],
  ["PATCH", "an id of another type", { records: [{ id: 5 }] }, "VALIDATION_ERROR", "/records/0"],
  ["DELETE", "nothing", {}, "BATCH_MISSING_IDS", "/ids"],
  ["DELETE", "no id", { ids: [] }, "BATCH_MISSING_IDS", "/ids"],
  ["DELETE", "an id of another type", { ids: ["a", {}] }, "VALIDATION_ERROR", "/ids/1"],
  ["DELETE", "records", { records: [] }, "VALIDATION_ERROR", "/records"],
];

Deno.test("a batch body that is none is refused as a whole", async (test) => {
  await withDefinitions(SHOP, async (api) => {
    for (const [method, what, body, code, pointer] of BODIES) {
      await test.step(`${method} with ${what} is ${code}`, async () => {
        const answer = await batch(api, method, "customers", body);
        assertEquals([answer.status, answer.body["code"], answer.body["pointer"]], [
          400,
          code,
          pointer,
        ]);
      });
    }
    assertEquals(await count(api, "customers"), 0);
  });
});

Deno.test("a batch takes one rate token, whatever its size", async () => {
  const taken: string[] = [];
  const limiter = limiterOf((key) => Promise.resolve(taken.push(key) > 0));
  await withDefinitions(SHOP, async (api) => {
    await batch(api, "POST", "customers", { records: [{ name: "a" }, { name: "b" }] });
    assertEquals(taken, ["customers:create:user_1"]);
  }, { limiter });
});

Deno.test("a batch cannot carry If-Match", async () => {
  await withDefinitions(SHOP, async (api) => {
    const id = await add(api, "customers", { name: "Ada" });
    const answer = await api.ask("customers/batch", {
      as: admin,
      method: "PATCH",
      body: { records: [{ id, name: "Ann" }] },
      headers: { "if-match": '"1"' },
    });
    assertEquals([answer.status, answer.body["code"]], [428, "PRECONDITION_UNSUPPORTED"]);
    assertEquals((await api.ask(`customers/${id}`, { as: admin })).body["name"], "Ada");
  });
});

Deno.test("an idempotent batch is done once and answered again, byte for byte", async () => {
  await withDefinitions(SHOP, async (api) => {
    const ask = () =>
      api.ask("customers/batch", {
        as: admin,
        body: { records: [{ name: "Ada", code: "a" }, { name: "Ben", code: "a" }] },
        headers: { "idempotency-key": "k1" },
      });
    const [first, second] = [await ask(), await ask()];
    assertEquals([first.status, second.status], [207, 207]);
    assertEquals(first.text, second.text);
    assertEquals(await count(api, "customers"), 1);
  });
});
