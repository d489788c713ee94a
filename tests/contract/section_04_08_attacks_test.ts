/** What a hostile or careless client may send to `POST /compile` (contract 4.8, definitions 7): each backend answers alike. */
import { assertEquals } from "@std/assert";
import {
  compileRequest,
  type CompileRequestOptions,
  json,
  KEY,
  projectBody,
  testService,
} from "../support/build_service.ts";

const BODY = await projectBody();
const { rawFiles } = JSON.parse(BODY);
const ZIPPED = await gzip(BODY);
const VALIDATE = "?complete=false";
const OTHER_KEY = "second-key-of-16-or-more";
const SERVICES = (["edge", "container"] as const).map((backend) =>
  testService({ backend, apiKeys: [KEY, OTHER_KEY] })
);

type Answer = readonly [status: number, code?: string];

const TAKEN: Answer = [200];
const NO_GZIP: Answer = [400, "INVALID_JSON"];
const UNSUPPORTED: Answer = [415, "UNSUPPORTED_MEDIA_TYPE"];
const REPEATED: Answer = [400, "VALIDATION_INVALID_INPUT"];
const INVALID: Answer = [400, "COMPILE_INPUT_INVALID"];
const UNKNOWN_KEY: Answer = [401, "AUTH_INVALID_TOKEN"];
const FAILED: Answer = [400, "COMPILE_FAILED"];

const GZIP = { "content-encoding": "gzip" };

const BODIES: readonly (readonly [what: string, body: BodyInit, expected: Answer])[] = [
  ["gzip", ZIPPED, TAKEN],
  ["gzip without its end", ZIPPED.slice(0, -9), NO_GZIP],
  ["gzip with a wrong checksum", joined(ZIPPED.slice(0, -8), new Uint8Array(8)), NO_GZIP],
  ["two gzips in a row", joined(ZIPPED, ZIPPED), NO_GZIP],
  [
    "one text in two gzips",
    joined(await gzip(BODY.slice(0, 50)), await gzip(BODY.slice(50))),
    NO_GZIP,
  ],
  ["gzip and more", joined(ZIPPED, new TextEncoder().encode("more")), NO_GZIP],
  ["an empty gzip", new Uint8Array(), NO_GZIP],
  ["gzip in gzip", await gzip(ZIPPED), NO_GZIP],
];

for (const [what, body, expected] of BODIES) {
  everywhere(`a body that is ${what}`, expected, body, { headers: GZIP });
}

const HEADERS: readonly (readonly [name: string, value: string, expected: Answer])[] = [
  ["content-encoding", "", TAKEN],
  ["content-encoding", "identity", TAKEN],
  ["content-encoding", "deflate", UNSUPPORTED],
  ["content-encoding", "zstd", UNSUPPORTED],
  ["content-encoding", "compress", UNSUPPORTED],
  ["content-encoding", "gzip;q=1", UNSUPPORTED],
  ["content-encoding", "identity, gzip", UNSUPPORTED],
  ["content-type", "", TAKEN],
  ["content-type", "APPLICATION/JSON", TAKEN],
  ["content-type", "application/json; charset=utf-8", TAKEN],
  ["content-type", "application/ld+json", TAKEN],
  ["content-type", "application/jsonx", UNSUPPORTED],
  ["content-type", "text/json", UNSUPPORTED],
  ["content-type", "*/*", UNSUPPORTED],
  ["content-type", "application/x-www-form-urlencoded", UNSUPPORTED],
  ["content-type", "multipart/form-data; boundary=x", UNSUPPORTED],
  ["x-api-key", OTHER_KEY, TAKEN],
  ["x-api-key", `  ${OTHER_KEY}  `, TAKEN],
  ["x-api-key", OTHER_KEY.toUpperCase(), UNKNOWN_KEY],
  ["x-api-key", OTHER_KEY.slice(0, -1), UNKNOWN_KEY],
  ["x-api-key", `${OTHER_KEY},`, UNKNOWN_KEY],
  ["x-api-key", `Bearer ${OTHER_KEY}`, UNKNOWN_KEY],
  ["x-api-key", "x".repeat(5000), UNKNOWN_KEY],
];

