/** What answers say beside their bodies: `Location`, `Link`, `Idempotency-Replayed`, and the length of what `HEAD` leaves out. */
import { assert, assertEquals } from "@std/assert";
import {
  type Answer,
  type ApiUnderTest,
  isRecord,
  tokenFor,
  withDefinitions,
} from "../support/api.ts";
import { ORDER_FILES, ORDERS_CLERK as clerk } from "../support/orders_project.ts";
import { CATALOGUE } from "../support/shop.ts";
import { ADMIN, dataOf, ENDPOINTS, URL as HOOK, withWebhooks } from "../support/webhooks.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };

const withOrders = (body: (api: ApiUnderTest) => Promise<void>) =>
  withDefinitions(ORDER_FILES, body);

const order = (number: number) => ({ number, phone: "+1 555 0100" });

/** The targets of a `Link` header by their relation. */
function linksOf({ headers }: Answer): Readonly<Record<string, string>> {
  const links = [...(headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, target = "", relation = ""]) => [relation, target]));
}

Deno.test("201 to POST says where the record is", () =>
  withOrders(async (api) => {
    const { headers, body } = await api.ask("orders", { as: clerk, body: order(1) });
    const location = headers.get("location");
    assertEquals(location, `/api/v1/orders/${body["id"]}`);
    assertEquals((await api.ask(location ?? "", { as: clerk })).body, body);
    const updated = await api.ask(location ?? "", {
      as: clerk,
      method: "PATCH",
      body: { number: 2 },
    });
    assertEquals([updated.status, updated.headers.has("location")], [200, false]);
    const batch = await api.ask("orders/batch", { as: clerk, body: { records: [order(3)] } });
    assertEquals([batch.status, batch.headers.has("location")], [201, false]);
  }));

Deno.test("201 to PUT says where the record is, and 200 does not", () =>
  withDefinitions(CATALOGUE, async (api) => {
    const put = () => api.ask("products/cup", { method: "PUT", as: admin, body: { name: "Cup" } });
    const made = await put();
    assertEquals([made.status, made.headers.get("location")], [
      201,
      "/api/v1/products/cup",
    ]);
    const replaced = await put();
    assertEquals([replaced.status, replaced.headers.has("location")], [200, false]);
  }));

Deno.test("201 to a registration says where the endpoint is", () =>
  withWebhooks(async (api) => {
    const body = { name: "Billing", url: HOOK, events: ["*"] };
    const made = await api.ask(ENDPOINTS, { as: ADMIN, body });
    assertEquals(made.headers.get("location"), `${ENDPOINTS}/${made.body["id"]}`);
  }));

Deno.test("Link leads through every page of a list and back, by the same query", () =>
  withOrders(async (api) => {
    for (let number = 1; number <= 5; number += 1) {
      await api.ask("orders", { as: clerk, body: order(number) });
    }
    const asked = "orders?limit=2&sort=number&number.gte=1&fields=id,number&offset=0";
    const pages = [await api.ask(asked, { as: clerk })];
    for (let next = linksOf(pages[0]!)["next"]; next !== undefined;) {
      const page = await api.ask(next, { as: clerk });
      pages.push(page);
      next = linksOf(page)["next"];
    }
    const numbers = (page: Answer) =>
      dataOf(page).map((record) => isRecord(record) && record["number"]);
    assertEquals(pages.map(numbers), [[1, 2], [3, 4], [5]]);
    assertEquals(pages.map((page) => Object.keys(linksOf(page))), [
      ["next"],
      ["next", "prev"],
      ["prev"],
    ]);
    const back = await api.ask(linksOf(pages[2]!)["prev"] ?? "", { as: clerk });
    assertEquals(numbers(back), [3, 4]);
    const { pagination } = pages[0]!.body;
    const query = new URL(linksOf(pages[0]!)["next"] ?? "", "http://x").searchParams;
    assert(isRecord(pagination));
    assertEquals([...query], [
      ["limit", "2"],
      ["sort", "number"],
      ["number.gte", "1"],
      ["fields", "id,number"],
      ["starting_after", String(pagination["nextCursor"])],
    ]);
  }));

