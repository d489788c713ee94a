/** The client's subscription to a running API: frames, coming back, and what it cannot come back from (contract 6.3). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError, createClient } from "../../../library/client/mod.ts";
import { BASE_URL, type Claims, tokenFor } from "../../support/api.ts";
import { board } from "../../support/board_project.ts";
import { type RealtimeUnderTest, withRealtime } from "../../support/realtime.ts";
import type { Api } from "./board_api.ts";
import type { Api as Notes } from "./notes_api.ts";

const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
const HOUR = 60 * 60 * 1000;

interface Asked {
  readonly lastEventId: string | null;
  readonly search: string;
}

interface BoardUnderTest {
  readonly client: ReturnType<typeof createClient<Api>>;
  readonly api: RealtimeUnderTest;
  /** Is there when that many streams have been open. */
  opened(count: number): Promise<void>;
  /** Requests for a stream. */
  readonly asked: readonly Asked[];
  readonly pauses: readonly number[];
  /** Breaks the streams that are open, as a connection does. */
  drop(): void;
  /** Answers the next request for a stream itself. */
  answerNext(response: () => Response): void;
}

function withBoard(body: (underTest: BoardUnderTest) => Promise<void>): Promise<void> {
  return withRealtime(board(), async (api) => {
    const asked: Asked[] = [];
    const pauses: number[] = [];
    const open = new Set<TransformStreamDefaultController<Uint8Array<ArrayBuffer>>>();
    const answers: (() => Response)[] = [];
    const openings = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    let opened = 0;
    const client = createClient<Api>(BASE_URL, {
      token: () => tokenFor(ADMIN, api.ports.clock.now()),
      wait: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
      async fetch(request) {
        request.headers.set("host", new URL(BASE_URL).host);
        const { pathname, search } = new URL(request.url);
        if (!pathname.startsWith("/broadcast/")) {
          return await api.fetch(request, { clientIp: null });
        }
        asked.push({ lastEventId: request.headers.get("last-event-id"), search });
        const response = answers.shift()?.() ?? await api.fetch(request, { clientIp: null });
        if (!response.body || !response.ok) return response;
        const wire = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          start: (controller) => void open.add(controller),
        });
        openings[opened++]?.resolve();
        return new Response(response.body.pipeThrough(wire), response);
      },
    });
    await body({
      client,
      api,
      opened: (count) => openings[count - 1]?.promise ?? Promise.reject(new RangeError()),
      asked,
      pauses,
      drop() {
        for (const one of open) one.error(new TypeError("The connection broke"));
        open.clear();
      },
      answerNext: (response) => void answers.push(response),
    });
    api.end();
  });
}

Deno.test("a subscriber hears of changes and signals, each under its own type", () =>
  withBoard(async ({ client, opened, asked }) => {
    const end = new AbortController();
    const frames = client.subscribe({ resources: ["cards"], signal: end.signal });
    const first = frames.next();
    await opened(1);
    const cards = client.resource("cards");
    const { id } = await cards.create({ title: "Paint" });
    const { value: made } = await first;
    assert(made?.type === "record.created");
    assertEquals([made.resource, made.id, made.data.title], ["cards", id, "Paint"]);
    assert(made.eventId !== undefined);
    await cards.delete(id);
    const { value: gone } = await frames.next();
    assert(gone?.type === "record.deleted");
    assertEquals(gone.id, id);
    assertEquals(asked, [{ lastEventId: null, search: "?resources=cards" }]);
    const last = frames.next();
    end.abort();
    assertEquals(await last, { value: undefined, done: true });
  }));

Deno.test("a subscription whose connection breaks comes back after the last event, and misses nothing", () =>
  withBoard(async ({ client, opened, drop, asked, pauses }) => {
    const end = new AbortController();
    const frames = client.subscribe({ signal: end.signal });
    const first = frames.next();
    await opened(1);
    const cards = client.resource("cards");
    await cards.create({ title: "One" });
    const { value: one } = await first;
    drop();
    await cards.create({ title: "Two" });
    const { value: two } = await frames.next();
    assert(one?.type === "record.created" && two?.type === "record.created");
    assert(one.resource === "cards" && two.resource === "cards");
    assertEquals([one.data.title, two.data.title], ["One", "Two"]);
    assertEquals(asked.map(({ lastEventId }) => lastEventId), [null, one.eventId ?? ""]);
    assertEquals(pauses, [200]);
    end.abort();
    await frames.next();
  }));

