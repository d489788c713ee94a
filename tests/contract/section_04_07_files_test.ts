/** Files of records (contract 4.7, 8): bytes through the layers of their row, as streams, by ranges, under conditions. */
import { assert, assertEquals } from "@std/assert";
import { StorageFullError, StorageUnavailableError } from "../../shared/runtime/mod.ts";
import {
  type ApiOptions,
  type ApiUnderTest,
  type Claims,
  withDefinitions,
} from "../support/api.ts";
import { createCollection } from "../../shared/runtime/background/collection.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { type MemoryFiles, memoryFiles } from "../support/memory_files.ts";

const member: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };
const admin: Claims = { sub: "user_2", orgId: "org_1", roles: ["admin"] };
const stranger: Claims = { sub: "user_3", orgId: "org_2", roles: ["member"] };

const PNG = Uint8Array.from([
  0x89,
  0x50,
  0x4e,
  0x47,
  13,
  10,
  26,
  10,
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  10,
]);

/** Of a form with the boundary `x`. */
const END = new TextEncoder().encode("\r\n--x--\r\n");

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "cards" };\n',
  "quickback/features/cards/cards.ts": `import { feature, q } from "quickback";
export default feature("cards", {
  columns: {
    organizationId: q.scope("organization"), version: q.revision(), title: q.text(),
    photo: q.file({ maxSize: 100, types: ["image/*", "text/plain"] }),
    idCard: q.file({ maxSize: 1000 }), seal: q.file().immutable(), locked: q.file(),
  },
  guards: { createable: ["title", "photo", "seal"], updatable: ["title", "photo", "idCard"] },
  masking: { idCard: { type: "redact", show: { roles: ["admin"] } } },
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { or: [{ roles: ["admin"] }, { record: { createdBy: { equals: "$ctx.userId" } } }] } },
  delete: { access: { roles: ["member"] }, mode: "soft" },
});
`,
};

interface Cards {
  readonly api: ApiUnderTest;
  readonly files: MemoryFiles;
  /** Path of a card of user_1. */
  readonly card: string;
}

function withCards(body: (cards: Cards) => Promise<void>, options: ApiOptions = {}): Promise<void> {
  const files = memoryFiles(() => 0);
  return withDefinitions(FILES, async (api) => {
    const made = await api.ask("cards", { as: member, body: { title: "a" } });
    assertEquals(made.status, 201);
    await body({ api, files, card: `cards/${made.body["id"]}` });
  }, { files, ...options });
}

function put(path: string, { api }: Pick<Cards, "api">, sent: {
  readonly as?: Claims;
  readonly type?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
} = {}) {
  const { as = member, type = "image/png", body = PNG, headers = {} } = sent;
  const typed = type === null ? {} : { "content-type": type };
  return api.ask(path, { as, method: "PUT", body, headers: { ...typed, ...headers } });
}

Deno.test("a file is sent, is part of its record, and comes back with its name, its type and its digest", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const disposition = "attachment; filename*=UTF-8''%C3%BCber%20%2F..%2Fcard.png";
    const sent = await put(`${card}/photo`, cards, {
      headers: { "content-disposition": disposition },
    });
    const photo = sent.body["photo"] as Readonly<Record<string, unknown>>;
    assertEquals([
      sent.status,
      sent.headers.get("etag")?.slice(0, 3),
      photo["name"],
      photo["size"],
      photo["type"],
    ], [
      200,
      '"2-',
      "card.png",
      18,
      "image/png",
    ]);
    const read = await api.ask(card, { as: member });
    assertEquals(read.body["photo"], photo);
    assertEquals(sent.steps, [
      "authentication",
      "rate-limit",
      "firewall",
      "access",
      "guards",
      "validation",
      "operation",
      "masking",
    ]);
    const got = await api.ask(`${card}/photo`, { as: member });
    assertEquals(got.steps, [
      "authentication",
      "rate-limit",
      "access.role",
      "validation",
      "firewall",
      "access",
      "operation",
      "masking",
    ]);
    const shown = Object.fromEntries(
      [
        "content-type",
        "content-length",
        "content-disposition",
        "etag",
        "cache-control",
        "accept-ranges",
        "x-content-type-options",
        "content-security-policy",
      ].map((name) => [name, got.headers.get(name)]),
    );
    assertEquals(shown, {
      "content-type": "image/png",
      "content-length": "18",
      "content-disposition": "inline; filename=\"card.png\"; filename*=UTF-8''card.png",
      etag: `"${photo["sha256"]}"`,
      "cache-control": "private, no-cache",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    assertEquals(
      (await api.ask(`${card}/photo?download=1`, { as: member })).headers.get(
        "content-disposition",
      ),
      "attachment; filename=\"card.png\"; filename*=UTF-8''card.png",
    );
    const head = await api.ask(`${card}/photo`, { as: member, method: "HEAD" });
    assertEquals([head.status, head.headers.get("content-length"), head.text], [200, "18", ""]);
  });
});

