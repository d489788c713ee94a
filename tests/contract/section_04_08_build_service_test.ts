/** The build service over HTTP: who may compile, what it takes, what it answers (contract 4.8, 5.9; definitions 7). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  compileRequest,
  type CompileRequestOptions,
  json,
  KEY,
  projectBody,
  testService,
} from "../support/build_service.ts";

const BODY = await projectBody();
const CONFIG = "quickback/quickback.config.ts";
const VALID_CONFIG = 'export default { name: "a" };';

Deno.test("GET /health says what answers, to anybody", async () => {
  for (const backend of ["edge", "container"] as const) {
    const answer = await testService({ backend }).fetch(new Request("https://build.test/health"));
    assertEquals(answer.status, 200);
    assertEquals(await json(answer), {
      status: "ok",
      backend,
      version: "0.0.0",
      contract: ["v1", "v2"],
    });
  }
});

Deno.test("GET /templates lists paths, GET /templates/{name} carries texts", async () => {
  const { fetch } = testService();
  const about = {
    name: "notes",
    kind: "project",
    title: "Notes",
    description: "Notes",
    runtime: "deno",
  };
  const list = await fetch(new Request("https://build.test/templates"));
  assertEquals(await json(list), { templates: [{ ...about, files: [CONFIG] }] });
  const one = await fetch(new Request("https://build.test/templates/notes"));
  assertEquals(await json(one), { ...about, files: { [CONFIG]: "export default {}" } });
  const none = await fetch(new Request("https://build.test/templates/constructor"));
  assertEquals([none.status, (await json(none)).code], [404, "ROUTE_NOT_FOUND"]);
});

const CREDENTIALS: readonly (readonly [what: string, Record<string, string>, code: string])[] = [
  ["no credentials", {}, "AUTH_MISSING"],
  ["a wrong key", { "x-api-key": `${KEY}x` }, "AUTH_INVALID_TOKEN"],
  ["an empty key", { "x-api-key": "" }, "AUTH_INVALID_TOKEN"],
  ["all keys at once", { "x-api-key": `${KEY},second-key-of-16-or-more` }, "AUTH_INVALID_TOKEN"],
  ["a key as a bearer", { authorization: `Bearer ${KEY}` }, "AUTH_INVALID_TOKEN"],
];

for (const [what, headers, code] of CREDENTIALS) {
  Deno.test(`POST /compile refuses ${what}`, async () => {
    const { fetch } = testService({ apiKeys: [KEY, "second-key-of-16-or-more"] });
    const answer = await fetch(
      new Request("https://build.test/compile", { method: "POST", body: BODY, headers }),
    );
    assertEquals(answer.status, 401);
    assert(answer.headers.has("www-authenticate"));
    assertEquals((await json(answer)).code, code);
  });
}

Deno.test("POST /compile takes each of several keys", async () => {
  const { fetch } = testService({ apiKeys: [KEY, "second-key-of-16-or-more"] });
  for (const key of [KEY, "second-key-of-16-or-more"]) {
    const answer = await fetch(compileRequest(BODY, { headers: { "x-api-key": key } }));
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
  }
});

Deno.test("a full compile carries every file with the hash of its bytes", async () => {
  const answer = await testService().fetch(compileRequest(BODY));
  assertEquals(answer.headers.get("content-type"), "application/json");
  const timing = answer.headers.get("server-timing") ?? "";
  assertMatch(timing, /emit;dur=\d/);
  const parts = timing.split(", ").map((part) => part.split(";")[0]);
  assertEquals(parts.length, new Set(parts).size, timing);
  assertEquals(answer.headers.has("x-service-compile-backend"), false);
  const { meta, files, commands, warnings, ...rest } = await json(answer);
  assertEquals(rest, {});
  assert(Array.isArray(files) && files.length > 5);
  assertEquals(meta, {
    fileCount: files.length,
    version: "0.0.0",
    contract: "v1",
    complete: true,
    backend: "container",
  });
  assertEquals(commands, ["deno task start"]);
  assertEquals(warnings, []);
  for (const file of files) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(file.content));
    assertEquals(file, {
      path: file.path,
      content: file.content,
      sha256: new Uint8Array(digest).toHex(),
    });
  }
});

Deno.test("the same input gives the same bytes, whatever ran before", async () => {
  const { fetch } = testService();
  const first = await (await fetch(compileRequest(BODY))).text();
  await (await fetch(compileRequest(await projectBody("helpdesk")))).text();
  assertEquals(await (await fetch(compileRequest(BODY))).text(), first);
  assertEquals(await (await testService().fetch(compileRequest(BODY))).text(), first);
});

Deno.test("complete=false has no files, on both backends alike", async () => {
  for (const backend of ["edge", "container"] as const) {
    const answer = await testService({ backend }).fetch(
      compileRequest(BODY, { query: "?complete=false" }),
    );
    assertEquals(await json(answer), {
      meta: { fileCount: 0, version: "0.0.0", contract: "v1", complete: false, backend },
      files: [],
      commands: ["deno task start"],
      warnings: [],
    });
  }
});

Deno.test("complete=false refuses what the migration would lose, on both backends as a compile does", async () => {
  const { rawFiles } = JSON.parse(BODY);
  const compiled = await (await testService().fetch(compileRequest(BODY))).json();
  const journal = "quickback/drizzle/features/meta/_journal.json";
  const state = Object.fromEntries(
    compiled.files.filter(({ path }: { path: string }) => path.includes("/meta/")).map(
      ({ path, content }: { path: string; content: string }) => [path, content],
    ),
  );
  const table = Object.keys(rawFiles).find((path) => path.includes("/features/")) ?? "";
  const without = Object.fromEntries(Object.entries(rawFiles).filter(([path]) => path !== table));
  const refused: [string, Record<string, unknown>][] = [
    ["MIGRATION_DROPS_TABLE", { ...without, ...state }],
    ["MIGRATION_STATE_INVALID", { ...rawFiles, ...state, [journal]: "{" }],
  ];
  for (const [code, files] of refused) {
    const answers = await Promise.all(([["container", ""], ["container", "?complete=false"], [
      "edge",
      "?complete=false",
    ]] as const).map(async ([backend, query]) => {
      const body = JSON.stringify({ rawFiles: files });
      const answer = await testService({ backend }).fetch(compileRequest(body, { query }));
      assertEquals(answer.status, 400);
      const { errors } = await answer.json();
      assertEquals(errors[0].code, code);
      return errors;
    }));
    assertEquals(answers[1], answers[0]);
    assertEquals(answers[2], answers[0]);
  }
});

Deno.test("a gzipped body and a gzipped answer are the plain ones", async () => {
  const { fetch } = testService();
  const plain = await (await fetch(compileRequest(BODY))).text();
  const answer = await fetch(compileRequest(await gzip(BODY), {
    headers: { "content-encoding": "gzip", "accept-encoding": "br, gzip;q=0.5" },
  }));
  assertEquals(answer.headers.get("content-encoding"), "gzip");
  assertEquals(answer.headers.get("vary"), "Accept-Encoding");
  assertEquals(await gunzip(answer), plain);
  const refused = await fetch(compileRequest(BODY, { headers: { "accept-encoding": "gzip;q=0" } }));
  assertEquals(refused.headers.has("content-encoding"), false);
  assertEquals(await refused.text(), plain);
});

const LONG = "x".repeat(512 * 1024 + 1);

const REFUSALS: readonly (readonly [
  what: string,
  body: BodyInit,
  options: CompileRequestOptions,
  expected: readonly [status: number, code: string, pointer?: string],
])[] = [
  ["no JSON", "{", {}, [400, "INVALID_JSON"]],
  ["an empty body", "", {}, [400, "INVALID_JSON"]],
  ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), {}, [400, "INVALID_JSON"]],
  ["deep JSON", "[".repeat(1_000_000), {}, [400, "INVALID_JSON"]],
  ["an array", "[]", {}, [400, "COMPILE_INPUT_INVALID", ""]],
  ["no files", "{}", {}, [400, "COMPILE_INPUT_INVALID", "/rawFiles"]],
  ["files in a list", '{"rawFiles":[]}', {}, [400, "COMPILE_INPUT_INVALID", "/rawFiles"]],
  ["a text that is none", '{"rawFiles":{"a/b":1}}', {}, [
    400,
    "COMPILE_INPUT_INVALID",
    "/rawFiles/a~1b",
  ]],
  ["half a character", '{"rawFiles":{"a":"\\ud800"}}', {}, [
    400,
    "COMPILE_INPUT_INVALID",
    "/rawFiles/a",
  ]],
  ["an unknown member", '{"rawFiles":{},"rawfile":{}}', {}, [
    400,
    "COMPILE_INPUT_INVALID",
    "/rawfile",
  ]],
  ["schemas in a list", '{"rawFiles":{},"actionInputSchemas":[]}', {}, [
    400,
    "COMPILE_INPUT_INVALID",
    "/actionInputSchemas",
  ]],
  ["a word for vendor", '{"rawFiles":{},"vendor":"no"}', {}, [
    400,
    "COMPILE_INPUT_INVALID",
    "/vendor",
  ]],
  [
    "a schema that reaches prototypes",
    '{"rawFiles":{},"actionInputSchemas":{"__proto__":{}}}',
    {},
    [
      400,
      "COMPILE_INPUT_INVALID",
      "/actionInputSchemas/__proto__",
    ],
  ],
  ["an unknown query parameter", BODY, { query: "?complet=false" }, [400, "COMPILE_INPUT_INVALID"]],
  ["another truth", BODY, { query: "?complete=1" }, [400, "COMPILE_INPUT_INVALID"]],
  ["a repeated parameter", BODY, { query: "?complete=false&complete=true" }, [
    400,
    "VALIDATION_INVALID_INPUT",
  ]],
  ["another media type", BODY, { headers: { "content-type": "text/plain" } }, [
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ]],
  ["another encoding", BODY, { headers: { "content-encoding": "br" } }, [
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ]],
  ["two encodings", BODY, { headers: { "content-encoding": "gzip, gzip" } }, [
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ]],
  ["gzip that is none", BODY, { headers: { "content-encoding": "gzip" } }, [400, "INVALID_JSON"]],
  ["a file that is too long", JSON.stringify({ rawFiles: { [CONFIG]: LONG } }), {}, [
    413,
    "PAYLOAD_TOO_LARGE",
    "/rawFiles/quickback~1quickback.config.ts",
  ]],
  ["a body that is too long", " ".repeat(8 * 1024 * 1024) + BODY, {}, [413, "PAYLOAD_TOO_LARGE"]],
  ["too many files", JSON.stringify({ rawFiles: manyFiles(2_001) }), {}, [
    413,
    "PAYLOAD_TOO_LARGE",
    "/rawFiles",
  ]],
];

for (const [what, body, options, [status, code, pointer]] of REFUSALS) {
  Deno.test(`POST /compile refuses ${what} as ${code}`, async () => {
    const answer = await testService().fetch(compileRequest(body, options));
    assertEquals(answer.headers.get("content-type"), "application/problem+json");
    const problem = await json(answer);
    assertEquals([answer.status, problem.status, problem.code], [status, status, code]);
    if (pointer !== undefined) assertEquals(problem.pointer, pointer);
    assertMatch(String(problem.type), /^https:\/\/build\.test\/problems\/[a-z-]+$/);
    assertEquals(problem.instance, "/compile");
    assertEquals(problem.request, {
      method: "POST",
      url: `https://build.test/compile${options.query ?? ""}`,
      requestId: answer.headers.get("x-request-id"),
    });
  });
}

Deno.test("a gzip bomb is left where it passes the limit", async () => {
  const bomb = await gzip("\0".repeat(64 * 1024 * 1024));
  let taken = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = bomb.subarray(taken, taken + 4096);
      taken += next.byteLength;
      if (next.byteLength === 0) controller.close();
      else controller.enqueue(next.slice());
    },
  });
  const answer = await testService().fetch(
    compileRequest(body, { headers: { "content-encoding": "gzip" } }),
  );
  assertEquals([answer.status, (await json(answer)).code], [413, "PAYLOAD_TOO_LARGE"]);
  assert(taken < bomb.byteLength / 2, `${taken} of ${bomb.byteLength} bytes were read`);
});

Deno.test("a body that never ends is refused after 30 seconds", async () => {
  const { fetch, timers } = testService();
  const answer = fetch(compileRequest(new ReadableStream({ pull: () => new Promise(() => {}) })));
  await timers.untilAwaited();
  await timers.pass(30_000);
  const { status, code, layer } = await json(await answer);
  assertEquals([status, code, layer], [408, "COMPILE_TIMEOUT", "compile"]);
});

Deno.test("the edge points to the container for a full compile", async () => {
  const { fetch } = testService({ backend: "edge" });
  for (const query of ["", "?complete=true"]) {
    const answer = await fetch(compileRequest(BODY, { query }));
    const problem = await json(answer);
    assertEquals([answer.status, problem.code], [400, "COMPLETE_REQUIRES_CONTAINER"]);
    assertMatch(String(problem.hint), /container's POST \/compile/);
  }
});

Deno.test("a failed compile is a problem with the hit list and its errors", async () => {
  const rawFiles = { [CONFIG]: VALID_CONFIG, "etc/passwd": "", "quickback/features/../x.ts": "" };
  const answer = await testService().fetch(compileRequest(JSON.stringify({ rawFiles })));
  assertEquals(answer.status, 400);
  const problem = await json(answer);
  assertEquals([problem.code, problem.layer], ["COMPILE_FAILED", "compile"]);
  const lines = String(problem.detail).split("\n");
  assertEquals(lines[0], "Found 2 independent errors");
  assertMatch(lines[1] ?? "", /^1\. etc\/passwd:1:1 /);
  assertMatch(lines[2] ?? "", /^2\. quickback\/features\/\.\.\/x\.ts:1:1 /);
  assert(Array.isArray(problem.errors));
  assertEquals(problem.errors.map((error) => Object.keys(error)), [
    ["code", "message", "file", "line", "column", "hint"],
    ["code", "message", "file", "line", "column", "hint"],
  ]);
});

Deno.test("one error is its line alone", async () => {
  const { rawFiles } = JSON.parse(BODY);
  rawFiles["etc/passwd"] = "";
  const answer = await testService().fetch(compileRequest(JSON.stringify({ rawFiles })));
  const { detail } = await json(answer);
  assertMatch(String(detail), /^etc\/passwd:1:1 [^\n]+$/);
});

Deno.test("an error of ours tells nothing of itself", async () => {
  const { fetch, logged } = testService({
    compiler: {
      async *compile() {
        yield { kind: "progress", stage: "read", message: "Reading" };
        await Promise.reject(new Error("a secret path"));
      },
    },
  });
  const answer = await fetch(compileRequest(BODY));
  assertEquals(answer.status, 500);
  const text = await answer.text();
  assertEquals(text.includes("secret"), false);
  assertMatch(text, /"code":"INTERNAL_ERROR"/);
  assert(logged.some(({ level, error }) => level === "error" && error instanceof Error));
});

Deno.test("unknown paths are 404, other methods 405 with Allow", async () => {
  const { fetch } = testService();
  const missing = await fetch(new Request("https://build.test/compile/x"));
  assertEquals([missing.status, (await json(missing)).code], [404, "ROUTE_NOT_FOUND"]);
  for (
    const [method, path, allow] of [
      ["GET", "/compile", "POST"],
      ["POST", "/health", "GET, HEAD"],
      ["DELETE", "/templates/notes", "GET, HEAD"],
      ["OPTIONS", "/compile", "POST"],
      ["OPTIONS", "/templates", "GET, HEAD"],
      ["PROPFIND", "/templates", "GET, HEAD"],
      ["PROPFIND", "/templates/notes", "GET, HEAD"],
      ["PROPFIND", "/health", "GET, HEAD"],
      ["PROPFIND", "/openapi.json", "GET, HEAD"],
      ["PROPFIND", "/compile", "POST"],
    ] as const
  ) {
    const answer = await fetch(new Request(`https://build.test${path}`, { method }));
    assertEquals(answer.headers.get("allow"), allow);
    assertEquals([answer.status, (await json(answer)).code], [405, "METHOD_NOT_ALLOWED"]);
  }
});

Deno.test("any origin may call, without credentials, and sees the service's headers", async () => {
  const { fetch } = testService();
  const preflight = await fetch(
    new Request("https://build.test/compile", {
      method: "OPTIONS",
      headers: {
        origin: "https://ide.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-api-key,x-service-stream,content-encoding",
      },
    }),
  );
  assertEquals(preflight.status, 204);
  const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
  for (const name of ["x-api-key", "x-service-stream", "content-encoding"]) {
    assert(allowed.includes(name), allowed);
  }
  const answers = [
    await fetch(compileRequest(BODY, { headers: { origin: "https://ide.example" } })),
    await fetch(compileRequest("{", { headers: { origin: "https://ide.example" } })),
  ];
  for (const answer of answers) {
    assertEquals(answer.headers.get("access-control-allow-origin"), "*");
    assertEquals(answer.headers.has("access-control-allow-credentials"), false);
    const exposed = answer.headers.get("access-control-expose-headers") ?? "";
    assert(exposed.includes("x-service-compile-backend") && exposed.includes("x-service-stream"));
    await answer.body?.cancel();
  }
});

function manyFiles(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`lib/${index}.ts`, ""]));
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function gunzip(answer: Response): Promise<string> {
  const stream = answer.body?.pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream ?? null).text();
}
