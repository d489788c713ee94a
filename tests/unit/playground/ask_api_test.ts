/** The page's requests to the API: nowhere else, and as nobody whom `dev` has not made. */
import { assert, assertEquals } from "@std/assert";
import { API_ANSWER, type ApiRequest, ROUTES } from "../../../playground/protocol.ts";
import type { ApiAddress } from "../../../playground/server/ask_api.ts";
import { withPlayground } from "../../support/playground.ts";

const REQUEST: ApiRequest = {
  as: "demo",
  method: "GET",
  path: "/api/v1/notes?limit=1",
  headers: [],
  body: null,
};

Deno.test("a request reaches the API with the person's credential and the API's own origin", () =>
  withEcho((api) =>
    withPlayground(async ({ ask }) => {
      const request = {
        ...REQUEST,
        method: "POST",
        body: "{}",
        headers: [["Content-Type", "application/json"], ["Cookie", "stolen=1"], ["Host", "evil"]],
      };
      const answer = await ask(ROUTES.requests, { method: "POST", body: JSON.stringify(request) });
      const { status, body, headers } = API_ANSWER.parse(await answer.json());
      assertEquals(status, 201);
      assertEquals(JSON.parse(body), {
        method: "POST",
        url: `${api.origin}/api/v1/notes?limit=1`,
        authorization: "Bearer demo-token",
        origin: api.origin,
        cookie: null,
        "content-type": "application/json",
        "x-playground-token": null,
        body: "{}",
      });
      assertEquals(headers.some(([name]) => name === "set-cookie"), false);
    }, api)
  ));

Deno.test("nobody is nobody: no credential goes along", () =>
  withEcho((api) =>
    withPlayground(async ({ ask }) => {
      const body = JSON.stringify({ ...REQUEST, as: null });
      const answer = await ask(ROUTES.requests, { method: "POST", body });
      const echo = JSON.parse(API_ANSWER.parse(await answer.json()).body);
      assertEquals(echo.authorization, null);
    }, api)
  ));

const REFUSED: readonly (readonly [what: string, change: Record<string, unknown>, code: string])[] =
  [
    ["a path that is none", { path: "http://evil.example" }, "BODY_REFUSED"],
    ["somebody unknown", { as: "root" }, "NO_SUCH_PERSON"],
    ["a name of the prototype", { as: "__proto__" }, "NO_SUCH_PERSON"],
    ["another method", { method: "CONNECT" }, "BODY_REFUSED"],
    ["a member that is not known", { origin: "http://evil.example" }, "BODY_REFUSED"],
  ];

for (const [what, change, code] of REFUSED) {
  Deno.test(`a request for ${what} is not sent: ${code}`, () =>
    withEcho((api, asked) =>
      withPlayground(async ({ ask }) => {
        const body = JSON.stringify({ ...REQUEST, ...change });
        const answer = await ask(ROUTES.requests, { method: "POST", body });
        assertEquals((await answer.json()).code, code);
        assertEquals(asked(), 0);
      }, api)
    ));
}

for (
  const path of ["//evil.example/x", "/\\evil.example/x", "/\t/evil.example", "/@evil.example"]
) {
  Deno.test(`a request for ${JSON.stringify(path)} stays at the API`, () =>
    withEcho((api, asked) =>
      withPlayground(async ({ ask }) => {
        const body = JSON.stringify({ ...REQUEST, path });
        const answer = API_ANSWER.parse(
          await (await ask(ROUTES.requests, { method: "POST", body })).json(),
        );
        assertEquals([answer.status, asked()], [200, 1]);
      }, api)
    ));
}

Deno.test("the page is told when there is no API, or none answers", async () => {
  const init = { method: "POST", body: JSON.stringify(REQUEST) };
  await withPlayground(async ({ ask }) => {
    const answer = await ask(ROUTES.requests, init);
    assertEquals([answer.status, (await answer.json()).code], [503, "NO_API"]);
  });
  const gone = addressOf(unusedPort());
  await withPlayground(async ({ ask }) => {
    const answer = await ask(ROUTES.requests, init);
    assertEquals([answer.status, (await answer.json()).code], [502, "API_UNREACHABLE"]);
  }, gone);
});

