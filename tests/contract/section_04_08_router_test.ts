/** The front door: which backend answers, what happens when the edge fails, and that nothing is held back (contract 4.8). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createEdge } from "../../edge/edge_service.ts";
import { createRouter } from "../../edge/router.ts";
import type { Upstream } from "../../edge/upstream.ts";
import {
  compileRequest,
  framesOf,
  json,
  KEY,
  projectBody,
  settle,
  STREAM_V2,
  testPorts,
  testService,
} from "../support/build_service.ts";

const BODY = await projectBody();
const VALIDATE = { query: "?complete=false" } as const;
const BACKEND = "x-service-compile-backend";

interface Front {
  readonly fetch: Upstream;
  readonly timers: ReturnType<typeof testPorts>["timers"];
  /** Which backends were asked, in order. */
  readonly asked: readonly string[];
}

function front({ edge, container }: {
  readonly edge?: Upstream | null;
  readonly container?: Upstream;
} = {}): Front {
  const { ports, timers } = testPorts();
  const asked: string[] = [];
  const watched = (name: string, upstream: Upstream): Upstream => (request) => {
    asked.push(name);
    return upstream(request);
  };
  const ownEdge = createEdge({ ports, baseUrl: "https://edge.test", apiKeys: [KEY] });
  const fetch = createRouter({
    ports,
    baseUrl: "https://build.test",
    apiKeys: [KEY],
    edge: edge === null ? null : watched("edge", edge ?? ownEdge),
    container: watched("container", container ?? testService().fetch),
  });
  return { fetch, timers, asked };
}

const down: Upstream = () => Promise.reject(new TypeError("Connection refused"));
const failing: Upstream = () => Promise.resolve(new Response("no", { status: 502 }));

Deno.test("the edge validates, the container compiles", async () => {
  const { fetch, asked } = front();
  const validated = await fetch(compileRequest(BODY, VALIDATE));
  assertEquals(validated.headers.get(BACKEND), "edge");
  assertMatch(JSON.stringify((await json(validated)).meta), /"backend":"edge"/);
  const compiled = await fetch(compileRequest(BODY));
  assertEquals(compiled.headers.has(BACKEND), false);
  assertMatch(JSON.stringify((await json(compiled)).meta), /"backend":"container"/);
  assertEquals(asked, ["edge", "container"]);
});

Deno.test("an edge's refusal is the answer, and names the edge", async () => {
  const { fetch, asked } = front();
  const answer = await fetch(compileRequest('{"rawFiles":{}}', VALIDATE));
  assertEquals([answer.status, answer.headers.get(BACKEND)], [400, "edge"]);
  const problem = await json(answer);
  assertEquals(problem.code, "COMPILE_FAILED");
  assertMatch(
    JSON.stringify(problem.request),
    new RegExp(`"requestId":"${answer.headers.get("x-request-id")}"`),
  );
  assertEquals(asked, ["edge"]);
});

for (const [what, edge] of [["unreachable", down], ["failing", failing]] as const) {
  Deno.test(`an ${what} edge is covered by the container, with the same bytes`, async () => {
    const { fetch, asked } = front({ edge });
    const answer = await fetch(compileRequest(BODY, VALIDATE));
    assertEquals([answer.status, answer.headers.get(BACKEND)], [200, "container-fallback"]);
    const direct = await testService().fetch(compileRequest(BODY, VALIDATE));
    assertEquals(await answer.text(), await direct.text());
    assertEquals(asked, ["edge", "container"]);
  });
}

Deno.test("an edge that does not answer in time is covered by the container", async () => {
  let signal: AbortSignal | null = null;
  const silent: Upstream = (request) => {
    signal = request.signal;
    return new Promise(() => {});
  };
  const { fetch, timers } = front({ edge: silent });
  const answer = fetch(compileRequest(BODY, VALIDATE));
  await timers.untilAwaited();
  await timers.pass(10_000);
  assertEquals((await answer).headers.get(BACKEND), "container-fallback");
  await (await answer).body?.cancel();
  assertEquals(signal === null ? null : abortedOf(signal), true);
});

const encoder = new TextEncoder();
const PROGRESS = 'event: progress\ndata: {"stage":"read","message":"Reading"}\n\n';

