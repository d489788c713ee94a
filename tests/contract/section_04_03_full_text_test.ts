/** Full-text search (contract 4.3): words by their beginnings, the best first, and nothing of rows that the caller may not see. */
import { assert, assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { compile, validate } from "../../shared/compiler/mod.ts";
import Libsql from "libsql";
import { openDatabase } from "../../library/platform/mod.ts";
import type { Statement } from "../../shared/runtime/ports.ts";
import { BARE_HOST } from "../support/sample_files.ts";
import { sqld, withSqld } from "../support/sqld.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const test = ofOneDatabase("it looks into one database for what stands in an organization's");

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BOB: Claims = { sub: "bob", orgId: "org_b", roles: ["member"] };
const EVA: Claims = { sub: "eva", orgId: "org_a", roles: ["clerk"] };
const ALL = `{ access: { roles: ["member"] } }`;

const notes = (search: string, more = "") =>
  `import { feature, q } from "quickback";
export default feature("notes", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().required(), body: q.text(), state: q.enum(["open", "done"]).default("open"),
    hidden: q.text(), size: q.int(),
  },
  masking: { hidden: { type: "redact", show: { roles: ["lead"] } } },
  guards: false,
  defaultSort: "title",
  ${search}
  read: {
    access: { or: [{ roles: ["member"] }, { roles: ["clerk"], record: { state: "open" } }] },
    views: {
      titles: { fields: ["id", "title"], aggregations: { all: { fn: "count" } } },
      bodies: { fields: ["id", "title", "body"], query: { searchable: ["body"] } },
    },
  },
  create: ${ALL}, update: ${ALL},
  delete: { access: { roles: ["member"] }, restore: { access: { roles: ["member"] } } },
  ${more}
});
`;

const SEARCH = `search: { mode: "fullText", fields: ["title", "body"], weights: { title: 5 } },`;

const files = (search = SEARCH, more = "") => ({
  "quickback/quickback.config.ts": 'export default { name: "notes" };\n',
  "quickback/features/notes/notes.ts": notes(search, more),
});

async function made(api: ApiUnderTest, body: object, as = ANN): Promise<string> {
  const answer = await api.ask("notes", { as, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function found(api: ApiUnderTest, query: string, as = ANN): Promise<unknown> {
  const answer = await api.ask(`notes${query}`, { as });
  const { data } = answer.body;
  return Array.isArray(data) ? data.map((one) => one.title) : answer.body["code"];
}

const search = (text: string) => `?search=${encodeURIComponent(text)}`;

Deno.test("every word of a search begins one of the record's, whatever its case and accents", () =>
  withDefinitions(files(), async (api) => {
    await made(api, { title: "Éclair au chocolat", body: "A dessert, from foo-bar@example.com" });
    await made(api, { title: "Chocolate cake", body: null });
    await made(api, { title: "ÄPFEL", body: '100% "quoted" AND (parted) NEAR it*' });
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ["choc", ["Chocolate cake", "Éclair au chocolat"]],
      ["CHOC eclair", ["Éclair au chocolat"]],
      ["éclair dess", ["Éclair au chocolat"]],
      ["chocolat cake", ["Chocolate cake"]],
      ["hocolate", []],
      ["foo-bar", ["Éclair au chocolat"]],
      ["foo-bar@exam", ["Éclair au chocolat"]],
      ["bar-foo", []],
      ["apfel", ["ÄPFEL"]],
      ['"quoted"', ["ÄPFEL"]],
      ["(parted", ["ÄPFEL"]],
      ["NEAR AND", ["ÄPFEL"]],
      ["100%", ["ÄPFEL"]],
      ["chocolate OR apfel", []],
      ["title:chocolate", []],
      ["-chocolate", ["Chocolate cake"]],
      ["choc* % ^", ["Chocolate cake", "Éclair au chocolat"]],
      ["% ' \" *", []],
      ["😀", []],
      [" choc \t cake ", ["Chocolate cake"]],
    ];
    for (const [text, titles] of rows) {
      assertEquals(await found(api, `${search(text)}&sort=title`), titles, text);
    }
    assertEquals(await found(api, "?search=&sort=-title"), [
      "Éclair au chocolat",
      "ÄPFEL",
      "Chocolate cake",
    ]);
    const many = Array.from({ length: 33 }, (_, at) => `w${at}`).join(" ");
    assertEquals(await found(api, search(many)), "VALIDATION_INVALID_INPUT");
  }));

Deno.test("the best come first, an explicit order replaces that, and cursors keep it", () =>
  withDefinitions(files(), async (api) => {
    await made(api, { title: "b once", body: "apple" });
    await made(api, { title: "c apple", body: "none" });
    await made(api, { title: "a thrice", body: "apple apple apple" });
    await made(api, { title: "d apple apple", body: "apple" });
    const best = ["d apple apple", "c apple", "a thrice", "b once"];
    assertEquals(await found(api, search("apple")), best);
    assertEquals(await found(api, `${search("apple")}&sort=-title`), [...best].sort().reverse());
    assertEquals(await found(api, `${search("apple")}&order=asc`), [...best].sort());
    assertEquals(await found(api, `${search("apple")}&title.ne=c%20apple`), best.toSpliced(1, 1));
    const where = encodeURIComponent('{"or":[{"title":"b once"},{"title":"c apple"}]}');
    assertEquals(await found(api, `${search("apple")}&where=${where}`), ["c apple", "b once"]);
    const counted = await api.ask(`notes${search("apple")}&total=true&limit=1`, { as: ANN });
    assertEquals(Object(counted.body["pagination"]).total, 4);
    const view = await api.ask(`notes/views/titles${search("apple")}`, { as: ANN });
    assertEquals(Object(view.body["aggregations"]).all, 2);

    const page = async (cursor: string) => {
      const { body } = await api.ask(`notes${search("apple")}&limit=2${cursor}`, { as: ANN });
      return {
        titles: Object(body["data"]).map((one: { title: string }) => one.title),
        at: Object(body["pagination"]),
      };
    };
    const first = await page("");
    assertEquals(first.titles, best.slice(0, 2));
    const next = encodeURIComponent(first.at.nextCursor);
    const second = await page(`&starting_after=${next}`);
    assertEquals(second.titles, best.slice(2));
    const back = await page(`&ending_before=${encodeURIComponent(second.at.prevCursor)}`);
    assertEquals(back.titles, best.slice(0, 2));
    // A place by rank is one of this search alone.
    assertEquals(
      await found(api, `${search("appl")}&starting_after=${next}`),
      "VALIDATION_INVALID_INPUT",
    );
  }));

Deno.test("equal ranks are in the order of their ids, page by page", () =>
  withDefinitions(files(), async (api) => {
    const ids: string[] = [];
    for (let at = 0; at < 9; at++) ids.push(await made(api, { title: "same", body: "word" }));
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await api.ask(`notes${search("word")}&limit=2${cursor}`, { as: ANN });
      for (const one of Object(body["data"])) seen.push(one.id);
      const { nextCursor } = Object(body["pagination"]);
      cursor = nextCursor ? `&starting_after=${encodeURIComponent(nextCursor)}` : "";
    } while (cursor !== "");
    assertEquals(seen, ids.toSorted());
  }));

Deno.test("a search finds what a read shows, and its order tells nothing of other tenants", () =>
  withDefinitions(files(), async (api) => {
    const own = await made(api, { title: "rare common", state: "open" });
    await made(api, { title: "common common", state: "done" });
    await made(api, { title: "rare rare", hidden: "secret" });
    const asked = async () => [
      await found(api, search("common")),
      await found(api, search("rare")),
      await found(api, search("common"), EVA),
      (await api.ask(`notes${search("c")}&total=true`, { as: ANN })).text,
    ];
    const before = await asked();
    assertEquals(before[1], ["rare rare", "rare common"]);
    assertEquals(before[2], ["rare common"]);
    assertEquals(await found(api, search("secret")), []);
    // Whatever other tenants hold, however rare or common it makes a word.
    for (let at = 0; at < 30; at++) await made(api, { title: "rare ".repeat(at + 1) }, BOB);
    assertEquals(await asked(), before);
    assertEquals(await found(api, search("common"), BOB), []);
    // Deleted records are found by those who may restore them, if they ask for them.
    await api.ask(`notes/${own}`, { as: ANN, method: "DELETE" });
    assertEquals(await found(api, search("rare")), ["rare rare"]);
    assertEquals(await found(api, `${search("rare")}&deleted=only`), ["rare common"]);
    await api.ask(`notes/${own}/restore`, { as: ANN, method: "POST" });
    assertEquals(await found(api, search("rare")), before[1]);
  }));

Deno.test("writes keep the index in their own transaction; a view searches its own columns", () =>
  withDefinitions(files(), async (api) => {
    const id = await made(api, { title: "old", body: "words" });
    const batch = await api.ask("notes/batch", {
      as: ANN,
      body: { records: [{ title: "batched" }, { title: "batched too", body: "old" }] },
    });
    assertEquals([batch.status, await found(api, search("batched"))], [
      201,
      ["batched", "batched too"],
    ]);
    await api.ask(`notes/${id}`, { as: ANN, method: "PATCH", body: { title: "new" } });
    assertEquals(await found(api, search("old")), ["batched too"]);
    assertEquals(await found(api, search("new")), ["new"]);
    // Refused, so nothing of it is in the index.
    const refused = { title: "other", size: "none" };
    await api.ask(`notes/${id}`, { as: ANN, method: "PATCH", body: refused });
    assertEquals(await found(api, search("other")), []);
    assertEquals(await found(api, `/views/titles${search("words")}`), []);
    assertEquals(await found(api, `/views/titles${search("new")}`), ["new"]);
    assertEquals(await found(api, `/views/bodies${search("words")}`), ["new"]);
    assertEquals(await found(api, `/views/bodies${search("new")}`), []);
    await assertSound(api);
  }));

/** FTS5 compares its index with its texts, and every row has its entry. */
async function assertSound(api: ApiUnderTest): Promise<void> {
  await api.database.write((transaction) =>
    transaction.run({
      sql: "INSERT INTO notes_search (notes_search) VALUES ('integrity-check')",
      args: [],
    })
  );
  const { rows } = await api.database.run({
    sql: "SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM notes_search), " +
      "(SELECT count(*) FROM notes_search_keys)",
    args: [],
  });
  assertEquals(new Set(rows[0]).size, 1);
}

Deno.test("a server has the same index, and so has a copy of it", async () => {
  const program = await sqld();
  if (program === null) return;
  await withSqld(program, async ({ url }) => {
    const database = await openDatabase({ url });
    try {
      await withDefinitions(files(), async (api) => {
        for (const title of ["apple pie", "pie", "pie pie"]) await made(api, { title });
        assertEquals(await found(api, search("pie")), ["pie pie", "pie", "apple pie"]);
        await withTempFolder((folder) => {
          const copy = new Libsql(`${folder}/copy.db`, { syncUrl: url });
          copy.sync();
          const sql = "SELECT count(*) FROM notes_search WHERE notes_search MATCH '\"appl\"*'";
          assertEquals(copy.prepare(sql).raw().all(), [[1]]);
          copy.close();
          return Promise.resolve();
        });
      }, { driver: { name: "server", with: (given) => given(database, null) } });
    } finally {
      await database.close();
    }
  });
});

test("a search of many rows is answered from the index, in one statement for the page", () =>
  withDefinitions(files(), async (api) => {
    await api.database.write((transaction) =>
      transaction.run({
        sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO notes (id, organization_id, title, body, created_at)
          SELECT 'n' || i, 'org_' || CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END,
            'title ' || (i % 500), 'needle' || i, '2026-01-01T00:00:00.000Z' FROM n`,
        args: [],
      })
    );
    const statements: Statement[] = [];
    const { run } = api.database;
    Object.assign(api.database, {
      run: (statement: Statement) => {
        statements.push(statement);
        return run.call(api.database, statement);
      },
    });
    assertEquals(await found(api, search("needle4242")), ["title 242"]);
    assertEquals(await found(api, `${search("needle4242")}&sort=title`), ["title 242"]);
    assertEquals(await found(api, search("needle4241")), []);
    const asked = statements.filter(({ sql }) => sql.includes("notes_search"));
    assertEquals(asked.length, 3);
    for (const { sql, args } of asked) {
      const plan = (await run.call(api.database, { sql: `EXPLAIN QUERY PLAN ${sql}`, args })).rows
        .map((row) => String(row[3]));
      assert(plan.some((step) => step.includes("VIRTUAL TABLE INDEX")), plan.join("\n"));
      assert(plan.some((step) => step.startsWith("SEARCH t USING")), plan.join("\n"));
    }
  }));

Deno.test("what cannot be indexed is a compile error where it is named, and passed over where not", () => {
  const codes = (text: string, more = "") => {
    const validation = validate(files(text, more));
    return validation.ok ? [] : validation.errors.map(({ code }) => code);
  };
  const columns = (text: string) => {
    const validation = validate(files(text));
    assert(validation.ok, JSON.stringify(validation));
    return validation.model.resources[0]?.search?.columns;
  };
  assertEquals(columns('search: { mode: "fullText" },'), [
    { column: "title", weight: 1 },
    { column: "body", weight: 1 },
    { column: "state", weight: 1 },
  ]);
  const wrong: readonly (readonly [string, string])[] = [
    ['search: { mode: "fullText", fields: ["hidden", "body"] },', "SEARCH_MASKED"],
    ['search: { mode: "fullText", fields: ["size", "body"] },', "SEARCH_TYPE"],
    ['search: { mode: "fullText", fields: ["boddy", "body"] },', "COLUMN_UNKNOWN"],
    ['search: { mode: "fullText", fields: [] },', "SEARCH_EMPTY"],
    ['search: { mode: "fullText", weights: { size: 2 } },', "SEARCH_WEIGHT"],
    ['search: { mode: "fullText", weights: { body: 0 } },', "VALUE_TYPE"],
    ['search: { mode: "fullText", fields: ["title"] },', "SEARCH_NOT_INDEXED"],
    ['search: { fields: ["body"] },', "KEY_MISSING"],
    ['search: { mode: "like" },', "VALUE_UNKNOWN"],
    ['search: "fullText",', "VALUE_TYPE"],
  ];
  for (const [text, code] of wrong) assertEquals(codes(text), [code], text);
  const taken = {
    ...files(),
    "quickback/features/notes/others.ts": `import { q } from "quickback";
export const others = q.table("notes_search_data", { organizationId: q.scope("organization") });
`,
  };
  const validation = validate(taken);
  assertEquals(validation.ok ? [] : validation.errors.map(({ code }) => code), [
    "SEARCH_TABLE_TAKEN",
  ]);
  const compiled = compile(files(), { ...BARE_HOST, lacksFullText: true });
  assertEquals(compiled.ok ? [] : compiled.errors.map(({ code }) => code), ["SEARCH_ENGINE"]);
});
