/** `ETag`, `If-Match` and `If-None-Match` on records that count their revisions and on those that do not (contract 4.1 rule 8). */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { type Answer, type ApiUnderTest, type Ask, withDefinitions } from "../support/api.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const viewer = { sub: "user_2", orgId: "org_1", roles: ["viewer"] };
const stranger = { sub: "user_3", orgId: "org_2", roles: ["admin"] };

const ACCESS = `
  read: { access: { roles: ["admin", "viewer"] } },
  create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] } },`;

const config = (rest = "") =>
  `import { defineConfig } from "quickback";\nexport default defineConfig({ name: "tags"${rest} });\n`;

const FILES = {
  "quickback/quickback.config.ts": config(),
  "quickback/features/folders/folders.ts": `import { feature, q } from "quickback";
export default feature("folders", {
  columns: { id: q.id(), organizationId: q.scope("organization"), name: q.text().required(), note: q.text() },
  guards: false,${ACCESS}
  delete: { access: { roles: ["admin"] }, mode: "hard" },
});
`,
  "quickback/features/papers/papers.ts": `import { feature, q } from "quickback";
import folders from "../folders/folders.ts";
export default feature("papers", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required(),
    secretCode: q.text(),
    folderId: q.text().references(() => folders.id, { onDelete: "set null" }),
    revision: q.revision(),
  },
  guards: { createable: ["title", "secretCode", "folderId"], updatable: ["title", "secretCode", "folderId"] },
  masking: { secretCode: { type: "redact", show: { roles: ["admin"] } } },${
    ACCESS.replace("read: {", 'read: { include: ["folderId"],')
  }
  delete: { access: { roles: ["admin"] } },
});
`,
};

type Paper = { readonly path: string; readonly tag: string };

async function newPaper(api: ApiUnderTest, body: object = {}): Promise<Paper> {
  const answer = await api.ask("papers", { as: admin, body: { title: "One", ...body } });
  assertEquals(answer.status, 201, answer.text);
  return { path: `papers/${answer.body["id"]}`, tag: tagOf(answer) };
}

function tagOf(answer: Answer): string {
  const tag = answer.headers.get("etag");
  assert(tag !== null, answer.text);
  return tag;
}

const patch = (title: string, headers: Readonly<Record<string, string>> = {}): Ask => ({
  as: admin,
  method: "PATCH",
  body: { title },
  headers,
});

Deno.test("a record counts its revisions, and its answers carry them as tags", () =>
  withDefinitions(FILES, async (api) => {
    const { path, tag } = await newPaper(api);
    assertEquals(tag, '"1"');
    const second = await api.ask(path, patch("Two"));
    assertEquals([second.body["revision"], tagOf(second)], [2, '"2"']);
    for (const query of ["", "?fields=title", "?fields=revision", "?include=folderId"]) {
      assertEquals(tagOf(await api.ask(path + query, { as: admin })), '"2"', query);
    }
    // Who sees less of it has a tag of their own.
    assertMatch(tagOf(await api.ask(path, { as: viewer })), /^"2-.+"$/);
  }));

Deno.test("a write that names the present revision is done, any other is refused and changes nothing", () =>
  withDefinitions(FILES, async (api) => {
    const { path } = await newPaper(api);
    const rows: readonly (readonly [ifMatch: string, status: number])[] = [
      ['"2"', 412],
      ['W/"1"', 412],
      ["1", 412],
      ['"1', 412],
      ['"", "9"', 412],
      ['"1-x"', 412],
      ['"9", "1"', 200],
      ["*", 200],
      ['"3"', 200],
    ];
    for (const [ifMatch, status] of rows) {
      const answer = await api.ask(path, patch(ifMatch, { "if-match": ifMatch }));
      assertEquals(answer.status, status, `${ifMatch} ${answer.text}`);
      if (status === 412) {
        assertEquals([answer.body["code"], answer.body["layer"]], [
          "PRECONDITION_FAILED",
          "validation",
        ]);
        assertEquals((await api.ask(path, { as: admin })).body["title"], "One");
      }
    }
  }));

Deno.test("a delete is refused by another revision and done by its own", () =>
  withDefinitions(FILES, async (api) => {
    const { path } = await newPaper(api);
    const drop = (tag: string): Ask => ({
      as: admin,
      method: "DELETE",
      headers: { "if-match": tag },
    });
    assertEquals((await api.ask(path, drop('"7"'))).status, 412);
    assertEquals((await api.ask(path, drop('"1"'))).status, 200);
    assertEquals((await api.ask(path, drop('"2"'))).body["code"], "FIREWALL_SOFT_DELETED");
  }));