for (const [name, value, expected] of HEADERS) {
  everywhere(`'${name}: ${value.slice(0, 40)}'`, expected, BODY, { headers: { [name]: value } });
}

const STREAMS: readonly (readonly [version: string, expected: Answer])[] = [
  ["V2", INVALID],
  ["v3", INVALID],
  ["2", INVALID],
  ["", INVALID],
  ["v1, v2", INVALID],
];

for (const [version, expected] of STREAMS) {
  const headers = { accept: "text/event-stream", "x-service-stream": version };
  everywhere(`stream protocol '${version}'`, expected, BODY, { headers });
}

const QUERIES: readonly (readonly [query: string, expected: Answer])[] = [
  ["?complete=%66alse", TAKEN],
  ["?complete=false&", TAKEN],
  ["?complete=", INVALID],
  ["?complete=TRUE", INVALID],
  ["?complete=0", INVALID],
  ["?complete=false&complete=false", REPEATED],
  ["?Complete=false", INVALID],
  [`?complete=false&api_key=${KEY}`, INVALID],
];

for (const [query, expected] of QUERIES) everywhere(query, expected, BODY, { query });

const TEXTS: readonly (readonly [text: string, expected: Answer])[] = [
  ["null", INVALID],
  ['"text"', INVALID],
  ["1", INVALID],
  ["{} {}", [400, "INVALID_JSON"]],
  ['{"rawFiles":NaN}', [400, "INVALID_JSON"]],
  ['{"__proto__":{}}', INVALID],
  ['{"rawFiles":null}', INVALID],
  ['{"rawFiles":{"quickback/quickback.config.ts":null}}', INVALID],
  ['{"rawFiles":{},"actionInputSchemas":null}', INVALID],
  ['{"rawFiles":{}}', FAILED],
  ['{"rawFiles":{"__proto__":"", "constructor":""}}', FAILED],
];

for (const [text, expected] of TEXTS) everywhere(`the body ${text}`, expected, text, {});

/** Beside a project that compiles without them. */
const PATHS = [
  "../x.ts",
  "./wrangler.toml",
  "/quickback/lib/x.ts",
  "//quickback/lib/x.ts",
  "C:/quickback/lib/x.ts",
  "c:\\x.ts",
  "file:///etc/passwd",
  "quickback/lib/../../etc/passwd",
  "quickback/lib/%2e%2e/x.ts",
  "quickback/lib/..%2fx.ts",
  "quickback/lib\\..\\x.ts",
  "quickback/lib/..\\x.ts",
  "quickback/lib/x\0.ts",
  "quickback/lib/x.ts\0.png",
  "quickback/lib/x\n.ts",
  "quickback/lib/\uff0e\uff0e/x.ts",
  "quickback\uff0flib/x.ts",
  "quickback/lib/\u2025/x.ts",
  "quickback/lib/x\u202e.ts",
  "quickback/lib/x\u200b.ts",
  "\ufeffquickback/lib/x.ts",
  "quickback/lib/\u0435xample.ts",
  "quickback/lib/x.ts.",
  "quickback/lib/x.ts ",
  "quickback/lib/x./y.ts",
  "quickback/lib/.../y.ts",
  "quickback/lib//x.ts",
  "quickback/lib/./x.ts",
  "quickback/lib/",
  "quickback/lib/x:y.ts",
  "quickback/lib/~/x.ts",
  `quickback/lib/${"x".repeat(256)}`,
  "Quickback/lib/x.ts",
  "quickback/Lib/x.ts",
  "QUICKBACK/QUICKBACK.CONFIG.TS",
  "quickback/quickback.config.js",
  "Wrangler.toml",
  "wrangler.toml/x",
  "quickback/drizzle/features/0000_x.sql",
  "quickback/drizzle/meta",
  "package.json",
  "deno.json",
  ".env",
  "src/main.ts",
  "quickback/package.json",
  "quickback/node_modules/x/index.js",
  "quickback/features/node_modules/x.ts",
  "quickback/features/__proto__/x.ts",
  "__proto__",
  "constructor",
  "",
  ".",
];

