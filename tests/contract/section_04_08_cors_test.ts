/** Browser tools on other origins (definitions 7): any of them, or those that an operator lists; never with cookies. */
import { assert, assertEquals } from "@std/assert";
import { createEdge } from "../../edge/edge_service.ts";
import { createRouter } from "../../edge/router.ts";
import type { Upstream } from "../../edge/upstream.ts";
import {
  compileRequest,
  framesOf,
  KEY,
  projectBody,
  STREAM_V2,
  testPorts,
} from "../support/build_service.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { chromium } from "../support/installed.ts";

const BODY = await projectBody();
const IDE = "https://ide.example";
const OTHER = "https://other.example";
const ORIGIN = "https://build.test";
const VALIDATE = "?complete=false";

const EXPOSED = "x-service-compile-backend,x-request-id,retry-after,x-service-stream,allow," +
  "server-timing,www-authenticate";

type CorsOrigins = readonly string[] | null;

function edge(corsOrigins: CorsOrigins): Upstream {
  const { ports } = testPorts();
  return createEdge({ ports, baseUrl: ORIGIN, apiKeys: [KEY], corsOrigins });
}

/** In front of backends that let others in than it does itself. */
function router(corsOrigins: CorsOrigins): Upstream {
  const { ports } = testPorts();
  const container = edge(corsOrigins === null ? [OTHER] : null);
  const options = { ports, baseUrl: ORIGIN, apiKeys: [KEY], corsOrigins, container };
  return createRouter({ ...options, edge: edge(corsOrigins === null ? [OTHER] : [IDE, OTHER]) });
}

interface Row {
  readonly corsOrigins: CorsOrigins;
  readonly origin: string | null;
  readonly allowed: string | null;
}

const ROWS: readonly Row[] = [
  { corsOrigins: null, origin: IDE, allowed: "*" },
  { corsOrigins: null, origin: null, allowed: "*" },
  { corsOrigins: [IDE], origin: IDE, allowed: IDE },
  { corsOrigins: ["http://localhost:5173", IDE], origin: IDE, allowed: IDE },
  { corsOrigins: [IDE], origin: OTHER, allowed: null },
  { corsOrigins: [IDE], origin: "null", allowed: null },
  { corsOrigins: [IDE], origin: `${IDE}.evil.example`, allowed: null },
  { corsOrigins: [IDE], origin: null, allowed: null },
];

function requests(origin: string | null): readonly Request[] {
  const headers: Record<string, string> = origin === null ? {} : { origin };
  return [
    new Request(`${ORIGIN}/health`, { headers }),
    new Request(`${ORIGIN}/nothing`, { headers }),
    new Request(`${ORIGIN}/compile`, { headers }),
    compileRequest(BODY, { query: VALIDATE, headers }),
    compileRequest(BODY, { query: VALIDATE, headers: { ...headers, ...STREAM_V2 } }),
    compileRequest("{", { query: VALIDATE, headers }),
    compileRequest(BODY, { query: VALIDATE, headers: { ...headers, "x-api-key": "wrong" } }),
  ];
}

for (const [name, made] of [["edge", edge], ["router", router]] as const) {
  for (const { corsOrigins, origin, allowed } of ROWS) {
    Deno.test(`${name} with ${corsOrigins ?? "any origin"}, asked from ${origin}`, async () => {
      const fetch = made(corsOrigins);
      for (const request of requests(origin)) {
        const { headers, body } = await fetch(request);
        await body?.cancel();
        assertEquals(headers.get("access-control-allow-origin"), allowed, request.url);
        assertEquals(headers.get("access-control-expose-headers"), EXPOSED);
        assertEquals(headers.has("access-control-allow-credentials"), false);
        const vary = (headers.get("vary") ?? "").split(", ").filter((one) => one === "Origin");
        assertEquals(vary.length, corsOrigins === null ? 0 : 1, headers.get("vary") ?? "");
      }
    });

    Deno.test(`${name} with ${corsOrigins ?? "any origin"}, preflight from ${origin}`, async () => {
      if (origin === null) return;
      const method = { "access-control-request-method": "POST" };
      for (const path of ["/compile", "/compile?complete=false", "/health", "/nothing"]) {
        const request = new Request(ORIGIN + path, {
          method: "OPTIONS",
          headers: { origin, ...method },
        });
        const { status, headers } = await made(corsOrigins)(request);
        assertEquals([status, headers.get("access-control-allow-origin")], [204, allowed]);
        assertEquals(headers.get("access-control-allow-methods"), "GET,HEAD,POST");
        assertEquals(headers.get("access-control-max-age"), "600");
        assertEquals(headers.has("access-control-allow-credentials"), false);
      }
    });
  }

  Deno.test(`${name} takes an OPTIONS that is no preflight for a method like any other`, async () => {
    const fetch = made(null);
    for (const [path, status, allow] of [["/compile", 405, "POST"], ["/nothing", 404, null]]) {
      const answer = await fetch(new Request(`${ORIGIN}${path}`, { method: "OPTIONS" }));
      await answer.body?.cancel();
      assertEquals([answer.status, answer.headers.get("allow")], [status, allow]);
    }
  });
}

const executablePath = chromium();

for (const isListed of [true, false]) {
  Deno.test({
    name: `a page of an origin that is ${isListed ? "" : "not "}listed, in a real browser`,
    ignore: executablePath === null,
    // The browser's own connection outlives what can be seen of it.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using page = serving(() => Promise.resolve(new Response("<!doctype html>", HTML)));
      await using service = serving(router([isListed ? page.origin : IDE]));
      const seen = await compileFrom(page.origin, service.origin);
      if (!isListed) return assertEquals(seen, { error: "TypeError" });
      assert("text" in seen);
      assertEquals([seen.status, seen.backend, seen.stream], [200, "edge", "v2"]);
      assertEquals(framesOf(seen.text).at(-1)?.event, "done");
    },
  });
}

const HTML = { headers: { "content-type": "text/html" } };

/** What a script of a page reads of a gzipped, streamed validation. */
function compileFrom(page: string, service: string) {
  return withBrowser(executablePath, async (browser) => {
    const tab = await newPage(browser);
    await tab.goto(page);
    return await tab.evaluate(async ({ url, body, key }) => {
      const zipped = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
      try {
        const answer = await fetch(url, {
          method: "POST",
          body: await new Response(zipped).blob(),
          headers: {
            "accept": "text/event-stream",
            "content-encoding": "gzip",
            "content-type": "application/json",
            "x-api-key": key,
            "x-service-stream": "v2",
          },
        });
        const { status, headers } = answer;
        const backend = headers.get("x-service-compile-backend");
        const stream = headers.get("x-service-stream");
        return { status, backend, stream, text: await answer.text() };
      } catch (error) {
        return { error: error instanceof Error ? error.name : "" };
      }
    }, { url: `${service}/compile${VALIDATE}`, body: BODY, key: KEY });
  });
}

function serving(fetch: Upstream) {
  const server = Deno.serve({ port: 0, hostname: "localhost", onListen: () => {} }, fetch);
  return {
    origin: `http://localhost:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
