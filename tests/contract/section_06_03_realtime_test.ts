/** Realtime (contract 6.3, definitions 7 "realtime"): frames of changes and signals, over Server-Sent Events. */
import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../library/platform/mod.ts";
import { STREAMS_PER_CALLER_MAX } from "../../shared/contract/limits.ts";
import { memoryPubSub } from "../../shared/runtime/mod.ts";
import type { PubSub } from "../../shared/runtime/ports.ts";
import { type Answer, type Claims, isRecord } from "../support/api.ts";
import { board } from "../support/board_project.ts";
import { briefOf, type RealtimeUnderTest, withRealtime } from "../support/realtime.ts";

const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
const MEMBER: Claims = { sub: "user_m", orgId: "org_a", roles: ["member"] };
const STRANGER: Claims = { sub: "user_s", orgId: "org_b", roles: ["admin"] };
const GUEST: Claims = { sub: "user_g", orgId: "org_a", roles: ["guest"] };

const NEW = {
  title: "Paint",
  email: "ann@example.com",
  points: 0.1,
  tags: ["a"],
  urgent: true,
  notes: "n",
};

async function made(api: RealtimeUnderTest, body: object = {}, as = ADMIN): Promise<string> {
  const answer = await api.ask("cards", { as, body: { ...NEW, ...body } });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

function done(answer: Answer, status = 200): Answer["body"] {
  assertEquals(answer.status, status, answer.text);
  return answer.body;
}

Deno.test("a change reaches each subscriber as their own read shows it, and nobody else", async () => {
  await withRealtime(board(), async (api) => {
    const [admin, member, stranger, guest] = await Promise.all(
      [ADMIN, MEMBER, STRANGER, GUEST].map((as) => api.listen(as)),
    );
    assert(admin && member && stranger && guest);
    const id = await made(api, {}, ADMIN);
    const shown = done(await api.ask(`cards/${id}`, { as: ADMIN }));
    const frame = await admin.next();
    assertEquals(frame.event, "message");
    assertEquals(frame.data, {
      type: "record.created",
      resource: "cards",
      id,
      data: shown,
      at: "2026-01-02T03:04:05.678Z",
    });
    const masked = done(await api.ask(`cards/${id}`, { as: MEMBER }));
    assertEquals((await member.next()).data["data"], masked);
    assertEquals([masked["email"], masked["notes"]], ["a***@e***.com", "[REDACTED]"]);
    // Each of them is told of what is their own only.
    const foreign = await made(api, {}, STRANGER);
    assertEquals(await stranger.brief(1), [`record.created cards ${foreign}`]);
    api.end();
    assertEquals(await guest.brief(1), ["closing "]);
  });
});

Deno.test("every way to write makes its frames, with the records that it takes along", async () => {
  await withRealtime(board(), async (api) => {
    const listener = await api.listen(ADMIN);
    const [one, two, three] = [await made(api), await made(api), await made(api)];
    done(await api.ask(`cards/${one}`, { as: MEMBER, method: "PATCH", body: { title: "Two" } }));
    done(await api.ask(`cards/${one}/finish`, { as: MEMBER, body: {} }));
    const ids = [two, three].sort();
    done(await api.ask("cards/batch/finish", { as: MEMBER, body: { ids } }));
    const records = ids.map((id) => ({ id, title: "More" }));
    done(await api.ask("cards/batch", { as: MEMBER, method: "PATCH", body: { records } }));
    const batch = done(await api.ask("cards/batch", { as: ADMIN, body: { records: [NEW] } }), 201);
    const four = String(listIn(batch, "success")[0]?.["id"]);
    const body = { cardId: one, body: "Hm" };
    const comment = String(done(await api.ask("comments", { as: ADMIN, body }), 201)["id"]);
    done(await api.ask("cards/batch", { as: MEMBER, method: "DELETE", body: { ids } }));
    const operations = [
      { op: "create", resource: "cards", data: { title: "Set" }, as: "card" },
      { op: "update", resource: "cards", id: { $ref: "card.id" }, data: { title: "Again" } },
    ];
    const set = done(await api.ask("changeset", { as: ADMIN, body: { operations } }));
    const five = String(listIn(set, "results")[0]?.["id"]);
    done(await api.ask(`comments/${comment}`, { as: ADMIN, method: "DELETE" }));
    const told = [];
    for (let at = 0; at < 14; at += 1) told.push((await listener.next()).data);
    assertEquals(told.map(briefOf), [
      ...[one, two, three].map((id) => `record.created cards ${id}`),
      `record.updated cards ${one}`,
      `record.updated cards ${one}`,
      ...ids.map((id) => `record.updated cards ${id}`),
      ...ids.map((id) => `record.updated cards ${id}`),
      `record.created cards ${four}`,
      `record.created comments ${comment}`,
      ...ids.map((id) => `record.deleted cards ${id}`),
      // Made and changed in one transaction: it was made, as it is now.
      `record.created cards ${five}`,
    ]);
    const [, , , renamed, finished] = told.map(({ data }) => data);
    assert(isRecord(renamed) && isRecord(finished));
    assertEquals(finished, { ...renamed, state: "done", version: 3 });
    assertEquals(told[10]?.["data"], { body: "Hm" });
    assertEquals(Object.keys(told[11] ?? {}), ["type", "resource", "id", "at"]);
    assertEquals(isRecord(told[13]?.["data"]) && told[13]["data"]["title"], "Again");
    assertEquals(await listener.brief(1), [`record.deleted comments ${comment}`]);
    await listener.leave();
  });
});

function listIn(body: Answer["body"], name: string): readonly Answer["body"][] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

Deno.test("a row that leaves a subscriber's sight is gone for them, and tells nothing of itself", async () => {
  await withRealtime(board(), async (api) => {
    const [admin, member] = [await api.listen(ADMIN), await api.listen(MEMBER)];
    const id = await made(api);
    const write = async (body: object) =>
      done(await api.ask(`cards/${id}`, { as: ADMIN, method: "PATCH", body }));
    await write({ secrecy: "high", title: "Secret" });
    await write({ title: "Still secret" });
    await write({ secrecy: "low", title: "Open" });
    await write({ secrecy: "high" });
    done(await api.ask(`cards/${id}`, { as: ADMIN, method: "DELETE" }));
    const hidden = await made(api, { secrecy: "high" });
    done(await api.ask(`cards/${hidden}`, { as: ADMIN, method: "DELETE" }));
    const end = await made(api);
    assertEquals((await admin.brief(9)).length, 9);
    const told = [];
    for (let at = 0; at < 5; at += 1) told.push((await member.next()).data);
    assertEquals(told.map(briefOf), [
      `record.created cards ${id}`,
      `record.deleted cards ${id}`,
      `record.updated cards ${id}`,
      `record.deleted cards ${id}`,
      `record.created cards ${end}`,
    ]);
    assert(!JSON.stringify([told[1], told[3]]).includes("ecret"));
    for (const listener of [admin, member]) await listener.leave();
  });
});

const BINDER = "quickback/features/binders";

/** Removed for good: what the database takes along, and what it clears. */
const BINDERS = {
  ...board(),
  [`${BINDER}/shelves.ts`]: `import { feature, q } from "quickback";
export default feature("shelves", {
  columns: { organizationId: q.scope("organization"), name: q.text() },
  guards: false, read: { access: { roles: ["admin"] } }, create: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] }, mode: "hard" },
});
`,
  [`${BINDER}/binders.ts`]: `import { feature, q } from "quickback";
import shelves from "./shelves.ts";
export default feature("binders", {
  columns: { organizationId: q.scope("organization"), shelfId: q.text().references(() => shelves.id, { onDelete: "cascade" }) },
  guards: false, read: { access: { roles: ["admin"] } }, create: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] }, mode: "hard" },
});
`,
  [`${BINDER}/pages.ts`]: `import { feature, q } from "quickback";
import binders from "./binders.ts";
export default feature("pages", {
  columns: {
    organizationId: q.scope("organization"),
    binderId: q.text().references(() => binders.id, { onDelete: "cascade" }),
    seenIn: q.text().references(() => binders.id, { onDelete: "set null" }),
  },
  guards: false, read: { access: { roles: ["admin"] } }, create: { access: { roles: ["admin"] } },
  realtime: true,
});
`,
};

Deno.test("rows that the database removes or clears by itself are told of too", async () => {
  await withRealtime(BINDERS, async (api) => {
    const post = async (path: string, body: object) =>
      String(done(await api.ask(path, { as: ADMIN, body }), 201)["id"]);
    const parent = await post("shelves", { name: "a" });
    const child = await post("binders", { shelfId: parent });
    const taken = await post("pages", { binderId: child });
    const cleared = await post("pages", { seenIn: child });
    const listener = await api.listen(ADMIN);
    done(await api.ask(`shelves/${parent}`, { as: ADMIN, method: "DELETE" }));
    assertEquals((await listener.brief(2)).toSorted(), [
      `record.deleted pages ${taken}`,
      `record.updated pages ${cleared}`,
    ]);
    await listener.leave();
  });
});

Deno.test("what a refused, failed or rehearsed write did is told to nobody", async () => {
  await withRealtime(board({ realtime: "enabled: true, emitFromActions: true" }), async (api) => {
    const listener = await api.listen(ADMIN);
    const id = await made(api);
    const rename = (body: object, search = "") =>
      api.ask(`cards/${id}/rename${search}`, { as: ADMIN, body });
    assertEquals((await rename({ title: "a", fails: true })).status, 500);
    done(await rename({ title: "b" }, "?dryRun=true"));
    const operations = [
      { op: "update", resource: "cards", id, data: { title: "c" } },
      { op: "update", resource: "cards", id: "card_none", data: { title: "c" } },
    ];
    assertEquals((await api.ask("changeset", { as: ADMIN, body: { operations } })).status, 403);
    const ids = [id, "card_none"];
    const stopped = { ids, input: { title: "d" }, options: { failFast: true } };
    assertEquals((await api.ask("cards/batch/rename", { as: ADMIN, body: stopped })).status, 400);
    const headers = { "idempotency-key": "one" };
    for (let time = 0; time < 2; time += 1) {
      done(
        await api.ask(`cards/${id}`, { as: ADMIN, method: "PATCH", body: { title: "e" }, headers }),
      );
    }
    done(
      await api.ask("cards/batch/rename", { as: ADMIN, body: { ids, input: { title: "user_a" } } }),
      207,
    );
    assertEquals(await listener.brief(6), [
      `record.created cards ${id}`,
      `record.updated cards ${id}`,
      `record.updated cards ${id}`,
      "invalidate board.changed",
      "invalidate board.mine",
      "invalidate board.asked",
    ]);
    await listener.leave();
  });
});

Deno.test("writes of handlers make frames only where the project says so", async () => {
  await withRealtime(board(), async (api) => {
    const listener = await api.listen(ADMIN);
    const id = await made(api);
    done(await api.ask(`cards/${id}/rename`, { as: MEMBER, body: { title: "" } }));
    const end = await made(api);
    assertEquals(await listener.brief(3), [
      `record.created cards ${id}`,
      "invalidate board.changed",
      `record.created cards ${end}`,
    ]);
    await listener.leave();
  });
});

Deno.test("a signal carries its keys to those in scope, with a role, and among the recipients", async () => {
  await withRealtime(board(), async (api) => {
    const second: Claims = { sub: "user_b", orgId: "org_a", roles: ["admin"] };
    const everyone = [ADMIN, second, MEMBER, STRANGER];
    const listeners = await Promise.all(
      everyone.map((as) =>
        api.listen(as, { search: "?resources=board.changed,board.asked,board.mine" })
      ),
    );
    const id = await made(api);
    const rename = async (title: string) =>
      done(await api.ask(`cards/${id}/rename`, { as: MEMBER, body: { title } }));
    await rename("user_a,user_m,user_s");
    await rename("throw");
    await rename(",");
    const foreign = await made(api, {}, STRANGER);
    done(await api.ask(`cards/${foreign}/rename`, { as: STRANGER, body: { title: "user_s" } }));
    const asked = ["invalidate board.asked"];
    const changed = ["invalidate board.changed"];
    const mine = ["invalidate board.mine"];
    const expected = [
      [...changed, ...asked, ...changed, ...changed],
      [...changed, ...changed, ...changed],
      [...changed, ...mine, ...changed, ...mine, ...changed, ...mine],
      [...changed, ...mine, ...asked],
    ];
    api.end();
    for (const [at, listener] of listeners.entries()) {
      const told = [];
      for (
        let next = await listener.next();
        next.event !== "closing";
        next = await listener.next()
      ) {
        told.push(next.data);
      }
      assertEquals(told.map(briefOf), expected[at]);
      const first = told[0]?.["data"];
      const title = at === 3 ? "user_s" : "user_a,user_m,user_s";
      assertEquals(first, { cardId: at === 3 ? foreign : id, title });
    }
    const reasons = api.log.map(({ message }) => message);
    assertEquals(reasons.filter((message) => message.startsWith("Signal")), [
      'Signal "board.asked" reaches nobody: its recipients could not be resolved',
      'Signal "board.asked" reaches nobody: it has no recipients',
    ]);
  });
});

Deno.test("a subscriber comes back to where they were, or is told that something is missing", async () => {
  await withRealtime(board(), async (api) => {
    const first = await api.listen(MEMBER);
    const one = await made(api);
    const told = await first.next();
    await first.leave();
    const two = await made(api);
    const hidden = await made(api, { secrecy: "high" });
    const three = await made(api);
    const headers = { "last-event-id": told.id ?? "" };
    const again = await api.listen(MEMBER, { headers });
    const expected = [two, three].map((id) => `record.created cards ${id}`);
    assertEquals(await again.brief(2), expected);
    const begun = await api.listen(MEMBER, { search: `?lastEventId=${first.from}` });
    assertEquals(await begun.brief(3), [`record.created cards ${one}`, ...expected]);
    // What was kept is judged by what the caller is now.
    const promoted = await api.listen({ ...MEMBER, roles: ["admin"] }, { headers });
    assertEquals((await promoted.brief(2))[1], `record.created cards ${hidden}`);
    const late = await api.listen(MEMBER, { headers: { "last-event-id": "1000-0" } });
    const resync = await late.next();
    assertEquals([resync.event, resync.data["type"]], ["resync", "resync"]);
    const four = await made(api);
    for (const listener of [late, again]) {
      assertEquals(await listener.brief(1), [`record.created cards ${four}`]);
    }
    for (const listener of [late, again, begun, promoted]) await listener.leave();
  });
});

Deno.test("a subscriber who does not read is cut off, and holds up nobody", async () => {
  await withRealtime(board(), async (api) => {
    const [slow, quick] = [await api.listen(ADMIN), await api.listen(ADMIN)];
    const records = Array.from({ length: 100 }, () => NEW);
    for (let time = 0; time < 4; time += 1) {
      done(await api.ask("cards/batch", { as: ADMIN, body: { records } }), 201);
      assertEquals((await quick.brief(100)).length, 100);
    }
    const ended = await slow.brief(400).then(() => "whole", (error) => String(error.message));
    assertEquals(ended, "The subscriber is too slow");
    await quick.leave();
  });
});

Deno.test("a stream ends with what let its caller in", async () => {
  await withRealtime(board(), async (api) => {
    const [short, left] = [await api.listen(ADMIN), await api.listen(ADMIN)];
    api.elapse(890_000);
    const id = await made(api);
    assertEquals(await short.brief(1), [`record.created cards ${id}`]);
    await left.leave();
    api.elapse(10_000);
    const last = await short.next();
    assertEquals(last.event, "closing");
    assertEquals(last.data["reason"], "credentials");
    assert(await short.hasEnded());
  });
});

Deno.test("a token that is taken back ends its streams within two seconds", async () => {
  const files = {
    ...board(),
    "quickback/quickback.config.ts":
      'export default { name: "board", realtime: { enabled: true }, auth: { jwt: { revocationCheck: true } } };\n',
  };
  await withRealtime(files, async (api) => {
    const listener = await api.listen({ ...ADMIN, jti: "gone" });
    const revoked = await api.ask("token/revoke", { as: { ...ADMIN, jti: "gone" }, body: {} });
    assert(revoked.status < 300, revoked.text);
    api.elapse(2000);
    assertEquals((await listener.next()).data["reason"], "credentials");
  });
});

Deno.test("who may listen, and how often, is asked before anything is told", async () => {
  await withRealtime(board(), async (api) => {
    const refused = async (path: string, ask = {}) => {
      const { status, body } = await api.ask(path, ask);
      return [status, body["code"]];
    };
    assertEquals(await refused("/broadcast/v1/events"), [401, "AUTH_MISSING"]);
    const as = { as: ADMIN };
    for (
      const search of [
        "?resources=nothing",
        "?x=1",
        "?lastEventId=abc",
        "?resources=cards&resources=cards",
      ]
    ) {
      assertEquals(await refused(`/broadcast/v1/events${search}`, as), [
        400,
        "VALIDATION_INVALID_INPUT",
      ]);
    }
    assertEquals(await refused("/broadcast/v1/events", { ...as, body: {} }), [
      405,
      "METHOD_NOT_ALLOWED",
    ]);
    assertEquals(await refused("/broadcast/v2/events", as), [404, "ROUTE_NOT_FOUND"]);
    const head = await api.ask("/broadcast/v1/events", { ...as, method: "HEAD" });
    assertEquals([head.status, head.text, head.headers.get("content-type")], [
      200,
      "",
      "text/event-stream",
    ]);
    const streams = [];
    for (let at = 0; at < 20; at += 1) streams.push(await api.listen(ADMIN));
    assertEquals(await refused("/broadcast/v1/events", as), [429, "RATE_LIMITED"]);
    await streams[0]?.leave();
    const again = await api.listen(ADMIN);
    for (const stream of [...streams.slice(1), again]) await stream.leave();
  });
});

Deno.test("a stream that cannot listen is refused, and counts for nobody", async () => {
  const working = memoryPubSub(systemClock);
  let isBroken = true;
  const pubSub: PubSub = {
    ...working,
    listen: (listener) =>
      isBroken ? Promise.reject(new Error("No connection")) : working.listen(listener),
  };
  await withRealtime(board(), async (api) => {
    for (let at = 0; at <= STREAMS_PER_CALLER_MAX; at += 1) {
      const { status, body } = await api.ask("/broadcast/v1/events", { as: ADMIN });
      assertEquals([status, body["code"]], [503, "REALTIME_UNAVAILABLE"]);
    }
    isBroken = false;
    await (await api.listen(ADMIN)).leave();
  }, { ports: { pubSub } });
});

Deno.test("changes that could not be published are one resync to each subscriber, and one line in the log", async () => {
  const working = memoryPubSub(systemClock);
  let isBroken = false;
  const pubSub: PubSub = {
    ...working,
    publish: (texts) =>
      isBroken ? Promise.reject(new Error("No connection")) : working.publish(texts),
  };
  await withRealtime(board(), async (api) => {
    const streams = [await api.listen(ADMIN), await api.listen(ADMIN)];
    isBroken = true;
    for (let round = 0; round < 3; round += 1) {
      await made(api);
      api.elapse(1000);
      await settled();
    }
    isBroken = false;
    api.elapse(1000);
    await settled();
    const id = await made(api);
    for (const stream of streams) {
      const told = await stream.next();
      assertEquals([told.event, "resource" in told.data], ["resync", false]);
      assertEquals(await stream.brief(1), [`record.created cards ${id}`]);
      await stream.leave();
    }
    const lines = api.log.filter(({ message }) => message.startsWith("Changes were not published"));
    assertEquals(lines.length, 1);
  }, { ports: { pubSub } });
});

/** What was begun without being waited for is over. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("without realtime there is no route, and no ports are asked for", async () => {
  const files = board({ realtime: "enabled: false", cards: "" });
  await withRealtime(files, async (api) => {
    assertEquals((await api.ask("/broadcast/v1/events", { as: ADMIN })).status, 404);
    assertEquals((await api.ask("cards", { as: ADMIN, body: NEW })).status, 201);
  });
});
