/** Addresses for files (contract 4.7, definitions 3): who gets one, what it is good for, and what makes an upload a file. */
import { assert, assertEquals } from "@std/assert";
import {
  type ApiOptions,
  type ApiUnderTest,
  type Claims,
  START,
  withDefinitions,
} from "../support/api.ts";
import { type MemoryFiles, memoryFiles } from "../support/memory_files.ts";

const member: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };
const admin: Claims = { sub: "user_2", orgId: "org_1", roles: ["admin"] };
const reader: Claims = { sub: "user_4", orgId: "org_1", roles: ["reader"] };
const stranger: Claims = { sub: "user_3", orgId: "org_2", roles: ["member"] };

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "cards" };\n',
  "quickback/features/cards/cards.ts": `import { feature, q } from "quickback";
export default feature("cards", {
  columns: {
    organizationId: q.scope("organization"), version: q.revision(), title: q.text(),
    photo: q.file({ maxSize: 100, types: ["image/*", "text/plain"] }),
    idCard: q.file({ maxSize: 1000 }), locked: q.file(),
  },
  guards: { createable: ["title"], updatable: ["title", "photo", "idCard"] },
  masking: { idCard: { type: "redact", show: { roles: ["admin"] } } },
  read: { access: { roles: ["member", "admin", "reader"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { or: [{ roles: ["admin"] }, { record: { createdBy: { equals: "$ctx.userId" } } }] } },
});
`,
};

interface Cards {
  readonly api: ApiUnderTest;
  readonly files: MemoryFiles;
  /** Path of a card of user_1. */
  readonly card: string;
  pass(milliseconds: number): void;
}

function withCards(body: (cards: Cards) => Promise<void>, options: ApiOptions = {}): Promise<void> {
  const time = { now: START };
  const files = memoryFiles(() => time.now);
  return withDefinitions(FILES, async (api) => {
    const made = await api.ask("cards", { as: member, body: { title: "a" } });
    assertEquals(made.status, 201);
    const pass = (milliseconds: number) => {
      time.now += milliseconds;
      api.pass(milliseconds);
    };
    await body({ api, files, card: `cards/${made.body["id"]}`, pass });
  }, { files, ...options });
}

const TEXT = { method: "PUT", size: 5, type: "text/plain", name: "note.txt" };

function presign({ api, card }: Cards, asked: {
  readonly body?: unknown;
  readonly as?: Claims;
  readonly column?: string;
  readonly headers?: Readonly<Record<string, string>>;
}) {
  const { as = member, column = "photo", body = TEXT, headers = {} } = asked;
  return api.ask(`${card}/${column}/presign`, { as, method: "POST", body, headers });
}

/** A request by nobody in particular to an address. */
function at({ api }: Cards, address: unknown, sent: {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
} = {}) {
  const { pathname, origin } = new URL(String(address));
  assertEquals(origin, "http://localhost:8000");
  const { body, headers = {} } = sent;
  return api.ask(pathname, body === undefined ? { headers } : { method: "PUT", body, headers });
}

function confirm({ api, card }: Cards, upload: unknown, as = member, headers = {}) {
  return api.ask(`${card}/photo`, { as, method: "PUT", body: { upload }, headers });
}

Deno.test("a file goes to an address, and is the record's when its sender confirms it", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const { status, body, headers, steps } = await presign(cards, {});
    assertEquals(status, 200);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(
      [body["method"], body["headers"], body["expiresAt"]],
      ["PUT", { "content-type": "text/plain" }, new Date(START + 300_000).toISOString()],
    );
    assertEquals(steps, [
      "authentication",
      "rate-limit",
      "firewall",
      "access",
      "guards",
      "validation",
      "operation",
    ]);
    const early = await confirm(cards, body["upload"]);
    assertEquals([early.status, early.body["code"], early.body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/upload",
    ]);
    const typed = { "content-type": "text/plain" };
    const sent = await at(cards, body["url"], { body: "hello", headers: typed });
    assertEquals([sent.status, sent.body], [200, { success: true }]);
    assertEquals((await api.ask(card, { as: member })).body["photo"], null);
    const confirmed = await confirm(cards, body["upload"]);
    const { id, ...photo } = confirmed.body["photo"] as Readonly<Record<string, unknown>>;
    assertEquals([confirmed.status, photo], [200, {
      name: "note.txt",
      size: 5,
      type: "text/plain",
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    }]);
    assert(confirmed.headers.get("etag")?.startsWith('"2-'));
    assertEquals((await api.ask(`${card}/photo`, { as: member })).text, "hello");
    // What comes to the address later changes nothing.
    await at(cards, body["url"], { body: "other", headers: typed });
    assertEquals((await api.ask(`${card}/photo`, { as: member })).text, "hello");
    assert(String(id).startsWith("file_"));
  });
});

