/** `files` of handlers and jobs (contract 4.7, definitions 5): what they put, what they read, and whose it is. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { createCollection } from "../../shared/runtime/background/collection.ts";
import type { Database, Statement } from "../../shared/runtime/ports.ts";
import type { Claims } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { type MemoryFiles, memoryFiles } from "../support/memory_files.ts";
import { REPORTS } from "../support/report_project.ts";
import { recorded } from "../support/recorded.ts";
import { MEMBER, STRANGER, type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

const test = ofOneDatabase("it looks into one database for what stands in an organization's");

interface Reports {
  readonly api: WebhooksUnderTest;
  readonly files: MemoryFiles;
  /** Path of a paper of the member. */
  readonly paper: string;
}

function withReports(
  body: (reports: Reports) => Promise<void>,
  wrap: (database: Database) => Database = (database) => database,
): Promise<void> {
  const files = memoryFiles(() => 0);
  return withCompiled(REPORTS, ({ model, code }) =>
    withWebhooks(async (api) => {
      await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
      await body({ api, files, paper: await newPaper(api, MEMBER) });
    }, { project: model, code, files, wrap }));
}

async function newPaper(api: WebhooksUnderTest, as: Claims): Promise<string> {
  const made = await api.ask("papers", { as, body: { title: "a" } });
  assertEquals(made.status, 201, made.text);
  return `papers/${made.body["id"]}`;
}

const write = ({ api, paper }: Reports, body: object, as = MEMBER) =>
  api.ask(`${paper}/write`, { as, body: { table: "papers", ...body } });

/** Keys of what is kept when everything that nothing refers to is collected. */
async function kept({ api, files }: Reports): Promise<readonly string[]> {
  const ports = { ...api.ports, files: { ...files, graceMs: 0 } };
  const step = createCollection(api.project, ports);
  while (await step());
  return [...files.objects.keys()].filter((key) => key !== "_collection");
}

Deno.test("a handler puts a file, and it is served as one that was sent", async () => {
  await withReports(async (reports) => {
    const { api, paper } = reports;
    const { status, body, text } = await write(reports, { text: "in short", many: true });
    assertEquals(status, 200, text);
    assertEquals(body["read"], "in short");
    const { scan } = (await api.ask(paper, { as: MEMBER })).body;
    assertEquals(scan, body["put"]);
    const served = await api.ask(`${paper}/scan`, { as: MEMBER });
    assertEquals([served.status, served.text], [200, "in short"]);
    assertStringIncludes(served.headers.get("content-disposition") ?? "", 'filename="b.txt"');
    const [key = "", ...others] = await kept(reports);
    assert(/^org_a\/_put\/put_[0-9a-f]{32}$/.test(key) && others.length === 0, key);
    await api.ask(`${paper}/scan`, { as: MEMBER, method: "DELETE" });
    assertEquals(await kept(reports), []);
  });
});

