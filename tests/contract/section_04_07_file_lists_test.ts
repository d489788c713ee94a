/** Columns with several files (contract 4.7, definitions 3): one is added, read and removed by its id, all are replaced at once. */
import { assert, assertEquals } from "@std/assert";
import { createCollection } from "../../shared/runtime/background/collection.ts";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { type MemoryFiles, memoryFiles } from "../support/memory_files.ts";

const member: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };
const admin: Claims = { sub: "user_2", orgId: "org_1", roles: ["admin"] };
const stranger: Claims = { sub: "user_3", orgId: "org_2", roles: ["member"] };

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "cards" };\n',
  "quickback/features/cards/cards.ts": `import { feature, q } from "quickback";
export default feature("cards", {
  columns: {
    organizationId: q.scope("organization"), version: q.revision(), title: q.text(),
    pages: q.file({ maxSize: 100, types: ["text/plain"], multiple: true, maxItems: 2 }),
    proofs: q.file({ multiple: true }), first: q.file({ multiple: true }),
  },
  guards: { createable: ["title", "pages", "first"], updatable: ["title", "pages", "proofs"] },
  masking: { proofs: { type: "redact", show: { roles: ["admin"] } } },
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member", "admin"] } },
  delete: { access: { roles: ["member"] }, mode: "soft" },
});
`,
};

interface Cards {
  readonly api: ApiUnderTest;
  readonly files: MemoryFiles;
  readonly card: string;
}

function withCards(body: (cards: Cards) => Promise<void>): Promise<void> {
  const files = memoryFiles(() => 0);
  return withDefinitions(FILES, async (api) => {
    const made = await api.ask("cards", { as: member, body: { title: "a" } });
    assertEquals([made.status, made.body["pages"], made.body["proofs"]], [201, [], "[REDACTED]"]);
    await body({ api, files, card: `cards/${made.body["id"]}` });
  }, { files });
}

interface Sent {
  readonly as?: Claims;
  readonly method?: "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a text, under its own name. */
function send({ api }: Pick<Cards, "api">, path: string, text: string, sent: Sent = {}) {
  const { as = member, method = "POST", headers = {} } = sent;
  const named = {
    "content-type": "text/plain",
    "content-disposition": `attachment; filename="${text}.txt"`,
  };
  return api.ask(path, { as, method, body: text, headers: { ...named, ...headers } });
}

type Listed = readonly { readonly id: string; readonly name: string }[];

function namesOf(value: unknown): readonly string[] {
  return (value as Listed).map(({ name }) => name);
}

Deno.test("files are added one by one, read and removed by their ids, and replaced all at once", async () => {
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    const one = await send(cards, `${card}/pages`, "one");
    assertEquals([one.status, namesOf(one.body["pages"])], [201, ["one.txt"]]);
    assert(one.headers.get("etag")?.startsWith('"2-'));
    const two = await send(cards, `${card}/pages`, "two");
    const [first, second] = two.body["pages"] as Listed;
    assert(first && second);
    assertEquals((await api.ask(card, { as: member })).body["pages"], two.body["pages"]);
    const got = await api.ask(`${card}/pages/${second.id}`, { as: member });
    assertEquals([got.status, got.text], [200, "two"]);
    const part = await api.ask(`${card}/pages/${first.id}`, {
      as: member,
      headers: { range: "bytes=1-1" },
    });
    assertEquals([part.status, part.text], [206, "n"]);

    const full = await send(cards, `${card}/pages`, "three");
    assertEquals([full.status, full.body["code"], full.body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/pages",
    ]);
    // Refused before its bytes came.
    assertEquals(files.objects.size, 2);

    const removed = await api.ask(`${card}/pages/${first.id}`, { as: member, method: "DELETE" });
    assertEquals([removed.status, removed.body], [200, { success: true }]);
    const again = await api.ask(`${card}/pages/${first.id}`, { as: member, method: "DELETE" });
    assertEquals(again.status, 200);
    const gone = await api.ask(`${card}/pages/${first.id}`, { as: member });
    assertEquals([gone.status, gone.body["code"]], [404, "FILE_NOT_FOUND"]);

    const replaced = await send(cards, `${card}/pages`, "four", { method: "PUT" });
    assertEquals([replaced.status, namesOf(replaced.body["pages"])], [200, ["four.txt"]]);
    const step = createCollection(api.project, { ...api.ports, files: { ...files, graceMs: 0 } });
    while (await step());
    files.objects.delete("_collection");
    const [kept = "", ...others] = files.objects.keys();
    assert(kept.endsWith((replaced.body["pages"] as Listed)[0]?.id ?? "-") && others.length === 0);
  });
});