Deno.test("a subscription goes on where another one ended, and is told when that is too long ago", () =>
  withBoard(async ({ client, opened }) => {
    const end = new AbortController();
    const frames = client.subscribe({ lastEventId: "1-1", signal: end.signal });
    const first = frames.next();
    await opened(1);
    const { value: resync } = await first;
    assertEquals(resync?.type, "resync");
    end.abort();
    await frames.next();
  }));

Deno.test("a stream whose token expires goes on under a new one", () =>
  withBoard(async ({ client, api, opened, asked }) => {
    const end = new AbortController();
    const frames = client.subscribe({ signal: end.signal });
    const first = frames.next();
    await opened(1);
    api.elapse(HOUR);
    await opened(2);
    await client.resource("cards").create({ title: "Later" });
    const { value: frame } = await first;
    assertEquals(frame?.type, "record.created");
    assertEquals(asked.length, 2);
    end.abort();
    await frames.next();
  }));

Deno.test("a subscription waits for an API that is away, longer each time", () =>
  withBoard(async ({ client, answerNext, opened, pauses }) => {
    for (const status of [503, 500, 502]) answerNext(() => new Response("{}", { status }));
    const end = new AbortController();
    const frames = client.subscribe({ signal: end.signal });
    const first = frames.next();
    await opened(1);
    await client.resource("cards").create({ title: "Back" });
    assertEquals((await first).value?.type, "record.created");
    assertEquals(pauses, [200, 400, 800]);
    end.abort();
    await frames.next();
  }));

Deno.test("a subscription that the API refuses for good throws the refusal", () =>
  withBoard(async ({ client, answerNext, pauses }) => {
    answerNext(() => Response.json({ code: "AUTH_INVALID_TOKEN" }, { status: 401 }));
    const error = await assertRejects(() => client.subscribe().next(), ApiError);
    assert(client.isRefusal(error, "AUTH_INVALID_TOKEN"));
    assertEquals(pauses, []);
  }));

Deno.test("events are read however the wire cuts them", async () => {
  const text =
    'id: 1-0\n: open\n\nid: 1-1\r\ndata: {"type":"é"}\r\n\r\n: keep-alive\n\ndata: {"type":\ndata: "two"}\n\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 7, bytes.length]) {
    let at = 0;
    const client = createClient<Api>(BASE_URL, {
      wait: () => Promise.resolve(),
      fetch: () =>
        Promise.resolve(
          new Response(
            new ReadableStream({
              pull(controller) {
                if (at >= bytes.length) return controller.close();
                controller.enqueue(bytes.slice(at, at += size));
              },
            }),
          ),
        ),
    });
    const frames = client.subscribe();
    const seen: unknown[] = [(await frames.next()).value, (await frames.next()).value];
    assertEquals(seen, [{ type: "é", eventId: "1-1" }, { type: "two" }]);
    await frames.return();
  }
});

Deno.test("what nobody is told of is no subscription that compiles", () => {
  const client = createClient<Api>(BASE_URL);
  const notes = createClient<Notes>(BASE_URL);
  // Never called: the compiler alone judges it.
  const misuses = [
    // @ts-expect-error There is no such resource or signal.
    () => client.subscribe({ resources: ["cardz"] }),
    // @ts-expect-error The project has no realtime.
    () => notes.subscribe(),
    async () => {
      for await (const frame of client.subscribe({ resources: ["comments"] })) {
        // @ts-expect-error Comments are never told of as updated.
        if (frame.type === "record.updated") continue;
        // @ts-expect-error Only their text leaves.
        if (frame.type === "record.created") frame.data.cardId;
      }
    },
  ];
  assertEquals(misuses.length, 3);
});