Deno.test("an address answers as the file's own route does, until its time is over", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    await api.ask(`${card}/photo`, {
      as: member,
      method: "PUT",
      body: "hello",
      headers: { "content-type": "text/plain" },
    });
    const { status, body } = await presign(cards, {
      as: reader,
      body: { method: "GET", expiresIn: 60 },
    });
    assertEquals([status, body["method"], body["upload"]], [200, "GET", undefined]);
    const whole = await at(cards, body["url"]);
    const own = await api.ask(`${card}/photo`, { as: member });
    const shown = ["content-type", "content-disposition", "etag", "content-length"];
    assertEquals([whole.status, whole.text], [200, "hello"]);
    for (const name of shown) assertEquals(whole.headers.get(name), own.headers.get(name), name);
    assertEquals(whole.headers.get("content-security-policy"), "sandbox; default-src 'none'");
    const part = await at(cards, body["url"], { headers: { range: "bytes=1-2" } });
    assertEquals([part.status, part.text], [206, "el"]);
    const head = await api.ask(new URL(String(body["url"])).pathname, { method: "HEAD" });
    assertEquals([head.status, head.headers.get("content-length")], [200, "5"]);
    cards.pass(60_000);
    const late = await at(cards, body["url"]);
    assertEquals([late.status, late.body["code"]], [404, "FILE_NOT_FOUND"]);
  });
});

Deno.test("an address is good for its method, and is not to be made up", async () => {
  await withCards(async (cards) => {
    const { body: { url } } = await presign(cards, {});
    assertEquals((await at(cards, url)).body["code"], "FILE_NOT_FOUND");
    const forged = String(url).slice(0, -4) + "AAAA";
    for (
      const address of [
        forged,
        "http://localhost:8000/files/x",
        "http://localhost:8000/files/a.b.c",
      ]
    ) {
      const headers = { "content-type": "text/plain" };
      assertEquals((await at(cards, address, { body: "hello", headers })).status, 404, address);
    }
    assertEquals(cards.files.objects.size, 0);
  });
});

Deno.test("what is sent to an address is held to what was announced", async () => {
  await withCards(async (cards) => {
    const typed = { "content-type": "text/plain" };
    const { body: { url, upload } } = await presign(cards, {});
    const larger = await at(cards, url, { body: "hello!", headers: typed });
    assertEquals(larger.body["code"], "PAYLOAD_TOO_LARGE");
    const other = await at(cards, url, { body: "hello", headers: { "content-type": "image/png" } });
    assertEquals(other.body["code"], "UNSUPPORTED_MEDIA_TYPE");
    assertEquals((await at(cards, url, { body: "hell", headers: typed })).status, 200);
    const smaller = await confirm(cards, upload);
    assertEquals([smaller.status, smaller.body["code"]], [400, "VALIDATION_ERROR"]);

    const digest = { ...TEXT, sha256: "0".repeat(64) };
    const { body } = await presign(cards, { body: digest });
    assertEquals((await at(cards, body["url"], { body: "hello", headers: typed })).status, 200);
    const changed = await confirm(cards, body["upload"]);
    assertEquals(
      [changed.status, (changed.body["details"] as { fields: unknown }).fields],
      [400, { upload: "Has another digest than was announced" }],
    );
    // A server of another's may take anything: what it holds is judged before it is the record's.
    const png = await presign(cards, { body: { ...TEXT, type: "image/png" } });
    const { objects } = cards.files;
    const key = keyOf(png.body["url"]);
    objects.set(key, { bytes: new TextEncoder().encode("hello"), modifiedAt: START });
    assertEquals((await confirm(cards, png.body["upload"])).body["code"], "UNSUPPORTED_MEDIA_TYPE");
    assertEquals((await cards.api.ask(cards.card, { as: member })).body["photo"], null);
  });
});

/** The key that an address of the API is for. */
function keyOf(url: unknown): string {
  const [, payload = ""] = new URL(String(url)).pathname.split(".");
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).claims.key;
}

Deno.test("only the caller and the record that an upload was for confirm it, and not for ever", async () => {
  await withCards(async (cards) => {
    const { api } = cards;
    const typed = { "content-type": "text/plain" };
    const { body: { url, upload } } = await presign(cards, {});
    await at(cards, url, { body: "hello", headers: typed });
    const others = await api.ask("cards", { as: member, body: { title: "b" } });
    const elsewhere = await confirm({ ...cards, card: `cards/${others.body["id"]}` }, upload);
    assertEquals([elsewhere.status, elsewhere.body["code"]], [400, "VALIDATION_ERROR"]);
    assertEquals((await confirm(cards, upload, admin)).body["code"], "VALIDATION_ERROR");
    assertEquals((await confirm(cards, "x", member)).body["code"], "VALIDATION_ERROR");
    cards.pass(300_000 + 3_600_000);
    assertEquals((await confirm(cards, upload)).body["code"], "VALIDATION_ERROR");
  });
});

Deno.test("what confirms nothing is no file, even of a column that takes JSON", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const put = (body: unknown) => api.ask(`${card}/idCard`, { as: admin, method: "PUT", body });
    const kept = { upload: "a", note: "more than a confirmation has" };
    assertEquals((await put(kept)).status, 200);
    const { body: { upload } } = await presign(cards, {});
    for (const text of ["", "x", upload, `${upload}x`]) {
      const { status, body } = await put({ upload: text });
      assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"]);
    }
    assertEquals(JSON.parse((await api.ask(`${card}/idCard`, { as: admin })).text), kept);
  });
});