for (const [method, status, connections] of [["GET", 200, 2], ["POST", 502, 1]] as const) {
  Deno.test(`a ${method} whose connection ends is asked on ${connections}`, async () => {
    using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    let opened = 0;
    const serving = (async () => {
      for await (using connection of listener) {
        opened += 1;
        await connection.read(new Uint8Array(4096));
        const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
        if (opened === 2) await connection.write(new TextEncoder().encode(ok));
      }
    })();
    await withPlayground(async ({ ask }) => {
      const body = JSON.stringify({ ...REQUEST, method });
      const answer = await ask(ROUTES.requests, { method: "POST", body });
      const { status: api = answer.status } = await answer.json();
      assertEquals([api, opened], [status, connections]);
    }, addressOf(listener.addr.port));
    listener.close();
    await serving.catch((error: unknown) => assert(error instanceof Deno.errors.BadResource));
  });
}

const TRACE = { name: "x-trace", value: "secret", answer: "x-statements" };

const STATEMENTS = [{ sql: "SELECT 1", args: ['"ä"'], rows: 1, milliseconds: 0.5 }];

function addressOf(port: number): ApiAddress {
  return {
    origin: `http://127.0.0.1:${port}`,
    events: "/events",
    credential: (name) =>
      Promise.resolve(
        name === "demo" ? { name: "authorization", value: "Bearer demo-token" } : null,
      ),
    trace: TRACE,
  };
}

const ECHOED = ["authorization", "origin", "cookie", "content-type", "x-playground-token"];

/** An API that answers what it was asked. */
async function withEcho(
  body: (api: ApiAddress, asked: () => number) => Promise<void>,
): Promise<void> {
  let count = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      count += 1;
      const headers = ECHOED.map((name) => [name, request.headers.get(name)]);
      const { method, url } = request;
      const who = request.headers.get("authorization");
      if (url.endsWith("/events")) {
        return who === null
          ? new Response("who?", { status: 401 })
          : new Response(`data: ${who}\n\n`);
      }
      const isTraced = url.endsWith("/statements") &&
        request.headers.get(TRACE.name) === TRACE.value;
      const told = encodeURIComponent(JSON.stringify(STATEMENTS));
      return Response.json(
        { method, url, ...Object.fromEntries(headers), body: await request.text() },
        {
          status: method === "POST" ? 201 : 200,
          headers: { "set-cookie": "session=1", ...(isTraced ? { [TRACE.answer]: told } : {}) },
        },
      );
    },
  );
  try {
    await body(addressOf(server.addr.port), () => count);
  } finally {
    await server.shutdown();
  }
}

function unusedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

Deno.test("the statements of a request are asked for and told, and their header is not shown", () =>
  withEcho((api) =>
    withPlayground(async ({ ask }) => {
      const request = { ...REQUEST, path: "/statements" };
      const answer = await ask(ROUTES.requests, { method: "POST", body: JSON.stringify(request) });
      const { headers, statements } = API_ANSWER.parse(await answer.json());
      assertEquals(statements, STATEMENTS);
      assertEquals(headers.some(([name]) => name === TRACE.answer), false);
      const plain = await ask(ROUTES.requests, { method: "POST", body: JSON.stringify(REQUEST) });
      assertEquals(API_ANSWER.parse(await plain.json()).statements, null);
    }, api)
  ));

Deno.test("changes are passed on as the person, and a refusal of the API is one of the page", () =>
  withEcho((api) =>
    withPlayground(async ({ ask }) => {
      const listen = (as: string | null) =>
        ask(ROUTES.frames, { method: "POST", body: JSON.stringify({ as }) });
      assertEquals(await (await listen("demo")).text(), "data: Bearer demo-token\n\n");
      const refused = await listen(null);
      assertEquals([refused.status, (await refused.json()).code], [409, "API_REFUSED"]);
    }, api)
  ));
