/** The page's requests to the API: nowhere else, and as nobody whom `dev` has not made. */
import { assertEquals } from "@std/assert";
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
  const gone = { origin: `http://127.0.0.1:${unusedPort()}`, credentials: CREDENTIALS };
  await withPlayground(async ({ ask }) => {
    const answer = await ask(ROUTES.requests, init);
    assertEquals([answer.status, (await answer.json()).code], [502, "API_UNREACHABLE"]);
  }, gone);
});

const CREDENTIALS: ApiAddress["credentials"] = new Map([
  ["demo", { name: "authorization", value: "Bearer demo-token" }],
]);

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
      return Response.json(
        { method, url, ...Object.fromEntries(headers), body: await request.text() },
        { status: method === "POST" ? 201 : 200, headers: { "set-cookie": "session=1" } },
      );
    },
  );
  try {
    const api = { origin: `http://127.0.0.1:${server.addr.port}`, credentials: CREDENTIALS };
    await body(api, () => count);
  } finally {
    await server.shutdown();
  }
}

function unusedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
