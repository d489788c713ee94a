/** Contract v2: its own bases without aliases of v1, strict `fields`, and all the rest as in v1 (contract 9). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Ask, withDefinitions } from "../support/api.ts";
import { ORDER_FILES, ORDERS_CLERK as clerk } from "../support/orders_project.ts";

const VERSIONS = ["v1", "v2"] as const;

type Version = typeof VERSIONS[number];

const filesOf = (version: Version) => ({
  ...ORDER_FILES,
  "quickback/quickback.config.ts":
    `export default { name: "orders", rateLimit: false, contract: { version: "${version}", changeset: true }, auth: { jwt: {} } };\n`,
});

const withVersion = (version: Version, body: (api: ApiUnderTest) => Promise<void>) =>
  withDefinitions(filesOf(version), body);

for (const version of VERSIONS) {
  const other = version === "v1" ? "v2" : "v1";

  Deno.test(`${version} answers at its own base and not at that of ${other}`, () =>
    withVersion(version, async (api) => {
      for (const path of ["orders", "orders/batch", "changeset", "orders/x", "token"]) {
        const { status, body } = await api.ask(`/api/${other}/${path}`, { as: clerk });
        assertEquals([status, body["code"]], [404, "ROUTE_NOT_FOUND"], path);
      }
      assertEquals((await api.ask(`/api/${version}/orders`, { as: clerk })).status, 200);
      assertEquals((await api.ask(`/api/${version}/changeset`, { as: clerk })).status, 405);
    }));

  Deno.test(`${version}: create, read, condition, replay, batch and changeset`, () =>
    withVersion(version, async (api) => {
      const body = { number: 1, phone: "+1 555 0100" };
      const keyed: Ask = { as: clerk, body, headers: { "idempotency-key": "a" } };
      const first = await api.ask("orders", keyed);
      const tag = first.headers.get("etag") ?? "";
      assertEquals([first.status, tag.slice(0, 3)], [201, '"1-']);
      assertEquals((await api.ask("orders", keyed)).text, first.text);
      const path = `orders/${first.body["id"]}`;
      const held: Ask = { as: clerk, headers: { "if-none-match": tag } };
      assertEquals((await api.ask(path, held)).status, 304);
      const patch = (tag: string): Ask => ({
        as: clerk,
        method: "PATCH",
        body: { number: 2 },
        headers: { "if-match": tag },
      });
      assertEquals((await api.ask(path, patch('"9"'))).status, 412);
      assertEquals((await api.ask(path, patch('"1"'))).status, 200);
      const batch = { records: [{ number: 3 }, { number: 4 }] };
      assertEquals((await api.ask("orders/batch", { as: clerk, body: batch })).status, 201);
      const operations = [{ op: "create", resource: "orders", data: { number: 5 } }];
      assertEquals((await api.ask("changeset", { as: clerk, body: { operations } })).status, 200);
      const list = await api.ask("orders?sort=-number&limit=1&fields=number", { as: clerk });
      assertEquals(list.body["data"], [{ number: 5 }]);
      assertEquals((await api.ask(path, { as: clerk, method: "DELETE" })).status, 200);
      const page = await api.ask("orders?total=true", { as: clerk });
      assertEquals(JSON.stringify(page.body["pagination"]).includes('"total":3'), true);
    }));
}

const FIELDS: readonly (readonly [query: string, v1: readonly string[]])[] = [
  ["fields=number,nope", ["number"]],
  ["fields=constructor,number", ["number"]],
  ["fields=nope,__proto__,phone", ["phone"]],
];

for (const [query, columns] of FIELDS) {
  Deno.test(`unknown names in ${query} are dropped in v1 and refused in v2`, async () => {
    for (const version of VERSIONS) {
      await withVersion(version, async (api) => {
        const { body } = await api.ask("orders", { as: clerk, body: { number: 1 } });
        for (const path of ["orders", `orders/${body["id"]}`]) {
          const answer = await api.ask(`${path}?${query}`, { as: clerk });
          if (version === "v2") {
            assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_INVALID_INPUT"]);
            continue;
          }
          const record = path === "orders" && Array.isArray(answer.body["data"])
            ? answer.body["data"][0]
            : answer.body;
          assertEquals(Object.keys(record), columns);
        }
      });
    }
  });
}

Deno.test("without a valid name v1 answers every column, v2 refuses", async () => {
  await withVersion("v1", async (api) => {
    const { body } = await api.ask("orders", { as: clerk, body: { number: 1 } });
    const answer = await api.ask(`orders/${body["id"]}?fields=nope`, { as: clerk });
    assertEquals(Object.keys(answer.body).sort(), Object.keys(body).sort());
  });
  await withVersion("v2", async (api) => {
    assertEquals((await api.ask("orders?fields=nope", { as: clerk })).status, 400);
  });
});