Deno.test("the list itself is no file, and its routes are those of a list", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const whole = await api.ask(`${card}/pages`, { as: member });
    assertEquals([whole.status, whole.headers.get("allow")], [405, "POST, PUT"]);
    const cleared = await api.ask(`${card}/pages`, { as: member, method: "DELETE" });
    assertEquals(cleared.status, 405);
    const other = await api.ask(`${card}/pages/presign`, { as: member });
    assertEquals(other.status, 405);
    const unknown = await api.ask(`${card}/pages/none`, { as: member });
    assertEquals([unknown.status, unknown.body["code"]], [404, "FILE_NOT_FOUND"]);
  });
});

Deno.test("JSON bodies take only an empty list for files, which clears them", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const { body: { pages } } = await send(cards, `${card}/pages`, "one");
    for (const value of [null, pages, {}, [null], "x"]) {
      const body = { pages: value };
      const refused = await api.ask(card, { as: member, method: "PATCH", body });
      assertEquals([refused.status, refused.body["code"]], [400, "VALIDATION_ERROR"]);
    }
    const created = await api.ask("cards", { as: member, body: { title: "b", pages: [] } });
    assertEquals(created.status, 201);
    const cleared = await api.ask(card, { as: member, method: "PATCH", body: { pages: [] } });
    assertEquals([cleared.status, cleared.body["pages"]], [200, []]);
    const listed = await api.ask("cards?pages.eq=x", { as: member });
    assertEquals(listed.body["code"], "VALIDATION_INVALID_INPUT");
    const sorted = await api.ask("cards?sort=pages", { as: member });
    assertEquals(sorted.body["code"], "VALIDATION_INVALID_INPUT");
  });
});

Deno.test("each of several files answers as its row does, and a masked one alike whether it is there", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const { body } = await send(cards, `${card}/pages`, "one");
    const [page] = body["pages"] as Listed;
    const proofs = await send(cards, `${card}/proofs`, "secret", { as: admin });
    const [proof] = proofs.body["proofs"] as Listed;
    assert(page && proof);
    for (const id of [page.id, "none"]) {
      const foreign = await api.ask(`${card}/pages/${id}`, { as: stranger });
      assertEquals([foreign.status, foreign.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
    }
    for (const id of [proof.id, "none"]) {
      const masked = await api.ask(`${card}/proofs/${id}`, { as: member });
      assertEquals([masked.status, masked.body["code"]], [403, "FIELD_MASKED"]);
    }
    // The file of one column is none of another.
    const crossed = await api.ask(`${card}/pages/${proof.id}`, { as: member });
    assertEquals(crossed.body["code"], "FILE_NOT_FOUND");
    assertEquals((await send(cards, `${card}/pages`, "x", { as: stranger })).status, 403);
    // What may only be created is sent once.
    assertEquals((await send(cards, `${card}/first`, "once")).status, 201);
    const twice = await send(cards, `${card}/first`, "twice");
    assertEquals([twice.status, twice.body["code"]], [400, "GUARD_FIELD_NOT_UPDATABLE"]);
    const stale = await send(cards, `${card}/pages`, "two", { headers: { "if-match": '"9"' } });
    assertEquals(stale.body["code"], "PRECONDITION_FAILED");
    await api.ask(card, { as: member, method: "DELETE" });
    assertEquals((await api.ask(`${card}/pages/${page.id}`, { as: member })).status, 403);
  });
});

Deno.test("of two files that come at once for the last place, one is taken", async () => {
  await withCards(async (cards) => {
    const { api, card, files } = cards;
    await send(cards, `${card}/pages`, "one");
    let waiting = 0;
    const both = Promise.withResolvers<void>();
    files.beforeKept = () => {
      if (++waiting === 2) both.resolve();
      return both.promise;
    };
    const sent = await Promise.all(
      ["two", "three"].map((text) => send(cards, `${card}/pages`, text)),
    );
    assertEquals(sent.map(({ status }) => status).sort(), [201, 400]);
    assertEquals(((await api.ask(card, { as: member })).body["pages"] as Listed).length, 2);
  });
});

Deno.test("a file comes to a list, and goes from it, by an address", async () => {
  await withCards(async (cards) => {
    const { api, card } = cards;
    const presign = (body: object) =>
      api.ask(`${card}/pages/presign`, { as: member, method: "POST", body });
    const { body: { url, upload } } = await presign({ method: "PUT", size: 3, type: "text/plain" });
    await api.ask(new URL(String(url)).pathname, {
      method: "PUT",
      body: "one",
      headers: { "content-type": "text/plain" },
    });
    const added = await api.ask(`${card}/pages`, { as: member, method: "POST", body: { upload } });
    assertEquals([added.status, namesOf(added.body["pages"])], [201, ["pages.txt"]]);
    const [{ id } = { id: "" }] = added.body["pages"] as Listed;
    const unnamed = await presign({ method: "GET" });
    assertEquals([unnamed.body["code"], unnamed.body["pointer"]], ["VALIDATION_ERROR", "/id"]);
    assertEquals((await presign({ method: "GET", id: "x" })).body["code"], "FILE_NOT_FOUND");
    const read = await presign({ method: "GET", id });
    assertEquals((await api.ask(new URL(String(read.body["url"])).pathname)).text, "one");
  });
});
