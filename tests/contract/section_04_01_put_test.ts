/** PUT, one record and many: made or replaced whole, under the client's id (contract 4.1 rule 3, definitions 7). */
import { assert, assertEquals } from "@std/assert";
import {
  type Answer,
  type ApiUnderTest,
  type Claims,
  isRecord,
  withDefinitions,
} from "../support/api.ts";
import { DRIVERS, ofOneDatabase } from "../support/databases.ts";
import { CATALOGUE, SHOP } from "../support/shop.ts";

const test = ofOneDatabase("an id is taken within its organization's database alone");

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const clerk: Claims = { sub: "user_2", orgId: "org_1", roles: ["clerk"] };
const stranger: Claims = { sub: "user_3", orgId: "org_2", roles: ["admin"] };

function put(api: ApiUnderTest, path: string, body: unknown, as = admin): Promise<Answer> {
  return api.ask(path, { method: "PUT", as, body });
}

function indexed(answer: Answer): readonly string[] {
  const { errors } = answer.body;
  assert(Array.isArray(errors));
  return errors.filter(isRecord).map(({ index, error }) =>
    `${index} ${isRecord(error) ? error["code"] : error}`
  );
}

function names(answer: Answer): readonly unknown[] {
  const { success } = answer.body;
  assert(Array.isArray(success));
  return success.filter(isRecord).map(({ id, name }) => `${id} ${name}`);
}

Deno.test("PUT makes a record that is not there with 201, and replaces it with 200", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    const made = await put(api, "products/cup", { name: "Cup", note: "blue", price: 7 });
    assertEquals(made.status, 201);
    const { id, name, note, price, version, createdBy } = made.body;
    assertEquals([id, name, note, price, version, createdBy], [
      "cup",
      "Cup",
      "blue",
      7,
      1,
      "user_1",
    ]);
    api.pass(1000);
    const replaced = await put(api, "products/cup", { name: "Mug" }, clerk);
    assertEquals(replaced.status, 200);
    const after = await api.ask("products/cup", { as: admin });
    assertEquals(
      [after.body["name"], after.body["note"], after.body["price"], after.body["version"]],
      ["Mug", null, 5, 2],
    );
    assertEquals([after.body["createdBy"], after.body["modifiedBy"]], ["user_1", "user_2"]);
    assertEquals(after.body["createdAt"], made.body["createdAt"]);
    assertEquals(after.body["listedAt"], "2026-01-02T03:04:06.678Z");
  });
});

Deno.test("PUT asks for every required field, and for no field of the service", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    const rows: readonly (readonly [unknown, string, string])[] = [
      [{}, "VALIDATION_ERROR", "/name"],
      [{ name: null }, "VALIDATION_ERROR", "/name"],
      [{ name: "a", id: "cup" }, "GUARD_SYSTEM_MANAGED", "/id"],
      [{ name: "a", version: 3 }, "GUARD_SYSTEM_MANAGED", "/version"],
      [{ name: "a", organizationId: "org_2" }, "GUARD_SYSTEM_MANAGED", "/organizationId"],
      [{ name: "a", nope: 1 }, "GUARD_FIELD_NOT_CREATEABLE", "/nope"],
    ];
    for (const [body, code, pointer] of rows) {
      const answer = await put(api, "products/cup", body);
      assertEquals([answer.status, answer.body["code"], answer.body["pointer"]], [
        400,
        code,
        pointer,
      ]);
    }
    assertEquals((await api.ask("products/cup", { as: admin })).body["code"], "FIREWALL_NOT_FOUND");
  });
});

Deno.test("PUT under an id that no record may have is 400", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    for (const id of ["views", "a%20b", "x".repeat(129)]) {
      const answer = await put(api, `products/${id}`, { name: "a" });
      assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], id);
    }
    assertEquals((await put(api, `products/${"x".repeat(128)}`, { name: "a" })).status, 201);
  });
});

test("PUT of an id that another tenant holds is a conflict that tells nothing and changes nothing", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    await put(api, "products/cup", { name: "Theirs" }, stranger);
    const answer = await put(api, "products/cup", { name: "Mine" });
    assertEquals([answer.status, answer.body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
    assertEquals([answer.body["details"], answer.body["pointer"]], [undefined, undefined]);
    assertEquals((await api.ask("products/cup", { as: stranger })).body["name"], "Theirs");
  });
});

Deno.test("PUT of another owner's record in one's own tenant is the same conflict", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    await put(api, "diaries/today", { text: "mine" });
    const answer = await put(api, "diaries/today", { text: "yours" }, { ...admin, sub: "user_9" });
    assertEquals([answer.status, answer.body["code"], answer.body["details"]], [
      409,
      "DB_UNIQUE_VIOLATION",
      undefined,
    ]);
    const own = await put(api, "diaries/today", { text: "mine still" });
    assertEquals([own.status, own.body["ownerId"]], [200, "user_1"]);
  });
});

Deno.test("PUT does not bring a deleted record back", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    await put(api, "products/cup", { name: "Cup" });
    await api.ask("products/cup", { as: admin, method: "DELETE" });
    const answer = await put(api, "products/cup", { name: "Cup" });
    assertEquals([answer.status, answer.body["code"]], [403, "FIREWALL_SOFT_DELETED"]);
  });
});