Deno.test("a foreign record answers a condition as a missing one does, whoever may not write is told so first", () =>
  withDefinitions(FILES, async (api) => {
    const { path } = await newPaper(api);
    const headers = { "if-match": '"9"' };
    const ask = { ...patch("x", headers), as: stranger };
    const foreign = await api.ask(path, ask);
    const missing = await api.ask("papers/paper_00000000000000000000000000000000", ask);
    assertEquals([foreign.status, foreign.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
    assertEquals([missing.status, missing.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
    const unfit = await api.ask(path, { ...patch("x", headers), as: viewer });
    assertEquals(unfit.body["code"], "ACCESS_ROLE_REQUIRED");
    // Before guards and validation.
    const wrong = await api.ask(path, { ...patch("x", headers), body: { nope: 1 } });
    assertEquals(wrong.body["code"], "PRECONDITION_FAILED");
  }));

Deno.test("a condition that cannot anchor is 428", () =>
  withDefinitions(FILES, async (api) => {
    const folder = await api.ask("folders", { as: admin, body: { name: "A" } });
    const path = `folders/${folder.body["id"]}`;
    const { path: paper } = await newPaper(api);
    const asks: readonly (readonly [string, Ask])[] = [
      ["papers", { as: admin, body: { title: "x" }, headers: { "if-match": "*" } }],
      ["papers", { as: admin, body: { title: "x" }, headers: { "if-none-match": "*" } }],
      [path, { as: admin, method: "PATCH", body: { name: "B" }, headers: { "if-match": "*" } }],
      [path, { as: admin, method: "DELETE", headers: { "if-match": '"1"' } }],
      [paper, { as: admin, method: "DELETE", headers: { "if-none-match": '"1"' } }],
      ["papers/batch", {
        as: admin,
        method: "PATCH",
        body: { records: [{ id: paper.slice("papers/".length), title: "x" }] },
        headers: { "if-match": '"1"' },
      }],
    ];
    for (const [at, ask] of asks) {
      const { status, body } = await api.ask(at, ask);
      assertEquals(
        [status, body["code"]],
        [428, "PRECONDITION_UNSUPPORTED"],
        `${ask.method} ${at}`,
      );
    }
    assertEquals((await api.ask(path, { as: admin })).body["name"], "A");
    const anonymous = await api.ask("papers", { body: {}, headers: { "if-match": "*" } });
    assertEquals(anonymous.status, 401);
  }));

Deno.test("of two writes under one revision exactly one is done", () =>
  withDefinitions(FILES, async (api) => {
    const { path } = await newPaper(api);
    for (let round = 1; round <= 10; round += 1) {
      const headers = { "if-match": `"${round}"` };
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, at) => api.ask(path, patch(`${round}.${at}`, headers))),
      );
      assertEquals(answers.map(({ status }) => status).sort(), [200, 412, 412, 412]);
      const winner = answers.find(({ status }) => status === 200);
      assertEquals((await api.ask(path, { as: admin })).body["title"], winner?.body["title"]);
    }
  }));

Deno.test("a read of what the caller holds is 304, without a body and under its tag", () =>
  withDefinitions(FILES, async (api) => {
    const { path } = await newPaper(api);
    for (const held of ['"1"', 'W/"1"', '"0", "1"', "*"]) {
      const answer = await api.ask(path, { as: admin, headers: { "if-none-match": held } });
      assertEquals([answer.status, answer.text, tagOf(answer)], [304, "", '"1"'], held);
      assertEquals(answer.headers.get("content-type"), null);
    }
    for (const held of ['"2"', "1", '"1', ""]) {
      assertEquals(
        (await api.ask(path, { as: admin, headers: { "if-none-match": held } })).status,
        200,
      );
    }
    await api.ask(path, patch("Two"));
    const changed = await api.ask(path, { as: admin, headers: { "if-none-match": '"1"' } });
    assertEquals([changed.status, tagOf(changed)], [200, '"2"']);
    const head = await api.ask(path, {
      as: admin,
      method: "HEAD",
      headers: { "if-none-match": '"2"' },
    });
    assertEquals([head.status, tagOf(head)], [304, '"2"']);
    const foreign = await api.ask(path, { as: stranger, headers: { "if-none-match": "*" } });
    assertEquals(foreign.body["code"], "FIREWALL_NOT_FOUND");
  }));

Deno.test("a revision brings about no 304 where something else in the body may have changed", () =>
  withDefinitions(FILES, async (api) => {
    const folder = await api.ask("folders", { as: admin, body: { name: "A" } });
    const { path } = await newPaper(api, { folderId: folder.body["id"] });
    const held = { as: admin, headers: { "if-none-match": '"1"' } };
    assertEquals((await api.ask(path, held)).status, 304);
    assertEquals((await api.ask(`${path}?include=folderId`, held)).status, 200);
    api.pass(1000);
    await api.ask(`folders/${folder.body["id"]}`, {
      as: admin,
      method: "PATCH",
      body: { name: "B" },
    });
    const labelled = await api.ask(path, held);
    assertEquals([labelled.status, labelled.body["folder_label"]], [200, "B"]);
    assertEquals((await api.ask(`${path}?fields=title`, held)).status, 304);
    api.pass(1000);
    await api.ask(path, patch("Two"));
    const second = { as: admin, headers: { "if-none-match": '"2"' } };
    assertEquals((await api.ask(path, second)).status, 304);
  }));

Deno.test("lists and records without a revision are tagged by what the caller sees of them", () =>
  withDefinitions(FILES, async (api) => {
    await newPaper(api, { secretCode: "abc" });
    const folder = await api.ask("folders", { as: admin, body: { name: "A" } });
    assertEquals(folder.headers.get("etag"), null);
    for (const path of ["papers", "papers?total=true", `folders/${folder.body["id"]}`, "folders"]) {
      const first = await api.ask(path, { as: admin });
      assertMatch(tagOf(first), /^W\/"[a-z0-9-]+"$/);
      const held = await api.ask(path, { as: admin, headers: { "if-none-match": tagOf(first) } });
      assertEquals([held.status, held.text, tagOf(held)], [304, "", tagOf(first)], path);
    }
    const plain = tagOf(await api.ask("papers", { as: admin }));
    const masked = tagOf(await api.ask("papers", { as: viewer }));
    assertNotEquals(plain, masked);
    await newPaper(api);
    const { status } = await api.ask("papers", { as: admin, headers: { "if-none-match": plain } });
    assertEquals(status, 200);
  }));

Deno.test("a tag of what was read anchors no write", () =>
  withDefinitions(FILES, async (api) => {
    const folder = await api.ask("folders", { as: admin, body: { name: "A" } });
    const path = `folders/${folder.body["id"]}`;
    const tag = tagOf(await api.ask(path, { as: admin }));
    const ask = { as: admin, method: "PATCH", body: { name: "B" }, headers: { "if-match": tag } };
    assertEquals((await api.ask(path, ask)).status, 428);
  }));

Deno.test("values that a caller may not see change no tag of theirs", async () => {
  const tags = async (secretCode: string): Promise<readonly string[]> => {
    const found: string[] = [];
    await withDefinitions(FILES, async (api) => {
      const { path } = await newPaper(api, { secretCode });
      for (const at of [path, "papers", `${path}?fields=secretCode`, "papers?fields=secretCode"]) {
        found.push(tagOf(await api.ask(at, { as: viewer })));
      }
    });
    return found;
  };
  assertEquals(await tags("first"), await tags("another one"));
});

Deno.test("etag.enabled: false leaves revisions alone", () =>
  withDefinitions({
    ...FILES,
    "quickback/quickback.config.ts": config(", etag: { enabled: false }"),
  }, async (api) => {
    const { path } = await newPaper(api);
    assertEquals((await api.ask("papers", { as: admin })).headers.get("etag"), null);
    assertEquals((await api.ask(path, { as: admin })).headers.get("etag"), '"1"');
  }));

Deno.test("what a delete clears or cascades to counts as a revision", () =>
  withDefinitions(FILES, async (api) => {
    const folder = await api.ask("folders", { as: admin, body: { name: "A" } });
    const { path } = await newPaper(api, { folderId: folder.body["id"] });
    await api.ask(`folders/${folder.body["id"]}`, { as: admin, method: "DELETE" });
    const cleared = await api.ask(path, { as: admin });
    assertEquals([cleared.body["folderId"], cleared.body["revision"]], [null, 2]);
    assertEquals((await api.ask(path, patch("x", { "if-match": '"1"' }))).status, 412);
  }));

const UPSERT_FILES = {
  "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({ name: "puts", providers: { database: defineDatabase("libsql", { generateId: false }) } });
`,
  "quickback/features/sheets/sheets.ts": `import { feature, q } from "quickback";
export default feature("sheets", {
  columns: { id: q.id(), organizationId: q.scope("organization"), title: q.text().required(), revision: q.revision() },
  guards: false,
  read: { access: { roles: ["admin"] } },
  upsert: { access: { roles: ["admin"] } },
});
`,
};

Deno.test("a PUT counts a revision, and writes under a condition only what is there", () =>
  withDefinitions(UPSERT_FILES, async (api) => {
    const put = (id: string, rest: Partial<Ask> = {}) =>
      api.ask(`sheets/${id}`, { as: admin, method: "PUT", body: { title: "A" }, ...rest });
    const ifMatch = (tag: string) => ({ headers: { "if-match": tag } });
    assertEquals(tagOf(await put("a")), '"1"');
    const second = await put("a", ifMatch('"1"'));
    assertEquals([second.status, tagOf(second)], [200, '"2"']);
    assertEquals((await put("a", ifMatch('"1"'))).status, 412);
    assertEquals((await put("b", ifMatch("*"))).body["code"], "PRECONDITION_FAILED");
    assertEquals(
      (await put("a", { ...ifMatch("*"), as: stranger })).body["code"],
      "PRECONDITION_FAILED",
    );
    assertEquals((await put("a", { headers: { "if-none-match": "*" } })).status, 428);
    assertEquals((await api.ask("sheets/b", { as: admin })).status, 403);
  }));
