/** Realtime over WebSockets, on the path of the event stream (definitions 7 "realtime"), against a server on a port. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { AUTH_SECRET, BASE_URL, type Claims, tokenFor } from "../support/api.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import { detached, memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { STREAMS_PER_CALLER_MAX } from "../../shared/contract/limits.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { admin as foundedBy } from "../support/accounts_api.ts";
import { board } from "../support/board_project.ts";
import { briefOf, EVENTS, type RealtimeUnderTest, withRealtime } from "../support/realtime.ts";
import { serving, type SocketListener, socketTo } from "../support/web_socket.ts";

const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
const MEMBER: Claims = { sub: "user_m", orgId: "org_a", roles: ["member"] };
const STRANGER: Claims = { sub: "user_s", orgId: "org_b", roles: ["admin"] };

interface Served {
  readonly api: RealtimeUnderTest;
  readonly address: string;
  open(as: Claims, search?: string): Promise<SocketListener>;
  made(as?: Claims, body?: object): Promise<string>;
}

function withSockets(body: (served: Served) => Promise<void>): Promise<void> {
  return withRealtime(board(), (api) =>
    serving(api, (address) =>
      body({
        api,
        address,
        async open(as, search = "") {
          const token = await tokenFor(as, api.ports.clock.now());
          const headers = { authorization: `Bearer ${token}` };
          return await socketTo(`ws://${address}${EVENTS}${search}`, headers);
        },
        async made(as = ADMIN, body = {}) {
          const given = { title: "Paint", email: "ann@example.com", ...body };
          const answer = await api.ask("cards", { as, body: given });
          assertEquals(answer.status, 201, answer.text);
          return String(answer.body["id"]);
        },
      })));
}

Deno.test("a WebSocket carries the frames of the event stream, judged and masked alike", async () => {
  await withSockets(async ({ api, open, made }) => {
    const [member, stranger] = [await open(MEMBER), await open(STRANGER)];
    const opened = await member.next();
    assertEquals(Object.keys(opened), ["type", "eventId"]);
    await stranger.next();
    const id = await made();
    const frame = await member.next();
    const { eventId, ...rest } = frame;
    assert(typeof eventId === "string");
    assertEquals(rest, {
      type: "record.created",
      resource: "cards",
      id,
      data: (await api.ask(`cards/${id}`, { as: MEMBER })).body,
      at: "2026-01-02T03:04:05.678Z",
    });
    const foreign = await made(STRANGER);
    assertEquals(briefOf(await stranger.next()), `record.created cards ${foreign}`);
    await member.leave();
    const again = await open(MEMBER, `?lastEventId=${opened["eventId"]}&resources=cards`);
    assertEquals((await again.next())["type"], "open");
    assertEquals(await again.next(), frame);
    const late = await open(MEMBER, "?lastEventId=1-0");
    await late.next();
    assertEquals((await late.next())["type"], "resync");
    for (const socket of [stranger, again, late]) await socket.leave();
  });
});

Deno.test("a WebSocket ends when its token does, when the server does, and when it is spoken to", async () => {
  await withSockets(async ({ api, open }) => {
    const [talker, listener] = [await open(ADMIN), await open(ADMIN)];
    talker.send("hello");
    assertEquals(await talker.closed, "4004 message");
    api.elapse(900_000);
    assertEquals(await listener.closed, "4001 credentials");
    const last = await open(ADMIN);
    await last.next();
    api.end();
    assertEquals(await last.closed, "4003 shutdown");
    await assertRejects(() => open(ADMIN), Error, "refused");
  });
});

Deno.test("a handshake is refused as any request is", async () => {
  await withSockets(async ({ address, open }) => {
    const url = `ws://${address}${EVENTS}`;
    await assertRejects(() => socketTo(url, {}), Error, "refused");
    await assertRejects(() => socketTo(url, { authorization: "Bearer x" }), Error, "refused");
    await assertRejects(() => open(ADMIN, "?resources=nothing"), Error, "refused");
    const answer = await fetch(`http://${address}${EVENTS}`, {
      headers: { upgrade: "websocket", authorization: `Bearer ${await tokenFor(ADMIN)}` },
    });
    assertEquals(answer.status, 400);
    await answer.body?.cancel();
  });
});

Deno.test("a socket whose other end does not read is cut off, and holds up nobody", async () => {
  await withSockets(async ({ api, address, made }) => {
    const [hostname = "", port] = address.split(":");
    const silent = await Deno.connect({ hostname, port: Number(port) });
    const lines = [
      `GET ${EVENTS} HTTP/1.1`,
      `Host: ${address}`,
      `Authorization: Bearer ${await tokenFor(ADMIN)}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ];
    await silent.write(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));
    const head = new Uint8Array(4096);
    await silent.read(head);
    // More than the network and the queue of one subscriber take.
    const title = "x".repeat(200_000);
    for (let at = 0; at < 20; at += 1) await made(ADMIN, { title });
    // Its place is free again: as many as one caller may have.
    const streams = [];
    for (let at = 0; at < STREAMS_PER_CALLER_MAX; at += 1) streams.push(await api.listen(ADMIN));
    for (const stream of streams) await stream.leave();
    silent.close();
  });
});

Deno.test("a page of another origin gets no WebSocket with the cookie of its visitor", async () => {
  const files = board();
  const validation = validate(files);
  assert(validation.ok);
  const options = {
    accounts: (database: RealtimeUnderTest["database"]) =>
      createAccounts(validation.model, {
        database,
        settings: { baseUrl: BASE_URL, authSecret: AUTH_SECRET, production: false },
        logger: { log: () => {} },
        limiter: memoryRateLimiter({ clock: systemClock }),
        detached,
        sysadminEmails: [],
      }),
  };
  await withRealtime(files, (api) =>
    serving(api, async (address) => {
      const { cookie } = await foundedBy(api, "ann", "acme");
      const url = `ws://${address}${EVENTS}`;
      await assertRejects(
        () => socketTo(url, { cookie, origin: "https://evil.example" }),
        Error,
        "refused",
      );
      const own = await socketTo(url, { cookie, origin: BASE_URL });
      assertEquals((await own.next())["type"], "open");
      // The session ends, and with it what it had opened.
      const out = await api.ask("/auth/v1/sign-out", {
        method: "POST",
        body: {},
        headers: { cookie, origin: BASE_URL },
      });
      assertEquals(out.status, 200, out.text);
      api.elapse(2000);
      assertEquals(await own.closed, "4001 credentials");
    }), options);
});