/** Begins to answer and is lost: what it said, in these pieces. */
function lostAfter(contentType: string, pieces: readonly string[]): Upstream {
  return () => {
    const left = [...pieces];
    const body = new ReadableStream({
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.error(new TypeError("Connection reset"));
        else controller.enqueue(encoder.encode(piece));
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": contentType } }));
  };
}

Deno.test("an edge that is lost in the middle of a document is covered by the container", async () => {
  const { fetch, asked } = front({ edge: lostAfter("application/json", ['{"meta":']) });
  const answer = await fetch(compileRequest(BODY, VALIDATE));
  assertEquals([answer.status, answer.headers.get(BACKEND)], [200, "container-fallback"]);
  assertEquals(Object.keys(await json(answer))[0], "meta");
  assertEquals(asked, ["edge", "container"]);
});

Deno.test("an edge that stops in the middle of a document is covered by the container", async () => {
  const stuck = new ReadableStream({ pull: () => new Promise(() => {}) });
  const headers = { "content-type": "application/json" };
  const edge = () => Promise.resolve(new Response(stuck, { headers }));
  const { fetch, timers } = front({ edge });
  const answer = fetch(compileRequest(BODY, VALIDATE));
  await timers.untilAwaited();
  await timers.pass(10_000);
  assertEquals((await answer).headers.get(BACKEND), "container-fallback");
  await (await answer).body?.cancel();
});

Deno.test("a stream that breaks off ends in an error event, after whole frames only", async () => {
  const [half, rest] = [PROGRESS.slice(0, 20), PROGRESS.slice(20)];
  const pieces = [half, `${rest}${PROGRESS}${PROGRESS.slice(0, -1)}`, "\n", half];
  const lost = lostAfter("text/event-stream", pieces);
  for (const { fetch } of [front({ edge: lost }), front({ edge: null, container: lost })]) {
    const answer = await fetch(compileRequest(BODY, { ...VALIDATE, headers: STREAM_V2 }));
    const frames = framesOf(await answer.text());
    assertEquals(frames.map(({ event }) => event), ["progress", "progress", "progress", "error"]);
    assertEquals(frames.at(-1)?.data.code, "COMPILE_UNAVAILABLE");
  }
});

Deno.test("a container that is lost in the middle of a document is 503", async () => {
  const { fetch } = front({ container: lostAfter("application/json", ['{"meta":']) });
  const answer = await fetch(compileRequest(BODY));
  assertEquals([answer.status, (await json(answer)).code], [503, "COMPILE_UNAVAILABLE"]);
});

Deno.test("what stands between and fails for the container is not repeated", async () => {
  const { fetch } = front({ container: failing });
  const answer = await fetch(compileRequest(BODY));
  assertEquals([answer.status, (await json(answer)).code], [503, "COMPILE_UNAVAILABLE"]);
});

Deno.test("a body that never ends is refused after 30 seconds, and asks nobody", async () => {
  const { fetch, timers, asked } = front();
  const body = new ReadableStream({ pull: () => new Promise(() => {}) });
  const answer = fetch(compileRequest(body, VALIDATE));
  await timers.untilAwaited();
  await timers.pass(30_000);
  assertEquals([(await answer).status, (await json(await answer)).code], [408, "COMPILE_TIMEOUT"]);
  assertEquals(asked, []);
});

Deno.test("a stream falls back before it begins", async () => {
  const { fetch } = front({ edge: down });
  const answer = await fetch(compileRequest(BODY, { ...VALIDATE, headers: STREAM_V2 }));
  assertEquals(answer.headers.get(BACKEND), "container-fallback");
  assertEquals(answer.headers.get("x-service-stream"), "v2");
  assertEquals(framesOf(await answer.text()).at(-1)?.event, "done");
});

Deno.test("a dead edge is spared after three failures and tried again after a pause", async () => {
  const { fetch, asked, timers } = front({ edge: down });
  const validate = async () => {
    const answer = await fetch(compileRequest(BODY, VALIDATE));
    assertEquals(answer.headers.get(BACKEND), "container-fallback");
    await answer.body?.cancel();
  };
  const edgeCalls = () => asked.filter((name) => name === "edge").length;
  for (let call = 0; call < 5; call++) await validate();
  assertEquals(edgeCalls(), 3);
  await timers.pass(10_000);
  await validate();
  await validate();
  assertEquals(edgeCalls(), 4);
});

Deno.test("an edge that is spared is asked before nobody answers: it may live again", async () => {
  const alive = { edge: false, container: true };
  const own = createEdge({
    ports: testPorts().ports,
    baseUrl: "https://edge.test",
    apiKeys: [KEY],
  });
  const service = testService();
  const { fetch, asked } = front({
    edge: (request) => alive.edge ? own(request) : down(request),
    container: (request) => alive.container ? service.fetch(request) : down(request),
  });
  const validate = async () => {
    const answer = await fetch(compileRequest(BODY, VALIDATE));
    await answer.body?.cancel();
    return [answer.status, answer.headers.get(BACKEND)];
  };
  for (let call = 0; call < 3; call++) {
    assertEquals(await validate(), [200, "container-fallback"]);
  }
  Object.assign(alive, { edge: true, container: false });
  assertEquals(await validate(), [200, "edge"]);
  assertEquals(asked.slice(-2), ["container", "edge"]);
  assertEquals(await validate(), [200, "edge"]);
  assertEquals(asked.slice(-2), ["edge", "edge"]);
});

Deno.test("a busy container sends a validation to the edge that was spared, and is heard when that fails", async () => {
  const alive = { edge: false };
  const busy: Upstream = () =>
    Promise.resolve(
      new Response('{"code":"COMPILE_BUSY"}', {
        status: 503,
        headers: { "content-type": "application/problem+json", "retry-after": "5" },
      }),
    );
  const own = createEdge({
    ports: testPorts().ports,
    baseUrl: "https://edge.test",
    apiKeys: [KEY],
  });
  const { fetch } = front({
    edge: (request) => alive.edge ? own(request) : down(request),
    container: busy,
  });
  for (let call = 0; call < 4; call++) {
    const answer = await fetch(compileRequest(BODY, VALIDATE));
    assertEquals([answer.status, (await json(answer)).code], [503, "COMPILE_BUSY"]);
  }
  alive.edge = true;
  const answer = await fetch(compileRequest(BODY, VALIDATE));
  assertEquals([answer.status, answer.headers.get(BACKEND)], [200, "edge"]);
  await answer.body?.cancel();
});

Deno.test("without an edge nothing names a backend", async () => {
  const { fetch, asked } = front({ edge: null });
  const answer = await fetch(compileRequest(BODY, VALIDATE));
  assertEquals([answer.status, answer.headers.has(BACKEND)], [200, false]);
  await answer.body?.cancel();
  assertEquals(asked, ["container"]);
});

Deno.test("a container that does not answer is 503 with Retry-After", async () => {
  const { fetch } = front({ container: down });
  const answer = await fetch(compileRequest(BODY));
  assertEquals([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  assertEquals((await json(answer)).code, "COMPILE_UNAVAILABLE");
});

Deno.test("the router asks nobody for callers without a key, or what no backend takes", async () => {
  const { fetch, asked } = front();
  for (
    const [options, status] of [
      [{ headers: { "x-api-key": "no" } }, 401],
      [{ query: "?complete=maybe" }, 400],
    ] as const
  ) {
    const answer = await fetch(compileRequest(BODY, options));
    assertEquals(answer.status, status);
    await answer.body?.cancel();
  }
  const large = await fetch(compileRequest(" ".repeat(8 * 1024 * 1024 + 1), VALIDATE));
  assertEquals([large.status, (await json(large)).code], [413, "PAYLOAD_TOO_LARGE"]);
  assertEquals(asked, []);
});

Deno.test("frames pass as they come, and a client that leaves is told on", async () => {
  const encoder = new TextEncoder();
  let isCancelled = false;
  let push = (_text: string): void => {};
  const container: Upstream = () =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start: (controller) => {
            push = (text) => controller.enqueue(encoder.encode(text));
          },
          cancel: () => void (isCancelled = true),
        }),
        { headers: { "content-type": "text/event-stream", "x-service-stream": "v2" } },
      ),
    );
  const answer = await front({ container }).fetch(
    compileRequest(BODY, { headers: { ...STREAM_V2, "accept-encoding": "gzip" } }),
  );
  assertEquals(answer.headers.has("content-encoding"), false);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert(reader);
  for (const text of ["event: a\n\n", "event: b\n\n"]) {
    push(text);
    assertEquals((await reader.read()).value, text);
  }
  await reader.cancel();
  await settle();
  assertEquals(isCancelled, true);
});

Deno.test("templates and health pass the router", async () => {
  const { fetch } = front();
  const health = await json(await fetch(new Request("https://build.test/health")));
  assertEquals([health.status, health.backend], ["ok", "router"]);
  const list = await json(await fetch(new Request("https://build.test/templates")));
  assert(Array.isArray(list.templates) && list.templates.length === 1);
});

function abortedOf(signal: AbortSignal): boolean {
  return signal.aborted;
}