Deno.test("ranges, conditions and what is none of them", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const digits = { type: "text/plain", body: "0123456789" };
    const sent = await put(`${card}/photo`, cards, digits);
    const tag = `"${(sent.body["photo"] as { sha256: string }).sha256}"`;
    const asked = async (headers: Readonly<Record<string, string>>) => {
      const { status, text, headers: got } = await api.ask(`${card}/photo`, {
        as: member,
        headers,
      });
      return [status, status < 400 ? text : "", got.get("content-range")];
    };
    const rows: readonly (readonly [Readonly<Record<string, string>>, readonly unknown[]])[] = [
      [{ range: "bytes=2-4" }, [206, "234", "bytes 2-4/10"]],
      [{ range: "bytes=7-" }, [206, "789", "bytes 7-9/10"]],
      [{ range: "bytes=8-99" }, [206, "89", "bytes 8-9/10"]],
      [{ range: "bytes=-3" }, [206, "789", "bytes 7-9/10"]],
      [{ range: "bytes=-30" }, [206, "0123456789", "bytes 0-9/10"]],
      [{ range: "bytes=0-1,3-4" }, [200, "0123456789", null]],
      [{ range: "bytes=4-2" }, [200, "0123456789", null]],
      [{ range: "pages=1-2" }, [200, "0123456789", null]],
      [{ range: "bytes=10-" }, [416, "", "bytes */10"]],
      [{ range: "bytes=-0" }, [416, "", "bytes */10"]],
      [{ range: "bytes=0-1", "if-range": tag }, [206, "01", "bytes 0-1/10"]],
      [{ range: "bytes=0-1", "if-range": `W/${tag}` }, [200, "0123456789", null]],
      [{ range: "bytes=0-1", "if-range": '"other"' }, [200, "0123456789", null]],
      [{ "if-none-match": tag }, [304, "", null]],
      [{ "if-none-match": '"other"' }, [200, "0123456789", null]],
    ];
    for (const [headers, expected] of rows) {
      assertEquals(await asked(headers), expected, JSON.stringify(headers));
      const head = await api.ask(`${card}/photo`, { as: member, headers, method: "HEAD" });
      const isHeld = expected[0] === 304;
      assertEquals(
        [head.status, head.headers.get("content-length"), head.headers.has("content-range")],
        isHeld ? [304, null, false] : [200, "10", false],
      );
    }
  });
});

Deno.test("what breaks a rule of the column is refused, and leaves the row as it was", async () => {
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    const big = new Uint8Array(101);
    const slow = () => new Blob([big]).stream();
    const rows: readonly (readonly [Parameters<typeof put>[2], readonly unknown[]])[] = [
      [{ type: "application/pdf" }, [415, "UNSUPPORTED_MEDIA_TYPE"]],
      [{ type: "image/jpeg" }, [415, "UNSUPPORTED_MEDIA_TYPE"]],
      [{ type: "text/plain" }, [415, "UNSUPPORTED_MEDIA_TYPE"]],
      [{ type: "image/png", body: "no image" }, [415, "UNSUPPORTED_MEDIA_TYPE"]],
      [{ type: "nonsense" }, [415, "UNSUPPORTED_MEDIA_TYPE"]],
      [{ headers: { "content-encoding": "gzip" } }, [415, "UNSUPPORTED_MEDIA_TYPE"]],
      [{ type: "text/plain", body: big, headers: { "content-length": "101" } }, [
        413,
        "PAYLOAD_TOO_LARGE",
      ]],
      [{ type: "text/plain", body: slow() }, [413, "PAYLOAD_TOO_LARGE"]],
      [{ headers: { "idempotency-key": "k" } }, [428, "PRECONDITION_UNSUPPORTED"]],
      [{ headers: { "if-match": '"7"' } }, [412, "PRECONDITION_FAILED"]],
      [{ headers: { "if-none-match": "*" } }, [428, "PRECONDITION_UNSUPPORTED"]],
    ];
    for (const [sent, expected] of rows) {
      const answer = await put(`${card}/photo`, cards, sent);
      assertEquals([answer.status, answer.body["code"]], expected, JSON.stringify(sent));
    }
    const nothing = await put(`${card}/photo`, cards, { type: "image/png", body: "" });
    assertEquals(nothing.status, 415);
    assertEquals((await api.ask(card, { as: member })).body["photo"], null);
    assertEquals(files.objects.size, 0);
    assertEquals(
      (await put(`${card}/photo`, cards, { headers: { "if-match": '"1"' } })).status,
      200,
    );
  });
});