Deno.test("a page that is all there is has no Link, nor has a 304", () =>
  withOrders(async (api) => {
    for (const number of [1, 2]) await api.ask("orders", { as: clerk, body: order(number) });
    assertEquals((await api.ask("orders", { as: clerk })).headers.has("link"), false);
    const page = await api.ask("orders?limit=1", { as: clerk });
    const held = { "if-none-match": page.headers.get("etag") ?? "" };
    const again = await api.ask("orders?limit=1", { as: clerk, headers: held });
    assertEquals([again.status, again.headers.has("link")], [304, false]);
  }));

Deno.test("a repetition says that it is one, a first answer does not", () =>
  withOrders(async (api) => {
    const ask = (key: string, body: unknown = order(1)) =>
      api.ask("orders", { as: clerk, body, headers: { "idempotency-key": key } });
    const mark = async (answer: Promise<Answer>) => {
      const { status, headers } = await answer;
      return [status, headers.get("idempotency-replayed")];
    };
    const first = await ask("a");
    assertEquals(first.headers.has("idempotency-replayed"), false);
    const again = await ask("a");
    assertEquals(again.headers.get("idempotency-replayed"), "true");
    assertEquals(again.headers.get("location"), first.headers.get("location"));
    assertEquals(await mark(ask("b", { number: "x" })), [400, null]);
    assertEquals(await mark(ask("b", { number: "x" })), [400, "true"]);
    assertEquals(await mark(ask("a", order(2))), [422, null]);
  }));

Deno.test("a key in quotes and the same key without them are one", () =>
  withOrders(async (api) => {
    const ask = (key: string) =>
      api.ask("orders", { as: clerk, body: order(1), headers: { "idempotency-key": key } });
    const first = await ask('"one"');
    assertEquals((await ask("one")).body, first.body);
    assertEquals((await ask('"one"')).headers.get("idempotency-replayed"), "true");
    for (const other of ['""one""', '"one', 'one"', '"']) {
      assertEquals((await ask(other)).headers.has("idempotency-replayed"), false, other);
    }
  }));

Deno.test("a page of a trusted origin may read all of them", () =>
  withWebhooks(async (api) => {
    const { headers } = await api.ask(ENDPOINTS, {
      as: ADMIN,
      headers: { origin: "https://app.example.com" },
    });
    const exposed = (headers.get("access-control-expose-headers") ?? "").split(", ");
    for (const name of ["idempotency-replayed", "link", "location"]) {
      assert(exposed.includes(name), name);
    }
  }, { project: { trustedOrigins: ["https://app.example.com"] } }));

Deno.test("over HTTP, HEAD has the headers of GET, its length among them, and no body", () =>
  withOrders(async (api) => {
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => api.fetch(request, { clientIp: null }),
    );
    const token = await tokenFor(clerk);
    const origin = `http://127.0.0.1:${server.addr.port}`;
    for (
      const path of ["/health", "/problems/not-found", "/robots.txt", "/api/v1/orders"]
    ) {
      const [get, head] = await Promise.all(
        ["GET", "HEAD"].map((method) => raw(origin, { method, path, token })),
      );
      assertEquals([get?.status, head?.status], ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"], path);
      assertEquals(head?.body, "", path);
      assertEquals(head?.length, String(new TextEncoder().encode(get?.body).length), path);
    }
    await server.shutdown();
  }));

/** Without a client that reads a missing length as 0, or a body as none. */
async function raw(
  origin: string,
  { method, path, token }: {
    readonly method: string;
    readonly path: string;
    readonly token: string;
  },
) {
  const { hostname, port } = new URL(origin);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    `authorization: Bearer ${token}`,
    "\r\n",
  ];
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  const text = await new Response(connection.readable).text();
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: head.split("\r\n")[0],
    length: /^content-length: (\d+)$/mi.exec(head)?.[1],
    body: rest.join("\r\n\r\n"),
  };
}
