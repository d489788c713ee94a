/** The webhook sink of `dev`: what reaches it, and which names it answers for. */
import { assertEquals } from "@std/assert";
import { API_TOOLS } from "../../../cli/dev/api_tools_words.ts";
import { SINK_HOST, WebhookSink } from "../../../cli/dev/webhook_sink.ts";
import type { Delivery } from "../../../playground/mod.ts";
import { dohResolver } from "../../../library/platform/mod.ts";
import { checkDestination } from "../../../shared/runtime/destination/check_destination.ts";

const KEY = "0123456789abcdef";

async function withSink(
  body: (sink: WebhookSink, deliveries: readonly Delivery[]) => Promise<void>,
  resolver = "http://127.0.0.1:9/dns-query",
): Promise<void> {
  const deliveries: Delivery[] = [];
  const sink = new WebhookSink({
    key: KEY,
    resolver,
    onDelivery: (one) => void deliveries.push(one),
  });
  try {
    await body(sink, deliveries);
  } finally {
    await sink.close();
  }
}

Deno.test("a delivery to the sink's own address is kept, and answered as the address asks", () =>
  withSink(async ({ port }, deliveries) => {
    const post = async (path: string, method = "POST") => {
      const body = method === "POST" ? "{}" : null;
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body });
      await answer.body?.cancel();
      return answer.status;
    };
    assertEquals(await post(`/${KEY}`), 200);
    assertEquals(await post(`/${KEY}/503`), 503);
    assertEquals(await post(`/${KEY}/200`), 200);
    assertEquals(await post("/other"), 404);
    assertEquals(await post("/"), 404);
    assertEquals(await post(`/${KEY}`, "GET"), 404);
    assertEquals(deliveries.map(({ number, answered, body }) => [number, answered, body]), [
      [1, 200, "{}"],
      [2, 503, "{}"],
      [3, 200, "{}"],
    ]);
  }));

Deno.test("a delivery is handed on to a port of this machine as it came, and answered as there", async () => {
  const received: unknown[] = [];
  const status = { next: 204, later: "" };
  const own = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const signature = request.headers.get("webhook-signature");
      received.push([request.method, pathname + search, signature, await request.text()]);
      const headers = { location: "/elsewhere", "retry-after": status.later };
      return new Response(null, { status: status.next, headers });
    },
  );
  const other = own.addr.port;
  try {
    await withSink(async ({ port }, deliveries) => {
      const post = (path: string) =>
        fetch(`http://127.0.0.1:${port}/${KEY}${path}`, {
          method: "POST",
          headers: { "webhook-signature": "v1,abc", "content-type": "application/json" },
          body: '{"type":"a.b", "data":"ü"}',
          redirect: "manual",
        });
      for (const next of [204, 200, 302, 410, 500]) {
        status.next = next;
        status.later = next === 500 ? "7" : "";
        const answer = await post(`/to/${other}/hooks/in?a=1`);
        await answer.body?.cancel();
        assertEquals([answer.status, answer.headers.get("location")], [next, null]);
        if (next === 500) assertEquals(answer.headers.get("retry-after"), "7");
      }
      const sent = ["POST", "/hooks/in?a=1", "v1,abc", '{"type":"a.b", "data":"ü"}'];
      assertEquals(received, Array.from({ length: 5 }, () => sent));
      assertEquals(deliveries.map(({ answered }) => answered), [204, 200, 302, 410, 500]);
      for (
        const path of ["/to", "/to/", "/to/0/a", "/to/65536/a", "/to/example.com/a", "/to/80a/"]
      ) {
        const answer = await post(path);
        await answer.body?.cancel();
        assertEquals(answer.status, 404, path);
      }
      const away = await post("/to/9/");
      assertEquals(away.status, 502);
      assertEquals([deliveries.length, received.length], [6, 5]);
    });
  } finally {
    await own.shutdown();
  }
});

Deno.test("nothing that an output is made of or runs on knows the sink", async () => {
  const found: string[] = [];
  for (const folder of ["shared", "library/platform", "generated-templates", "library/client"]) {
    for await (const path of filesBelow(new URL(`../../../${folder}/`, import.meta.url))) {
      const text = await Deno.readTextFile(path);
      if (text.includes(SINK_HOST) || text.includes(API_TOOLS)) found.push(path.pathname);
    }
  }
  assertEquals(found, []);
});

async function* filesBelow(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield new URL(name, folder);
  }
}

Deno.test("the destination policy takes the sink's name for a public one", () =>
  withSink(async ({ url, resolverUrl }) => {
    const resolver = dohResolver({ url: resolverUrl });
    assertEquals(await checkDestination(url, { allowInsecure: false, resolver }), {
      kind: "public",
      addresses: ["3ffe::1"],
    });
  }));

Deno.test("every other name goes to the resolver that was set", async () => {
  const asked: string[] = [];
  const other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    const question = new URL(url).searchParams;
    asked.push(`${question.get("ct")} ${question.get("name")} ${question.get("type")}`);
    return Response.json({ Status: 3 });
  });
  try {
    const { port } = other.addr;
    await withSink(async ({ resolverUrl }) => {
      const resolver = dohResolver({ url: resolverUrl });
      const { exists, addresses } = await resolver.resolve(`not.${SINK_HOST}`);
      assertEquals([exists, addresses], [false, []]);
    }, `http://127.0.0.1:${port}/dns-query?ct=json`);
  } finally {
    await other.shutdown();
  }
  assertEquals(asked.toSorted(), [`json not.${SINK_HOST} A`, `json not.${SINK_HOST} AAAA`]);
});

Deno.test("a resolver that is away is told as one that does not answer", () =>
  withSink(async ({ resolverUrl }) => {
    const { failure } = await dohResolver({ url: resolverUrl }).resolve("example.com");
    assertEquals(failure, "The resolver answered 502");
  }));