Deno.test("a form carries exactly one file", async () => {
  await withCards(async (cards) => {
    const { card, api } = cards;
    const sent = async (fill: (form: FormData) => void) => {
      const form = new FormData();
      fill(form);
      const request = new Request("http://localhost", { method: "POST", body: form });
      const type = request.headers.get("content-type");
      return await put(`${card}/photo`, cards, { type, body: await request.bytes() });
    };
    const one = (form: FormData) =>
      form.append("any", new File([PNG], "C:\\a\\b.png", { type: "image/png" }));
    const good = await sent(one);
    assertEquals([good.status, (good.body["photo"] as { name: string }).name], [200, "b.png"]);
    let kept = good.body["photo"];
    const rows: readonly ((form: FormData) => void)[] = [
      () => {},
      (form) => form.append("field", "text"),
      (form) => (one(form), form.append("field", "text")),
      (form) => (one(form), form.append("more", new File([PNG], "c.png", { type: "image/png" }))),
    ];
    for (const fill of rows) {
      const answer = await sent(fill);
      assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], String(fill));
    }
    const cut = await put(`${card}/photo`, cards, {
      type: "multipart/form-data; boundary=x",
      body: '--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\nabc',
    });
    assertEquals([cut.status, cut.body["code"]], [400, "VALIDATION_ERROR"]);
    for (
      const [filler, piece, status] of [[16_000, 100_000, 200], [17_000, 100_000, 400], [
        90_000,
        700,
        400,
      ]]
    ) {
      const text = `--x\r\nContent-Disposition: form-data; name="f"; filename="b.png"\r\nX-More: ${
        "m".repeat(filler ?? 0)
      }\r\nContent-Type: image/png\r\n\r\n`;
      const bytes = new Uint8Array([...new TextEncoder().encode(text), ...PNG, ...END]);
      const pieces = Array.from(
        { length: Math.ceil(bytes.length / (piece ?? 1)) },
        (_, at) => bytes.slice(at * (piece ?? 1), (at + 1) * (piece ?? 1)),
      );
      const type = "multipart/form-data; boundary=x";
      const answer = await put(`${card}/photo`, cards, { type, body: ReadableStream.from(pieces) });
      assertEquals(answer.status, status, `${filler} in pieces of ${piece}`);
      if (status === 400) assertEquals(answer.body["code"], "VALIDATION_ERROR");
      else kept = answer.body["photo"];
    }
    const large = await sent((form) =>
      form.append("f", new File([PNG, new Uint8Array(100)], "a.png", { type: "image/png" }))
    );
    assertEquals([large.status, large.body["code"]], [413, "PAYLOAD_TOO_LARGE"]);
    const record = await api.ask(card, { as: member });
    assertEquals(record.body["photo"], kept);
  });
});