for (const path of PATHS) {
  const text = JSON.stringify({ rawFiles: { ...rawFiles, [path]: "" } });
  everywhere(`the path ${encodeURI(path).slice(0, 60)}`, FAILED, text, {});
}

const HOSTS = ["build.test/health", "build.test/x?", "a@build.test", "build.test:port", "a b", ""];

for (const host of HOSTS) {
  Deno.test(`the host '${host}' has no route`, async () => {
    for (const { fetch } of SERVICES) {
      const answer = await fetch(new Request("https://build.test/health", { headers: { host } }));
      assertEquals([answer.status, (await json(answer)).code], [400, "HOST_INVALID"]);
    }
  });
}

Deno.test("a problem repeats no credential of the query", async () => {
  for (const { fetch } of SERVICES) {
    const query = `?complete=false&x-api-key=${KEY}&token=t0ken`;
    const { request } = await json(await fetch(compileRequest(BODY, { query })));
    const url = "https://build.test/compile?complete=false&x-api-key=[REDACTED]&token=[REDACTED]";
    assertEquals(request, { method: "POST", url, requestId: requestIdOf(request) });
  }
});

function requestIdOf(request: unknown): unknown {
  return typeof request === "object" && request !== null && "requestId" in request
    ? request.requestId
    : null;
}

const METHODS: readonly (readonly [method: string, path: string, allow: string])[] = [
  ["GET", "/compile", "POST"],
  ["HEAD", "/compile", "POST"],
  ["PUT", "/compile", "POST"],
  ["PATCH", "/compile?complete=false", "POST"],
  ["DELETE", "/compile", "POST"],
  ["POST", "/health", "GET, HEAD"],
  ["DELETE", "/openapi.json", "GET, HEAD"],
];

for (const [method, path, allow] of METHODS) {
  Deno.test(`${method} ${path} is 405 with Allow`, async () => {
    for (const { fetch } of SERVICES) {
      const answer = await fetch(new Request(`https://build.test${path}`, { method }));
      assertEquals([answer.status, answer.headers.get("allow")], [405, allow]);
      await answer.body?.cancel();
    }
  });
}

const ROUTES = ["/", "/compile/", "//compile", "/COMPILE", "/compile%2f", "/compile/x", "/health/"];

for (const path of ROUTES) {
  Deno.test(`POST ${path} is no route`, async () => {
    for (const { fetch } of SERVICES) {
      const init = { method: "POST", body: BODY, headers: { "x-api-key": KEY } };
      const answer = await fetch(new Request(`https://build.test${path}`, init));
      assertEquals([answer.status, (await json(answer)).code], [404, "ROUTE_NOT_FOUND"]);
    }
  });
}

/** A validation, which every backend does. */
function everywhere(
  what: string,
  expected: Answer,
  body: BodyInit,
  options: CompileRequestOptions,
): void {
  Deno.test(`${what}: ${expected.join(" ")} on the edge and in the container`, async () => {
    for (const { fetch } of SERVICES) {
      const answer = await fetch(compileRequest(body, { query: VALIDATE, ...options }));
      const { code } = await json(answer);
      const [status, refusal] = expected;
      assertEquals([answer.status, code], [status, refusal]);
      const type = status === 200 ? "application/json" : "application/problem+json";
      assertEquals(answer.headers.get("content-type"), type);
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
  });
}

async function gzip(data: BlobPart): Promise<Uint8Array<ArrayBuffer>> {
  const zipped = new Blob([data]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(zipped).arrayBuffer());
}

function joined(...parts: readonly Uint8Array<ArrayBuffer>[]): Blob {
  return new Blob([...parts]);
}
