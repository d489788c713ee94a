/** The dialer: where the connection goes, what it carries, and what it reads (contract 8.2, traps 15). */
import { assertEquals } from "@std/assert";
import { pinnedDialer } from "../../../library/platform/webhooks/pinned_dialer.ts";
import type { DialOutcome, DialRequest } from "../../../shared/runtime/ports.ts";

const dialer = pinnedDialer();

Deno.test("the connection goes to the given address, the name stays in Host", async () => {
  const seen: unknown[] = [];
  const outcome = await withReceiver(async (request) => {
    const { method, url, headers } = request;
    const { hostname, pathname, search } = new URL(url);
    const names = ["accept-encoding", "content-length", "x-own"];
    seen.push({
      method,
      hostname,
      target: pathname + search,
      headers: names.map((name) => headers.get(name)),
      body: await request.text(),
    });
    return new Response("thanks", { status: 202 });
  }, { url: (port) => `http://hooks.invalid:${port}/in?a=b` });
  assertEquals(outcome, {
    kind: "answered",
    status: 202,
    location: null,
    retryAfter: null,
    body: "thanks",
  });
  assertEquals(seen, [{
    method: "POST",
    hostname: "hooks.invalid",
    target: "/in?a=b",
    headers: ["identity", "7", "yes"],
    body: '{"ü":1',
  }]);
});

Deno.test("a redirect is answered as one, however long its target is", async () => {
  const target = `http://elsewhere.invalid/${"a".repeat(100_000)}`;
  const outcome = await withReceiver(() =>
    Promise.resolve(new Response(null, { status: 302, headers: { location: target } }))
  );
  assertEquals(outcome.kind === "answered" && [outcome.status, outcome.location], [302, target]);
});

Deno.test("a redirect is answered as it is and not followed", async () => {
  let calls = 0;
  const outcome = await withReceiver((request) => {
    calls += 1;
    return Response.redirect(new URL("/elsewhere", request.url), 307);
  });
  assertEquals(outcome.kind === "answered" && outcome.status, 307);
  assertEquals(outcome.kind === "answered" && outcome.location?.endsWith("/elsewhere"), true);
  assertEquals(calls, 1);
});

Deno.test("no more of the body is read than asked for", async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1024).fill(120));
    },
  });
  const outcome = await withReceiver(() => new Response(endless), { maxBytes: 4000 });
  assertEquals(outcome, {
    kind: "answered",
    status: 200,
    location: null,
    retryAfter: null,
    body: "x".repeat(4000),
  });
  assertEquals(pulled < 100_000, true);
});

Deno.test("an answer that is compressed all the same is not inflated", async () => {
  const packed = new Response(
    new Blob(["x".repeat(100_000)]).stream().pipeThrough(new CompressionStream("gzip")),
  );
  const bytes = await packed.bytes();
  const outcome = await withReceiver(() =>
    new Response(bytes, { headers: { "content-encoding": "gzip" } })
  );
  assertEquals(outcome.kind === "answered" && outcome.body.length < 1000, true);
});

Deno.test("an endpoint that stalls, before or within its answer, costs no more than the timeout", async () => {
  const held = Promise.withResolvers<void>();
  const silent = await withReceiver(async () => {
    await held.promise;
    return new Response("late");
  }, { timeout: 40, release: held.resolve });
  assertEquals(silent, { kind: "failed", reason: "The endpoint took too long" });
  const dripping = new ReadableStream({ start: (c) => c.enqueue(new Uint8Array([120])) });
  const half = await withReceiver(() => new Response(dripping), { timeout: 40 });
  assertEquals(half, { kind: "failed", reason: "The endpoint took too long" });
});

Deno.test("an endpoint that is gone could not be reached", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(),
  );
  const { port } = server.addr;
  await server.shutdown();
  const outcome = await dialer.post(requestTo(`http://hooks.invalid:${port}/`));
  assertEquals(outcome, { kind: "failed", reason: "The endpoint could not be reached" });
});

function requestTo(url: string, options: Partial<DialRequest> = {}): DialRequest {
  return {
    url,
    address: "127.0.0.1",
    headers: { "content-type": "application/json", "x-own": "yes" },
    body: '{"ü":1',
    timeout: 120_000,
    maxBytes: 4096,
    ...options,
  };
}

async function withReceiver(
  answer: (request: Request) => Response | Promise<Response>,
  options: {
    readonly url?: (port: number) => string;
    readonly timeout?: number;
    readonly maxBytes?: number;
    readonly release?: () => void;
  } = {},
): Promise<DialOutcome> {
  const { url = (port) => `http://hooks.invalid:${port}/`, release, ...rest } = options;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  try {
    return await dialer.post(requestTo(url(server.addr.port), rest));
  } finally {
    release?.();
    await server.shutdown();
  }
}