Deno.test("a column that takes JSON takes confirmations, too", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const asked = { method: "PUT", size: 2, type: "application/json" };
    const { body: { url, upload } } = await presign(cards, { column: "idCard", body: asked });
    await at(cards, url, { body: "{}", headers: { "content-type": "application/json" } });
    const body = { upload };
    const confirmed = await api.ask(`${card}/idCard`, { as: member, method: "PUT", body });
    const file = confirmed.body["idCard"] as Readonly<Record<string, unknown>> | string;
    // Its sender does not see what others may not.
    assertEquals([confirmed.status, typeof file], [200, "string"]);
    assertEquals((await api.ask(`${card}/idCard`, { as: admin })).text, "{}");
  });
});

Deno.test("addresses are given by the layers of what they are for", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const read = { method: "GET" };
    const codeOf = async (asked: Parameters<typeof presign>[1]) => {
      const { status, body } = await presign(cards, asked);
      return status === 200 ? 200 : body["code"];
    };
    assertEquals(await codeOf({ body: read }), "FILE_NOT_FOUND");
    assertEquals(await codeOf({ body: read, as: stranger }), "FIREWALL_NOT_FOUND");
    assertEquals(await codeOf({ body: TEXT, as: stranger }), "FIREWALL_NOT_FOUND");
    assertEquals(await codeOf({ body: TEXT, as: reader }), "ACCESS_OWNERSHIP_REQUIRED");
    assertEquals(await codeOf({ body: read, column: "idCard" }), "FIELD_MASKED");
    assertEquals(await codeOf({ body: read, column: "idCard", as: admin }), "FILE_NOT_FOUND");
    assertEquals(await codeOf({ body: TEXT, column: "locked" }), "GUARD_FIELD_NOT_UPDATABLE");
    assertEquals(await codeOf({ headers: { "if-match": '"9-x"' } }), "PRECONDITION_FAILED");
    assertEquals(
      await codeOf({ headers: { "idempotency-key": "k" } }),
      "PRECONDITION_UNSUPPORTED",
    );
    assertEquals(
      await codeOf({ body: read, headers: { "idempotency-key": "k" } }),
      "PRECONDITION_UNSUPPORTED",
    );
    const nobody = await api.ask(`${card}/photo/presign`, { method: "POST", body: TEXT });
    assertEquals(nobody.body["code"], "AUTH_MISSING");
    // Nobody without the right learns what is wrong with a body.
    const outsider = { ...stranger, roles: [] };
    assertEquals(await codeOf({ body: "{", as: outsider }), "ACCESS_ROLE_REQUIRED");
  });
});

Deno.test("a body that asks for no address is refused with its place", async () => {
  await withCards(async (cards) => {
    const cases: readonly (readonly [unknown, string, string])[] = [
      [{}, "VALIDATION_ERROR", "/method"],
      [{ method: "DELETE" }, "VALIDATION_ERROR", "/method"],
      [{ method: "GET", size: 1 }, "VALIDATION_ERROR", "/size"],
      [{ method: "PUT", type: "text/plain" }, "VALIDATION_ERROR", "/size"],
      [{ method: "PUT", size: 1.5, type: "text/plain" }, "VALIDATION_ERROR", "/size"],
      [{ method: "PUT", size: 1 }, "VALIDATION_ERROR", "/type"],
      [{ ...TEXT, sha256: "abc" }, "VALIDATION_ERROR", "/sha256"],
      [{ ...TEXT, expiresIn: 0 }, "VALIDATION_ERROR", "/expiresIn"],
      [{ ...TEXT, expiresIn: 3601 }, "VALIDATION_ERROR", "/expiresIn"],
      [{ ...TEXT, size: 101 }, "VALIDATION_ERROR", "/size"],
      [{ ...TEXT, type: "text/html" }, "VALIDATION_ERROR", "/type"],
      [{ ...TEXT, type: "text/plain; charset=utf-8" }, "VALIDATION_ERROR", "/type"],
      ["{", "INVALID_JSON", ""],
    ];
    for (const [body, code, pointer] of cases) {
      const refused = await presign(cards, { body });
      const about = JSON.stringify(body);
      assertEquals([refused.body["code"], refused.body["pointer"] ?? ""], [code, pointer], about);
    }
  });
});

Deno.test("a right that ends before the confirmation ends the upload", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const { body: { url, upload } } = await presign(cards, {});
    await at(cards, url, { body: "hello", headers: { "content-type": "text/plain" } });
    const demoted = { ...member, sub: "user_9" };
    assertEquals((await confirm(cards, upload, demoted)).body["code"], "ACCESS_OWNERSHIP_REQUIRED");
    const stale = { "if-match": '"9-x"' };
    assertEquals((await confirm(cards, upload, member, stale)).body["code"], "PRECONDITION_FAILED");
    assertEquals((await api.ask(card, { as: member })).body["photo"], null);
  });
});
