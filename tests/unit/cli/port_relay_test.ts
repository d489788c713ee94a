/** The relay in front of the APIs of `dev`. */
import { assertEquals, assertThrows } from "@std/assert";
import { openPortRelay } from "../../../cli/dev/port_relay.ts";
import { freePort } from "../../support/free_port.ts";

const LOOPBACK = "127.0.0.1";

Deno.test("the relay serves without a gap while one API follows another", async () => {
  await using first = serve("first");
  await using second = serve("second");
  const relay = openPortRelay({ hostname: LOOPBACK, port: freePort(), mayMove: true });
  relay.switchTo(first.addr.port);
  const before = await Promise.all(Array.from({ length: 20 }, () => ask(relay.port)));
  relay.switchTo(second.addr.port);
  const after = await Promise.all(Array.from({ length: 20 }, () => ask(relay.port)));
  relay.close();
  assertEquals(new Set(before), new Set(["first"]));
  assertEquals(new Set(after), new Set(["second"]));
});

Deno.test("what comes while the relay holds is answered by the next API, or by this one once it is released", async () => {
  await using first = serve("first");
  await using second = serve("second");
  const relay = openPortRelay({ hostname: LOOPBACK, port: freePort(), mayMove: true });
  relay.switchTo(first.addr.port);
  relay.hold();
  const held = ask(relay.port);
  relay.switchTo(second.addr.port);
  assertEquals(await held, "second");
  relay.hold();
  const released = ask(relay.port);
  relay.release();
  assertEquals(await released, "second");
  relay.close();
});

Deno.test("the relay passes large bodies both ways unchanged", async () => {
  await using server = Deno.serve(
    { hostname: LOOPBACK, port: 0, onListen: () => {} },
    async (request) => new Response(await request.arrayBuffer()),
  );
  const relay = openPortRelay({ hostname: LOOPBACK, port: freePort(), mayMove: true });
  relay.switchTo(server.addr.port);
  const body = new Uint8Array(3_000_000).map((_, index) => index % 251);
  const response = await fetch(`http://${LOOPBACK}:${relay.port}/`, {
    method: "POST",
    body,
    headers: { connection: "close" },
  });
  const received = new Uint8Array(await response.arrayBuffer());
  relay.close();
  assertEquals(received.length, body.length);
  assertEquals(received.every((byte, index) => byte === body[index]), true);
});

Deno.test("openPortRelay() takes the next port only where it may", () => {
  using busy = Deno.listen({ hostname: LOOPBACK, port: 0 });
  const { port } = busy.addr;
  assertThrows(
    () => openPortRelay({ hostname: LOOPBACK, port, mayMove: false }),
    Error,
    `Port ${port} is in use`,
  );
  const relay = openPortRelay({ hostname: LOOPBACK, port, mayMove: true });
  relay.close();
  assertEquals(relay.port > port, true);
});

function serve(text: string): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve(
    { hostname: LOOPBACK, port: 0, onListen: () => {} },
    () => new Response(text),
  );
}

async function ask(port: number): Promise<string> {
  const response = await fetch(`http://${LOOPBACK}:${port}/`, { headers: { connection: "close" } });
  return await response.text();
}
