/** The webhook sink of `dev`: what reaches it, and which names it answers for. */
import { assertEquals } from "@std/assert";
import { SINK_HOST, WebhookSink } from "../../../cli/dev/webhook_sink.ts";
import type { Delivery } from "../../../playground/mod.ts";
import { dohResolver } from "../../../platform/mod.ts";
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
