/** The resolver against servers that answer, in either form, fail, lie and stall (contract 8.2.5, 8). */
import { assertEquals } from "@std/assert";
import * as dns from "@leichtgewicht/dns-packet";
import { dohResolver } from "../../../library/platform/webhooks/doh_resolver.ts";
import type { Resolution } from "../../../shared/runtime/ports.ts";

type Answer = (question: { readonly name: string; readonly type: string }) => Response;

const FAILED = { addresses: [], exists: true } as const;
const MALFORMED: Resolution = { ...FAILED, failure: "The resolver gave a malformed answer" };

function a(data: unknown, type = 1): Readonly<Record<string, unknown>> {
  return { name: "hooks.example.com", type, TTL: 60, data };
}

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { "content-type": "application/dns-json" } });
}

/** Answers the question for `A` so, and the one for `AAAA` with nothing. */
function onlyA(body: unknown): Answer {
  return ({ type }) => type === "A" ? json(body) : json({ Status: 0 });
}

const ANSWERS: readonly (readonly [what: string, Answer, Resolution])[] = [
  [
    "both kinds, behind an alias",
    ({ type }) =>
      json({
        Status: 0,
        Answer: [a("other.example.", 5), type === "A" ? a("8.8.8.8") : a("2606:4700::1", 28)],
      }),
    { addresses: ["8.8.8.8", "2606:4700::1"], exists: true, failure: null },
  ],
  ["nothing", () => json({ Status: 0 }), { addresses: [], exists: true, failure: null }],
  ["no such name", () => json({ Status: 3 }), { addresses: [], exists: false, failure: null }],
  ["SERVFAIL", () => json({ Status: 2 }), { ...FAILED, failure: "The resolver reported an error" }],
  ["500", () => json({}, 500), { ...FAILED, failure: "The resolver answered 500" }],
  [
    "a redirect",
    () => Response.redirect("https://dns.example/", 302),
    { ...FAILED, failure: "The resolver did not answer" },
  ],
  [
    "32 records",
    onlyA({ Status: 0, Answer: Array.from({ length: 32 }, () => a("8.8.8.8")) }),
    { addresses: Array.from({ length: 32 }, () => "8.8.8.8"), exists: true, failure: null },
  ],
  [
    "33 records",
    onlyA({ Status: 0, Answer: Array.from({ length: 33 }, () => a("8.8.8.8")) }),
    { ...FAILED, failure: "The resolver gave more than 32 records" },
  ],
  [
    "a truncated answer",
    onlyA({ Status: 0, TC: true, Answer: [a("8.8.8.8")] }),
    { ...FAILED, failure: "The resolver cut its answer" },
  ],
  ["no JSON", () => new Response("<html>"), MALFORMED],
  ["an empty body", () => new Response(""), MALFORMED],
  ["an array", () => json([]), MALFORMED],
  ["no status", onlyA({ Answer: [a("8.8.8.8")] }), MALFORMED],
  ["a text as status", onlyA({ Status: "0" }), MALFORMED],
  ["answers that are no list", onlyA({ Status: 0, Answer: {} }), MALFORMED],
  ["null for answers", onlyA({ Status: 0, Answer: null }), MALFORMED],
  ["data that is no text", onlyA({ Status: 0, Answer: [a(8)] }), MALFORMED],
  ["a type by name", onlyA({ Status: 0, Answer: [{ type: "A", data: "8.8.8.8" }] }), MALFORMED],
  ["an IPv6 address in an A record", onlyA({ Status: 0, Answer: [a("2606:4700::1")] }), MALFORMED],
  [
    "an IPv4 address in an AAAA record",
    onlyA({ Status: 0, Answer: [a("8.8.8.8", 28)] }),
    MALFORMED,
  ],
  [
    "A records for either question",
    () => json({ Status: 0, Answer: [a("8.8.8.8")] }),
    { addresses: ["8.8.8.8", "8.8.8.8"], exists: true, failure: null },
  ],
  ["more than any answer has", () => new Response("x".repeat(70_000)), MALFORMED],
  [
    "one question answered, the other failed",
    ({ type }) => type === "A" ? json({ Status: 0, Answer: [a("10.0.0.1")] }) : json({}, 502),
    { addresses: ["10.0.0.1"], exists: true, failure: "The resolver answered 502" },
  ],
];

