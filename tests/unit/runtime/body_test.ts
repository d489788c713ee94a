/** What no body may be, whatever the operation. */
import { assertEquals } from "@std/assert";
import { BODY_MAX_BYTES } from "../../../shared/contract/limits.ts";
import type { Timer } from "../../../shared/runtime/timer.ts";
import { Refusal } from "../../../shared/runtime/refusal.ts";
import { BODY_MEMBERS_MAX, bodyOf } from "../../../shared/runtime/request/body.ts";

type Sent = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

function requestWith(body: Sent, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

async function refusalOf(body: Sent, headers?: Record<string, string>): Promise<string | null> {
  try {
    await bodyOf(requestWith(body, headers)).object();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} ${error.options.pointer ?? "-"}`;
    throw error;
  }
}

const NUMBERS =
  '{"a":[9007199254740991,-9007199254740991,1e20,1E+20,0.12345678901234567],"9007199254740993":"9007199254740993"}';

const CASES: readonly (readonly [string, Sent, Record<string, string>, string | null])[] = [
  ["an object", "{}", {}, null],
  ["an object with a charset", "{}", { "content-type": "Application/JSON; charset=utf-8" }, null],
  ["a +json type", "{}", { "content-type": "application/vnd.api+json" }, null],
  [
    "a merge patch",
    "{}",
    { "content-type": "application/merge-patch+json" },
    "UNSUPPORTED_MEDIA_TYPE -",
  ],
  ["a form", "a=1", { "content-type": "text/plain" }, "UNSUPPORTED_MEDIA_TYPE -"],
  ["no type", "{}", { "content-type": "" }, "UNSUPPORTED_MEDIA_TYPE -"],
  ["an encoded body", "{}", { "content-encoding": "gzip" }, "UNSUPPORTED_MEDIA_TYPE -"],
  ["nothing", null, {}, "INVALID_JSON -"],
  ["half an object", '{"a":', {}, "INVALID_JSON -"],
  ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), {}, "INVALID_JSON -"],
  ["an array", "[]", {}, "VALIDATION_ERROR "],
  ["null", "null", {}, "VALIDATION_ERROR "],
  ["a text", '"a"', {}, "VALIDATION_ERROR "],
  ["a prototype key", '{"__proto__":{"a":1}}', {}, "VALIDATION_ERROR /__proto__"],
  ["a constructor key", '{"a":[{"constructor":1}]}', {}, "VALIDATION_ERROR /a/0/constructor"],
  ["a number that no double holds", '{"a":{"b~":[0,-1e400]}}', {}, "VALIDATION_ERROR /a/b~0/1"],
  [
    "a whole number beyond 53 bits",
    '{"a":[1,{"b":9007199254740993}]}',
    {},
    "VALIDATION_ERROR /a/1/b",
  ],
  ["one below", '{"a":-9007199254740992}', {}, "VALIDATION_ERROR /a"],
  ["the largest ones, exponents and digits in texts", NUMBERS, {}, null],
  ["a large body", " ".repeat(BODY_MAX_BYTES) + "{}", {}, "PAYLOAD_TOO_LARGE -"],
  ["a body announced large", "{}", { "content-length": "9999999" }, "PAYLOAD_TOO_LARGE -"],
];

for (const [what, body, headers, refusal] of CASES) {
  Deno.test(`bodyOf() answers ${what} with ${refusal ?? "its members"}`, async () => {
    assertEquals(await refusalOf(body, headers), refusal);
  });
}

Deno.test("bodyOf() stops reading a stream that grows past the limit", async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(64 * 1024).fill(32));
    },
  });
  assertEquals(await refusalOf(endless), "PAYLOAD_TOO_LARGE -");
  assertEquals(pulled < 40, true);
});

Deno.test("a body that does not end is refused with REQUEST_TIMEOUT after 30 seconds, and no longer read", async () => {
  let isCancelled = false;
  let waited: { readonly milliseconds: number; readonly run: () => void } | null = null;
  const started = Promise.withResolvers<void>();
  const half = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
    cancel: () => void (isCancelled = true),
  });
  const timer: Timer = {
    after(milliseconds, run) {
      waited = { milliseconds, run };
      started.resolve();
      return () => {};
    },
  };
  const outcome = bodyOf(requestWith(half), { timer }).object()
    .then(() => null, (error: unknown) => error instanceof Refusal && error.code);
  await started.promise;
  assertEquals(waited!.milliseconds, 30_000);
  waited!.run();
  assertEquals(await outcome, "REQUEST_TIMEOUT");
  assertEquals(isCancelled, true);
});

for (
  const [what, sent, expected] of [
    ["stops", "{", "REQUEST_TIMEOUT"],
    ["breaks off", null, "INVALID_JSON"],
  ] as const
) {
  Deno.test(`a body of an announced length that ${what} is refused with ${expected}, over a real connection`, async () => {
    const refused = Promise.withResolvers<unknown>();
    const timer: Timer = {
      after(_, run) {
        const id = setTimeout(run, 50);
        return () => clearTimeout(id);
      },
    };
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        const code = await bodyOf(request, sent === null ? {} : { timer }).object()
          .then(() => null, (error: unknown) => error instanceof Refusal && error.code);
        refused.resolve(code);
        return new Response(String(code), { headers: { connection: "close" } });
      },
    );
    const client = await Deno.connect({ port: server.addr.port, hostname: "127.0.0.1" });
    const head =
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n";
    await client.write(new TextEncoder().encode(head + (sent ?? "{")));
    if (sent === null) client.close();
    assertEquals(await refused.promise, expected);
    if (sent === null) return;
    const answer = new Uint8Array(1000);
    const length = await client.read(answer);
    assertEquals(
      new TextDecoder().decode(answer.subarray(0, length ?? 0)).includes(expected),
      true,
    );
    client.close();
  });
}

Deno.test("a body that arrives leaves no timer behind", async () => {
  let isStopped = false;
  const timer: Timer = { after: () => () => void (isStopped = true) };
  assertEquals(await bodyOf(requestWith("{}"), { timer }).object(), {});
  assertEquals(isStopped, true);
});

Deno.test("bodyOf() takes exactly 1 MiB", async () => {
  const text = `{"a":"${"x".repeat(BODY_MAX_BYTES - 8)}"}`;
  assertEquals(text.length, BODY_MAX_BYTES);
  assertEquals(await refusalOf(text), null);
});

Deno.test("a body of a megabyte of brackets is refused, not a crash", async () => {
  const depth = 500_000;
  const text = `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  assertEquals((await refusalOf(text))?.split(" ")[0], "VALIDATION_ERROR");
});

Deno.test("bodyOf() allows the largest value, and nothing beyond", async () => {
  const many = (count: number) => JSON.stringify({ a: Array.from({ length: count - 1 }, () => 0) });
  assertEquals(await refusalOf(many(BODY_MEMBERS_MAX)), null);
  assertEquals(await refusalOf(many(BODY_MEMBERS_MAX + 1)), "VALIDATION_ERROR /a");
});

Deno.test("settle() keeps what could be parsed for the echo and throws no refusal", async () => {
  const parsed = bodyOf(requestWith("[1]"));
  await parsed.settle();
  assertEquals(parsed.parsed(), [1]);
  const broken = bodyOf(requestWith("{"));
  await broken.settle();
  assertEquals(broken.parsed(), undefined);
});
