/** The build service describes itself: what it answers is what `/openapi.json` says, on every backend (contract 4.8). */
import { assert, assertEquals } from "@std/assert";
import { createRouter } from "../../edge/router.ts";
import {
  compileRequest,
  type CompileRequestOptions,
  json,
  KEY,
  projectBody,
  STREAM_V1,
  STREAM_V2,
  testPorts,
  testService,
} from "../support/build_service.ts";
import { assertDescribed, openApiCheck } from "../support/openapi_check.ts";
import { COMPILE_BODY } from "../../shared/service/request/compile_options.ts";
import { parseProject } from "../../shared/compiler/mod.ts";

const ORIGIN = "https://build.test";
const BODY = await projectBody();
const VALIDATE = "?complete=false";

Deno.test("the description lists the routes of each backend", async () => {
  const container = await pathsOf(testService());
  assertEquals(container, [
    "/compile",
    "/health",
    "/openapi.json",
    "/problems/{code}",
    "/templates",
    "/templates/{name}",
  ]);
  assertEquals(await pathsOf(testService({ backend: "edge" })), [
    "/compile",
    "/health",
    "/openapi.json",
    "/problems/{code}",
  ]);
  const service = testService();
  const router = createRouter({
    ports: testPorts().ports,
    baseUrl: ORIGIN,
    apiKeys: [KEY],
    edge: null,
    container: service.fetch,
  });
  assertEquals(await pathsOf({ fetch: router }), container);
});

Deno.test("the description names the header that names the backend, where there is one", async () => {
  const namesBackend = async (backend: "edge" | "container") => {
    const answer = await testService({ backend }).fetch(new Request(`${ORIGIN}/openapi.json`));
    return (await answer.text()).includes('"x-service-compile-backend"');
  };
  assertEquals([await namesBackend("edge"), await namesBackend("container")], [true, false]);
});

const REQUESTS: readonly (readonly [method: string, path: string, status: number])[] = [
  ["GET", "/health", 200],
  ["GET", "/openapi.json", 200],
  ["GET", "/templates", 200],
  ["GET", "/templates/notes", 200],
  ["GET", "/templates/none", 404],
  ["GET", "/problems/compile-busy", 200],
  ["GET", "/problems/nothing", 404],
  ["GET", "/nothing", 404],
  ["DELETE", "/openapi.json", 405],
  ["GET", "/compile", 405],
];

for (const [method, path, status] of REQUESTS) {
  Deno.test(`${method} ${path} answers as described`, async () => {
    const service = testService();
    const answer = await service.fetch(new Request(ORIGIN + path, { method }));
    assertEquals(answer.status, status);
    await assertDescribed(await checkOf(service), { method, path }, answer);
  });
}

const COMPILES: readonly (readonly [
  what: string,
  body: string,
  options: CompileRequestOptions,
  status: number,
])[] = [
  ["a full compile", BODY, {}, 200],
  ["a validation", BODY, { query: VALIDATE }, 200],
  ["a stream v1", BODY, { headers: STREAM_V1 }, 200],
  ["a stream v2", BODY, { headers: STREAM_V2 }, 200],
  ["mistakes", '{"rawFiles":{"a":"b"}}', {}, 400],
  ["no JSON", "{", {}, 400],
  ["a list", "[]", {}, 400],
  ["no key", BODY, { headers: { "x-api-key": "wrong" } }, 401],
  ["too much", " ".repeat(8 * 1024 * 1024 + 1), {}, 413],
  ["another media type", BODY, { headers: { "content-type": "text/plain" } }, 415],
];

for (const [what, body, options, status] of COMPILES) {
  Deno.test(`POST /compile answers ${what} as described`, async () => {
    const service = testService();
    const answer = await service.fetch(compileRequest(body, options));
    assertEquals(answer.status, status);
    const path = `/compile${options.query ?? ""}`;
    await assertDescribed(await checkOf(service), { method: "POST", path }, answer);
  });
}

Deno.test("a busy service answers as described", async () => {
  const service = testService({ running: 0, waiting: 0 });
  const answer = await service.fetch(compileRequest(BODY));
  assertEquals([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  await assertDescribed(await checkOf(service), { method: "POST", path: "/compile" }, answer);
});

Deno.test("the described body is the one that is taken", async () => {
  const { rawFiles } = JSON.parse(BODY);
  const parsed = parseProject(rawFiles);
  assert(parsed.ok);
  const bodies: readonly (readonly [unknown, boolean])[] = [
    [{ rawFiles }, true],
    [{ rawFiles, actionInputSchemas: {} }, true],
    [{ input: parsed.project }, true],
    [{ rawFiles: [] }, false],
    [{ rawFiles: { a: 1 } }, false],
    [{ rawFiles, more: 1 }, false],
    [{ rawFiles, input: parsed.project }, false],
    [{ rawFiles, actionInputSchemas: [] }, false],
    [{ input: { files: {} } }, false],
    [[], false],
  ];
  for (const [body, isTaken] of bodies) {
    const answer = await testService().fetch(compileRequest(JSON.stringify(body)));
    assertEquals(answer.status === 200, isTaken, JSON.stringify(body).slice(0, 200));
    assertEquals(COMPILE_BODY.safeParse(body).success, isTaken);
    await answer.body?.cancel();
  }
});

Deno.test("browser tools of any origin may ask, without credentials", async () => {
  const { fetch } = testService();
  const preflight = await fetch(
    new Request(`${ORIGIN}/compile`, {
      method: "OPTIONS",
      headers: {
        origin: "https://ide.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-encoding,x-api-key",
      },
    }),
  );
  assertEquals(preflight.status, 204);
  assertEquals(preflight.headers.get("access-control-allow-origin"), "*");
  assertEquals(preflight.headers.has("access-control-allow-credentials"), false);
  const answer = await fetch(compileRequest(BODY, { headers: { origin: "https://ide.example" } }));
  assertEquals(answer.headers.get("access-control-allow-origin"), "*");
  const exposed = (answer.headers.get("access-control-expose-headers") ?? "").toLowerCase();
  for (const name of ["x-service-stream", "x-service-compile-backend", "x-request-id"]) {
    assert(exposed.includes(name), name);
  }
});

interface Fetching {
  readonly fetch: (request: Request) => Promise<Response>;
}

async function checkOf({ fetch }: Fetching) {
  return openApiCheck(await (await fetch(new Request(`${ORIGIN}/openapi.json`))).text());
}

async function pathsOf({ fetch }: Fetching): Promise<readonly string[]> {
  const { paths, openapi } = await json(await fetch(new Request(`${ORIGIN}/openapi.json`)));
  assertEquals(openapi, "3.1.0");
  assert(typeof paths === "object" && paths !== null);
  return Object.keys(paths).sort();
}