Deno.test("a file answers as its row does, and a masked one alike with a file and without", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const code = async (path: string, as: Claims, method = "GET") => {
      const { status, body, text } = await api.ask(path, { as, method });
      return { status, code: body["code"], rest: text.replaceAll(/req_[0-9a-f]+/g, "") };
    };
    const hidden = await code(`${card}/idCard`, member);
    const missing = await code(`${card}/photo`, member);
    assertEquals([hidden.status, hidden.code, missing.status, missing.code], [
      403,
      "FIELD_MASKED",
      404,
      "FILE_NOT_FOUND",
    ]);
    const sent = await put(`${card}/idCard`, cards, {
      type: "application/pdf",
      body: "%PDF-1.7 secret",
    });
    assertEquals([sent.status, sent.body["idCard"]], [200, "[REDACTED]"]);
    assertEquals(await code(`${card}/idCard`, member), hidden);
    const seen = await api.ask(`${card}/idCard`, { as: admin });
    assertEquals([seen.text, seen.headers.get("content-disposition")], [
      "%PDF-1.7 secret",
      "attachment; filename=\"idCard.pdf\"; filename*=UTF-8''idCard.pdf",
    ]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const [foreign, gone] = [
        await code(`${card}/photo`, stranger, method),
        await code(`cards/00000000-0000-4000-8000-000000000000/photo`, stranger, method),
      ];
      assertEquals([foreign.status, foreign.code], [403, "FIREWALL_NOT_FOUND"], method);
      assertEquals(gone.code, foreign.code);
    }
    assertEquals((await api.ask(card, { as: member, method: "DELETE" })).status, 200);
    assertEquals((await code(`${card}/photo`, member)).code, "FIREWALL_SOFT_DELETED");
  });
});

Deno.test("guards: what may be created may be sent once, what may be updated always", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const statusOf = async (column: string, as = member) =>
      (await put(`${card}/${column}`, cards, { as, type: "text/plain", body: "abc" }))
        .body["code"] ?? 200;
    const remove = async (column: string) => {
      const { status, body } = await api.ask(`${card}/${column}`, { as: member, method: "DELETE" });
      return body["code"] ?? [status, body];
    };
    assertEquals(await remove("seal"), [200, { success: true }]);
    assertEquals([await statusOf("seal"), await statusOf("seal")], [200, "GUARD_FIELD_IMMUTABLE"]);
    assertEquals(await remove("seal"), "GUARD_FIELD_IMMUTABLE");
    assertEquals(await statusOf("locked"), "GUARD_FIELD_NOT_UPDATABLE");
    assertEquals([await statusOf("photo"), await statusOf("photo")], [200, 200]);
    assertEquals(await remove("photo"), [200, { success: true }]);
    assertEquals((await api.ask(`${card}/photo`, { as: member })).body["code"], "FILE_NOT_FOUND");
    const other: Claims = { ...member, sub: "user_9" };
    assertEquals(await statusOf("photo", other), "ACCESS_OWNERSHIP_REQUIRED");
  });
});

Deno.test("JSON bodies take only null for a file, and lists ask only whether there is one", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    await put(`${card}/photo`, cards);
    const { photo } = (await api.ask(card, { as: member })).body;
    const patched = await api.ask(card, { as: member, method: "PATCH", body: { photo } });
    assertEquals([patched.status, patched.body["code"], patched.body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/photo",
    ]);
    const created = await api.ask("cards", { as: member, body: { title: "b", photo: "x" } });
    assertEquals([created.status, created.body["pointer"]], [400, "/photo"]);
    const count = async (query: string) => {
      const { status, body } = await api.ask(`cards?${query}`, { as: member });
      return status === 200 ? (body["data"] as unknown[]).length : body["code"];
    };
    assertEquals(await count("photo.null=false"), 1);
    assertEquals(await count("photo.null=true"), 0);
    for (const query of ["photo=x", "photo.ne=x", "sort=photo", `where={"photo":null}`]) {
      assertEquals(await count(query), "VALIDATION_INVALID_INPUT", query);
    }
    const cleared = await api.ask(card, { as: member, method: "PATCH", body: { photo: null } });
    assertEquals([cleared.status, cleared.body["photo"]], [200, null]);
  });
});

Deno.test("rights that end while the body comes end the upload, and its bytes stay unreferred", async () => {
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    files.beforeKept = async () => {
      const gone = await api.ask(card, { as: member, method: "DELETE" });
      assertEquals(gone.status, 200);
    };
    const late = await put(`${card}/photo`, cards);
    assertEquals([late.status, late.body["code"]], [403, "FIREWALL_SOFT_DELETED"]);
    assertEquals(files.objects.size, 1);
  });
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    files.beforeKept = async () => {
      await api.ask(card, { as: member, method: "PATCH", body: { title: "b" } });
    };
    const late = await put(`${card}/photo`, cards, { headers: { "if-match": '"1"' } });
    assertEquals([late.status, late.body["code"]], [412, "PRECONDITION_FAILED"]);
  });
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    // A token lives for 15 minutes: the upload outlives it.
    files.beforeKept = () => Promise.resolve(api.pass(16 * 60_000));
    const late = await put(`${card}/photo`, cards);
    assertEquals([late.status, late.body["code"]], [401, "AUTH_EXPIRED"]);
  });
});