Deno.test("the file of a handler's own record is found by the record's key", async () => {
  const statements: Statement[] = [];
  await withReports(async (reports) => {
    const { api, paper } = reports;
    await write(reports, { text: "in short" });
    statements.length = 0;
    const { status, body, text } = await api.ask(`${paper}/reread`, { as: MEMBER, body: {} });
    assertEquals([status, body["text"]], [200, "in short"], text);
    const looks = statements.filter(({ sql }) => sql.includes("json_extract"));
    assertEquals(looks.map(({ sql }) => /WHERE \(t\.`id` = \? AND /.test(sql)), [true]);
  }, (database) => recorded(database, statements));
});

Deno.test("what a handler leaves without a row is collected", async () => {
  await withReports(async (reports) => {
    const { api, paper, files } = reports;
    assertEquals((await write(reports, { text: "in short", fails: true })).status, 500);
    const rehearsed = await api.ask(`${paper}/write?dryRun=true`, {
      as: MEMBER,
      body: { table: "papers", text: "in short" },
    });
    assertEquals(rehearsed.status, 200, rehearsed.text);
    assertEquals((await api.ask(paper, { as: MEMBER })).body["scan"], null);
    assertEquals(files.objects.size, 2);
    assertEquals(await kept(reports), []);
  });
});

Deno.test("what calls leave without a row, or replace, counts until it is collected", async () => {
  await withReports(async (reports) => {
    // The largest file of the papers' columns has 10 MiB.
    const body = { text: "a", times: 9_000_000, into: "copy" };
    for (const fails of [true, false]) {
      reports.files.objects.clear();
      reports.files.unreferred.collected();
      await reports.api.database.write((transaction) =>
        transaction.run({ sql: "UPDATE papers SET copy = NULL", args: [] })
      );
      const answers = [];
      while (answers.at(-1)?.status !== 507 && answers.length < 20) {
        answers.push(await write(reports, { ...body, fails }));
      }
      const last = answers.at(-1);
      assertEquals([answers.length, last?.body["code"], last?.body["details"]], [
        fails ? 13 : 14,
        "STORAGE_FULL",
        { scope: "tenant", limit: 10 * 10 * 1024 * 1024 },
      ]);
      assertEquals(
        (await write({ ...reports, paper: await newPaper(reports.api, STRANGER) }, {
          text: "a",
        }, STRANGER)).status,
        200,
      );
    }
  });
});

Deno.test("a column takes what fits it, and what was put in the same call alone", async () => {
  await withReports(async (reports) => {
    const { api, paper } = reports;
    const FIELD: readonly (readonly [object, string])[] = [
      [{ text: "more than twenty bytes of text" }, "Takes files of at most 20 bytes"],
      [{ text: "x", type: "text/csv" }, "Takes files of text/plain, image/png"],
    ];
    for (const [input, words] of FIELD) {
      const { status, body } = await write(reports, input);
      assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"]);
      assertStringIncludes(JSON.stringify(body), words);
    }
    const other = await newPaper(api, STRANGER);
    const theirs = await api.ask(`${other}/write`, {
      as: STRANGER,
      body: { table: "papers", text: "of b" },
    });
    const own = await write(reports, { text: "of a" });
    const forged = { id: "put_1", name: "x", size: 1, type: "text/plain", sha256: "0" };
    for (const value of [theirs.body["put"], own.body["put"], forged]) {
      const { status, body } = await write(reports, { text: "", value });
      assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"]);
    }
    const served = await api.ask(`${paper}/scan`, { as: MEMBER });
    assertEquals(served.text, "of a");
    for (const type of ["image/png", "no type"]) {
      const sniffed = await write(reports, { text: "no image", type });
      assertEquals([sniffed.status, sniffed.body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
    }
  });
});

Deno.test("a list of files takes what was put in the same call, and its files are read like any", async () => {
  await withReports(async (reports) => {
    const { api, paper } = reports;
    const { body: { put } } = await write(reports, { text: "extra", into: "extras" });
    const { body: { extras } } = await api.ask(paper, { as: MEMBER });
    assertEquals(extras, [put]);
    const served = await api.ask(`${paper}/extras/${(put as { id: string }).id}`, { as: MEMBER });
    assertEquals(served.text, "extra");
    const read = await api.ask("papers/look", { as: MEMBER, body: { value: put } });
    assertEquals(read.body["text"], "extra");
    for (const value of [[put], [put, put, put], put, ["x"]]) {
      const { status, body } = await write(reports, { text: "", into: "extras", value });
      assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"], JSON.stringify(value));
    }
    assertEquals((await kept(reports)).length, 1);
    assertEquals((await write(reports, { text: "", into: "extras", value: [] })).status, 200);
    assertEquals(await kept(reports), []);
  });
});

Deno.test("a handler reads the files of rows in its scope, whoever hands it an id", async () => {
  await withReports(async (reports) => {
    const { api, paper } = reports;
    const { body: { put } } = await write(reports, { text: "of a" });
    const look = (as: Claims, value: unknown) => api.ask("papers/look", { as, body: { value } });
    const { url, ...seen } = (await look(MEMBER, put)).body;
    assertEquals(seen, { name: "b.txt", size: 4, type: "text/plain", text: "of a" });
    const linked = await api.ask(new URL(String(url)).pathname);
    assertEquals([linked.status, linked.text], [200, "of a"]);
    assertEquals(linked.headers.get("content-disposition")?.split(";")[0], "inline");
    // What a row says of its file counts, not the caller.
    const renamed = await look(MEMBER, { ...put as object, name: "other" });
    assertEquals(renamed.body["name"], "b.txt");
    assertEquals((await look(STRANGER, put)).status, 500);
    await api.ask(paper, { as: MEMBER, method: "DELETE" });
    assertEquals((await look(MEMBER, put)).status, 500);
  });
});

test("a file stands with the tenant of the rows that refer to it", async () => {
  await withReports(async (reports) => {
    const { api, paper } = reports;
    const unnamed = await api.ask(`${paper}/write`, { as: MEMBER, body: { text: "x" } });
    assertEquals([unnamed.status, unnamed.body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
    assert(api.log.some(({ error }) => /one of "(papers|faces)", "/.test(String(error))));
    assertEquals((await write(reports, { text: "x", into: "face" })).status, 500);
    assertEquals((await write(reports, { text: "x", table: "faces" })).status, 500);
    const face = await write(reports, { text: "me", table: "faces", into: "face" });
    assertEquals(face.status, 200, face.text);
    assertEquals((await kept(reports)).map((key) => key.split("/").slice(0, 3)), [
      ["_owner", "user_m", "_put"],
    ]);
    const { body: { data } } = await api.ask("faces", { as: MEMBER });
    assert(Array.isArray(data));
    assertEquals((await api.ask(`faces/${data[0].id}/face`, { as: MEMBER })).text, "me");
  });
});

Deno.test("a job reads and puts files of its tenant", async () => {
  await withReports(async (reports) => {
    const { api, paper } = reports;
    await api.ask(`${paper}/scan`, {
      as: MEMBER,
      method: "PUT",
      body: new TextEncoder().encode("sent"),
      headers: { "content-type": "text/plain" },
    });
    assertEquals((await api.ask(`${paper}/later`, { as: MEMBER, body: {} })).status, 200);
    await api.work();
    const { copy } = (await api.ask(paper, { as: MEMBER })).body;
    assertEquals((copy as Record<string, unknown>)["name"], "copy of scan.txt");
    assertEquals((await api.ask(`${paper}/copy`, { as: MEMBER })).text, "sent");
    assertEquals((await kept(reports)).length, 2);
  });
});