for (const [what, answer, expected] of ANSWERS) {
  Deno.test(`a resolver answers with ${what}`, async () => {
    await withServer(answer, async (url) => {
      assertEquals(
        await dohResolver({ url, timeout: 120_000 }).resolve("hooks.example.com"),
        expected,
      );
    });
  });
}

Deno.test("both questions are asked, as a client of JSON asks", async () => {
  const asked: string[] = [];
  const answer: Answer = ({ name, type }) => {
    asked.push(`${name} ${type}`);
    return json({ Status: 0 });
  };
  await withServer(
    answer,
    (url) => dohResolver({ url, timeout: 120_000 }).resolve("hooks.example.com"),
  );
  assertEquals(asked.sort(), ["hooks.example.com A", "hooks.example.com AAAA"]);
});

const WIRE: readonly (readonly [what: string, body: () => Uint8Array, Resolution])[] = [
  [
    "addresses",
    () => wire({ answers: [{ type: "A", name: "hooks.example.com", data: "8.8.8.8" }] }),
    { addresses: ["8.8.8.8", "8.8.8.8"], exists: true, failure: null },
  ],
  ["no such name", () => wire({ status: 3 }), { addresses: [], exists: false, failure: null }],
  [
    "SERVFAIL",
    () => wire({ status: 2 }),
    { ...FAILED, failure: "The resolver reported an error" },
  ],
  [
    "33 records",
    () =>
      wire({
        answers: Array.from({ length: 33 }, () => ({
          type: "A" as const,
          name: "hooks.example.com",
          data: "8.8.8.8",
        })),
      }),
    { ...FAILED, failure: "The resolver gave more than 32 records" },
  ],
  ["a cut answer", () => wire({ cut: true }), {
    ...FAILED,
    failure: "The resolver cut its answer",
  }],
  ["the id of another question", () => wire({ id: 1 }), MALFORMED],
  [
    "another name's answer",
    () => wire({ questions: [{ type: "A", name: "other.example.com", class: "IN" }] }),
    MALFORMED,
  ],
  [
    "the answer to a question of another type",
    () => wire({ questions: [{ type: "TXT", name: "hooks.example.com", class: "IN" }] }),
    MALFORMED,
  ],
  ["a question", () => dns.encode({ type: "query", questions: [] }), MALFORMED],
  ["half a packet", () => wire({}).slice(0, 7), MALFORMED],
  ["no bytes", () => new Uint8Array(), MALFORMED],
];

for (const [what, body, expected] of WIRE) {
  Deno.test(`a resolver that only speaks DNS's own form answers with ${what}`, async () => {
    const answer: Answer = ({ name }) =>
      name !== ""
        ? new Response("dns parameter missing", { status: 400 })
        : new Response(Uint8Array.from(body()), {
          headers: { "content-type": "application/dns-message" },
        });
    await withServer(answer, async (url) => {
      assertEquals(
        await dohResolver({ url, timeout: 120_000 }).resolve("hooks.example.com"),
        expected,
      );
    });
  });
}

Deno.test("a resolver that stalls or is gone has failed", async () => {
  const stalled = Promise.withResolvers<void>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async () => (await stalled.promise, json({ Status: 0 })),
  );
  const url = `http://127.0.0.1:${server.addr.port}/dns-query`;
  const slow = await dohResolver({ url, timeout: 30 }).resolve("hooks.example.com");
  assertEquals(slow, { ...FAILED, failure: "The resolver took too long" });
  stalled.resolve();
  await server.shutdown();
  const gone = await dohResolver({ url, timeout: 120_000 }).resolve("hooks.example.com");
  assertEquals(gone, { ...FAILED, failure: "The resolver did not answer" });
});

interface WireAnswer {
  readonly answers?: dns.Answer[];
  readonly questions?: dns.Question[];
  readonly status?: number;
  readonly id?: number;
  readonly cut?: boolean;
}

function wire(
  { answers = [], questions = [], status = 0, id = 0, cut = false }: WireAnswer,
): Uint8Array {
  const flags = cut ? dns.TRUNCATED_RESPONSE : 0;
  return dns.encode({ type: "response", id, flags, questions, answers }).with(3, status);
}

async function withServer(answer: Answer, body: (url: string) => Promise<unknown>): Promise<void> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { searchParams } = new URL(request.url);
    return answer({ name: searchParams.get("name") ?? "", type: searchParams.get("type") ?? "" });
  });
  try {
    await body(`http://127.0.0.1:${server.addr.port}/dns-query`);
  } finally {
    await server.shutdown();
  }
}