Deno.test("a body may take its time, but must bring something in every stretch of it", async () => {
  const windows: (() => void)[] = [];
  const timer = { after: (_: number, run: () => void) => (windows.push(run), () => {}) };
  await withCards(async (cards) => {
    const { card } = cards;
    const waiting = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(20).fill(65)),
      pull: () => waiting.resolve(),
    }, { highWaterMark: 0 });
    const answer = put(`${card}/photo`, cards, { type: "text/plain", body });
    await waiting.promise;
    windows.at(-1)?.();
    const { status, body: said } = await answer;
    assertEquals([status, said["code"]], [408, "REQUEST_TIMEOUT"]);
  }, { timer });
});

Deno.test("files answer and are kept alike where each organization has a database", async () => {
  const [driver] = TENANT_DRIVERS;
  assert(driver);
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    await put(`${card}/photo`, cards, { type: "text/plain", body: "before" });
    await put(`${card}/photo`, cards, { type: "text/plain", body: "after" });
    const theirs = await api.ask("cards", { as: stranger, body: { title: "b" } });
    await put(`cards/${theirs.body["id"]}/photo`, cards, {
      as: stranger,
      type: "text/plain",
      body: "theirs",
    });
    const foreign = await api.ask(`${card}/photo`, { as: stranger });
    assertEquals([foreign.status, foreign.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
    assertEquals(files.objects.size, 3);
    const collect = createCollection(api.project, { ...api.ports, files });
    while (await collect());
    files.objects.delete("_collection");
    const kept = [...files.objects].map(([key, { bytes }]) => [
      key.split("/").slice(0, 2),
      new TextDecoder().decode(bytes),
    ]);
    assertEquals(kept, [[["org_1", "cards"], "after"], [["org_2", "cards"], "theirs"]]);
  }, { driver });
});

Deno.test("a store without room refuses the file, and the record stays", async () => {
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    await put(`${card}/photo`, cards);
    const { photo } = (await api.ask(card, { as: member })).body;
    files.beforeKept = () => Promise.reject(new StorageFullError("No room"));
    const full = await put(`${card}/photo`, cards);
    assertEquals([full.status, full.body["code"]], [507, "STORAGE_FULL"]);
    assertEquals((await api.ask(card, { as: member })).body["photo"], photo);
    const beyond = await api.ask(`${card}/photo`, { as: member, headers: { range: "bytes=18-" } });
    assertEquals(beyond.body["code"], "RANGE_NOT_SATISFIABLE");
  });
});

Deno.test("a store that is away answers 503 and when to come again, and the record goes on without it", async () => {
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    await put(`${card}/photo`, cards);
    const { photo } = (await api.ask(card, { as: member })).body;
    const away = () => Promise.reject(new StorageUnavailableError("bucket.internal said secret"));
    files.beforeKept = away;
    files.store.get = away;
    for (
      const refused of [
        await put(`${card}/photo`, cards),
        await api.ask(`${card}/photo`, { as: member }),
      ]
    ) {
      assertEquals([refused.status, refused.body["code"]], [503, "STORAGE_UNAVAILABLE"]);
      assertEquals(refused.headers.get("retry-after"), "5");
      assertEquals(refused.text.includes("secret"), false);
    }
    // The reason is for the operator.
    assertEquals(api.log.filter(({ level }) => level === "error").length, 2);
    const foreign = await put(`${card}/photo`, cards, { as: stranger });
    assertEquals([foreign.status, foreign.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
    assertEquals((await api.ask(card, { as: member })).body["photo"], photo);
    const cleared = await api.ask(`${card}/photo`, { as: member, method: "DELETE" });
    assertEquals(cleared.status, 200);
  });
});

Deno.test("a file that the store has lost is our failure, and is logged", async () => {
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    await put(`${card}/photo`, cards);
    files.objects.clear();
    const lost = await api.ask(`${card}/photo`, { as: member });
    assertEquals([lost.status, lost.body["code"]], [500, "INTERNAL_ERROR"]);
    assertEquals(api.log.filter(({ level }) => level === "error").length, 1);
  });
});
