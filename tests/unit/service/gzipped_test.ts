/** Compressed answers (contract 4.8): the same bytes for the client, and none that hold the thread for long. */
import { assert, assertEquals } from "@std/assert";
import { gzipped } from "../../../shared/service/mod.ts";

const ASKING = new Headers({ "accept-encoding": "gzip" });
const UNZIPPED = () => new DecompressionStream("gzip");

Deno.test("an answer of any size and any pieces comes out as it went in", async () => {
  const sizes = [0, 1, 65_535, 65_536, 65_537, 1_000_000];
  for (const size of sizes) {
    const bytes = Uint8Array.from({ length: size }, (_, at) => at * at % 251);
    const parts = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const part of [bytes.slice(0, 3), new Uint8Array(), bytes.slice(3)]) {
          controller.enqueue(part);
        }
        controller.close();
      },
    });
    const answer = gzipped(new Response(parts), ASKING);
    assertEquals(answer.headers.get("content-encoding"), "gzip");
    assert(answer.body !== null);
    const read = await new Response(answer.body.pipeThrough(UNZIPPED())).bytes();
    assertEquals(read, bytes);
  }
});

Deno.test("a large answer is taken piece by piece, as the client reads", async () => {
  let taken = 0;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      taken += 1;
      // What cannot be compressed comes out as it goes in.
      controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536)));
    },
  }, { highWaterMark: 0 });
  const reader = gzipped(new Response(source), ASKING).body?.getReader();
  await reader?.read();
  assert(taken < 10, `${taken} pieces`);
  await reader?.cancel();
});

Deno.test("a client that leaves ends what is compressed for it", async () => {
  let isCancelled = false;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536))),
    cancel: () => void (isCancelled = true),
  });
  const reader = gzipped(new Response(source), ASKING).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  assert(isCancelled);
});