Deno.test("PUT judges the row that is there, and the one that it makes", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    await put(api, "products/gold", { name: "Gold", price: 500 });
    const rows: readonly (readonly [string, unknown, number])[] = [
      ["gold", { name: "Lead", price: 1 }, 403],
      ["silver", { name: "Silver", price: 400 }, 403],
      ["tin", { name: "Tin", price: 4 }, 201],
      ["tin", { name: "Tin", price: 5 }, 200],
    ];
    for (const [id, body, status] of rows) {
      const answer = await put(api, `products/${id}`, body, clerk);
      assertEquals(answer.status, status, answer.text);
      if (status === 403) assertEquals(answer.body["code"], "ACCESS_CONDITION_FAILED");
    }
    const guest = await put(api, "products/tin", { name: "Tin" }, { ...clerk, roles: ["guest"] });
    assertEquals([guest.status, guest.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
  });
});

Deno.test("PUT checks foreign keys and unique values, and masks what it answers with", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    await put(api, "products/far", { name: "Far", sku: "s" }, stranger);
    const reference = await put(api, "diaries/d", { text: "t", productId: "far" });
    assertEquals([reference.status, reference.body["pointer"]], [400, "/productId"]);
    await put(api, "products/one", { name: "One", sku: "s" });
    const taken = await put(api, "products/two", { name: "Two", sku: "s" });
    assertEquals([taken.status, taken.body["details"]], [409, { column: "sku" }]);
    const masked = await put(api, "products/two", { name: "Two", note: "secret" }, clerk);
    assertEquals([masked.status, masked.body["note"]], [201, "[REDACTED]"]);
  });
});

Deno.test("PUT with If-Match replaces that revision only, and makes nothing", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    const match = (id: string, tag: string) =>
      api.ask(`products/${id}`, {
        method: "PUT",
        as: admin,
        body: { name: "Cup" },
        headers: { "if-match": tag },
      });
    assertEquals((await match("cup", '"1"')).status, 412);
    assertEquals((await put(api, "products/cup", { name: "Cup" })).headers.get("etag"), '"1"');
    const replaced = await match("cup", '"1"');
    assertEquals([replaced.status, replaced.headers.get("etag")], [200, '"2"']);
    assertEquals((await match("cup", '"1"')).status, 412);
  });
});

Deno.test("there is no PUT where the service makes the ids", async () => {
  await withDefinitions(SHOP, async (api) => {
    const answer = await put(api, "customers/customer_1", { name: "Ada" });
    assertEquals([answer.status, answer.headers.get("allow")], [405, "GET, PATCH, DELETE"]);
    const many = await put(api, "customers/batch", { records: [] });
    assertEquals([many.status, many.headers.get("allow")], [405, "POST, PATCH, DELETE"]);
  });
});

for (const driver of DRIVERS) {
  test(`a batch PUT answers 201, 200 and 207 on the ${driver.name} driver`, async () => {
    await withDefinitions(CATALOGUE, async (api) => {
      const many = (records: unknown, failFast = false) =>
        put(api, "products/batch", { records, options: { failFast } });
      const [cup, mug, jug] = ["Cup", "Mug", "Jug"].map((name) => ({
        id: name.toLowerCase(),
        name,
      }));
      const made = await many([cup, mug]);
      assertEquals([made.status, names(made)], [201, ["cup Cup", "mug Mug"]]);
      const replaced = await many([{ ...mug, name: "Beaker" }, { ...cup, note: "n" }]);
      assertEquals([replaced.status, names(replaced)], [200, ["mug Beaker", "cup Cup"]]);
      const mixed = await many([jug, mug]);
      assertEquals([mixed.status, names(mixed)], [200, ["jug Jug", "mug Mug"]]);
      await put(api, "products/far", { name: "Far" }, stranger);
      const partial = await many([{ id: "far", name: "Mine" }, { id: "a b", name: "x" }, {
        id: "cup",
      }, {
        id: "new",
        name: "New",
      }]);
      assertEquals([partial.status, names(partial)], [207, ["new New"]]);
      assertEquals(indexed(partial), [
        "0 DB_UNIQUE_VIOLATION",
        "1 VALIDATION_ERROR",
        "2 VALIDATION_ERROR",
      ]);
      const stopped = await many([{ id: "next", name: "Next" }, { id: "far", name: "Mine" }], true);
      assertEquals([stopped.status, stopped.body["code"]], [400, "BATCH_FAIL_FAST_STOPPED"]);
      assertEquals((await api.ask("products/next", { as: admin })).status, 403);
    }, { driver });
  });
}

Deno.test("a batch PUT needs an id in every record", async () => {
  await withDefinitions(CATALOGUE, async (api) => {
    const records = [{ id: "cup", name: "Cup" }, { name: "Mug" }];
    const answer = await put(api, "products/batch", { records });
    assertEquals([answer.status, answer.body["code"]], [400, "BATCH_MISSING_IDS"]);
    assertEquals(answer.body["details"], { indexes: [1] });
    assertEquals((await api.ask("products/cup", { as: admin })).status, 403);
  });
});

const TEAM_FILES = {
  "quickback/quickback.config.ts":
    `export default { name: "boards", providers: { database: { name: "libsql", generateId: false } } };\n`,
  "quickback/features/boards/boards.ts": `import { feature, q } from "quickback";
export default feature("boards", {
  columns: { organizationId: q.scope("organization"), teamId: q.scope("team"), name: q.text() },
  guards: false,
  read: { access: { roles: ["admin"] } },
  upsert: { access: { roles: ["admin"] } },
});
`,
};

Deno.test("without an active team, PUT of one record and of many refuse before they look at the body", async () => {
  await withDefinitions(TEAM_FILES, async (api) => {
    for (const body of [{}, [], { records: "none" }, { records: [{ id: "a", name: 1 }] }]) {
      for (const path of ["boards/a", "boards/batch"]) {
        const { status, body: told } = await put(api, path, body);
        assertEquals([status, told["code"]], [403, "ACCESS_CONDITION_FAILED"], path);
      }
    }
  });
});
