/** Vectors that the operator's embeddings service makes of texts (contract 4.3): after the commit, by a job; asked in words. */
import { assert, assertEquals } from "@std/assert";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import { exportFiles, httpEmbeddings } from "../../library/platform/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { runTenantCommand } from "../../shared/runtime/mod.ts";
import type { TenantCommand } from "../../shared/runtime/ports.ts";
import type { Answer, Claims } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { BOOKS_PROJECT as LIBRARY } from "../support/books_project.ts";
import { DEFAULT_DRIVER, type DriverUnderTest, TENANT_DRIVERS } from "../support/databases.ts";
import { migrationOf } from "../support/divided_database.ts";
import { type EmbeddingsServer, withEmbeddings } from "../support/embeddings_server.ts";
import { schemaOf } from "../support/model_database.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { dataOf, type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

const librarian: Claims = { sub: "user_l", orgId: "org_a", roles: ["librarian", "admin"] };
const reader: Claims = { sub: "user_r", orgId: "org_a", roles: ["reader"] };
const stranger: Claims = { sub: "user_s", orgId: "org_b", roles: ["librarian", "admin"] };

const WORDS = ["sea", "mountain", "city", "forest"];

function withLibrary(
  body: (api: WebhooksUnderTest, service: EmbeddingsServer) => Promise<void>,
  driver: DriverUnderTest = DEFAULT_DRIVER,
): Promise<void> {
  const validation = validate(LIBRARY);
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
  const project = validation.model;
  return withEmbeddings(WORDS, (service) =>
    withWebhooks((api) => body(api, service), {
      project,
      driver,
      embeddings: httpEmbeddings({ url: service.url, key: "k1", model: "words" }),
    }));
}

async function shelve(
  api: WebhooksUnderTest,
  title: string,
  { as = librarian, ...fields }: { readonly as?: Claims; readonly shelf?: string } = {},
): Promise<string> {
  const made = await api.ask("books", { as, body: { title, ...fields } });
  assertEquals(made.status, 201, made.text);
  return String(made.body["id"]);
}

/** An organization has but some jobs under way at a time: the others come a little later. */
async function makeAll(api: WebhooksUnderTest): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await api.work();
    api.pass(2000);
  }
}

const titles = (answer: Answer) => dataOf(answer).map(({ title }) => title);

const jobsOf = async (api: WebhooksUnderTest, as = librarian) =>
  dataOf(await api.ask("/jobs/v1", { as }));

Deno.test("books are found by words once their vectors are made, each caller's own alone", async () => {
  await withLibrary(async (api, service) => {
    await shelve(api, "The sea, the sea");
    await shelve(api, "A mountain by the sea");
    await shelve(api, "The city");
    await shelve(api, "The secret sea", { shelf: "closed" });
    await shelve(api, "Another tenant's sea", { as: stranger });
    assertEquals(titles(await api.ask("books?near.text=sea", { as: reader })), []);
    await makeAll(api);
    const near = await api.ask("books?near.text=the%20sea&limit=2", { as: reader });
    assertEquals(titles(near), ["The sea, the sea", "A mountain by the sea"]);
    assertEquals(titles(await api.ask("books?near.text=city&limit=1", { as: reader })), [
      "The city",
    ]);
    const all = await api.ask("books?near.text=sea&limit=2", { as: librarian });
    assertEquals(titles(all).toSorted(), ["The sea, the sea", "The secret sea"]);
    assertEquals(titles(await api.ask("books?near.text=sea", { as: stranger })), [
      "Another tenant's sea",
    ]);
    const [heard] = service.heard;
    assertEquals([heard?.key, heard?.body["model"]], ["Bearer k1", "words"]);
    const jobs = await jobsOf(api);
    assertEquals(jobs.map(({ job, status }) => [job, status]), [
      ["embed:vector", "done"],
      ["embed:vector", "done"],
      ["embed:vector", "done"],
      ["embed:vector", "done"],
    ]);
  });
});

Deno.test("a text that changes takes its vector away until the newest is made", async () => {
  await withLibrary(async (api, service) => {
    const id = await shelve(api, "The sea");
    await api.work();
    const change = (body: object) =>
      api.ask(`books/${id}`, { as: librarian, method: "PATCH", body });
    // What is no source leaves it, and so does the same text.
    assertEquals((await change({ shelf: "open", title: "The sea" })).status, 200);
    assertEquals(titles(await api.ask("books?near.text=sea", { as: reader })), ["The sea"]);
    const asked = service.heard.length;
    assertEquals((await change({ title: "The city" })).status, 200);
    assertEquals(titles(await api.ask("books?near.text=sea", { as: reader })), []);
    // The text changes once more while its vector is under way: the newest is what stays.
    const texts: string[] = [];
    service.answers(async (text) => {
      service.answers(null);
      texts.push(text);
      assertEquals((await change({ title: "The forest" })).status, 200);
      return Response.json({ data: [{ embedding: [0, 0, 1, 0] }] });
    });
    await makeAll(api);
    assertEquals(texts, ["The city"]);
    const { body } = await api.ask(`books/${id}?fields=about`, { as: librarian });
    assertEquals(body, { about: [0.01, 0.01, 0.01, 1.01] });
    assertEquals(service.heard.length > asked, true);
  });
});

Deno.test("what a handler writes, and what was there before, gets its vector in the same way", async () => {
  const files = {
    ...LIBRARY,
    "quickback/features/books/actions/rename.ts": `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { books } from "../schema";

export default defineAction({
  description: "Renames a book",
  input: z.object({ title: z.string() }),
  access: { roles: ["librarian"] },
  async execute({ db, record, input: { title } }) {
    await db.update(books).set({ title }).where(eq(books.id, record.id));
    await db.insert(books).values({ title: "Another " + title });
    return {};
  },
});
`,
  };
  await withCompiled(
    files,
    ({ model, code }) =>
      withEmbeddings(WORDS, (service) =>
        withWebhooks(async (api) => {
          const id = await shelve(api, "The sea");
          await makeAll(api);
          const renamed = await api.ask(`books/${id}/rename`, {
            as: librarian,
            body: { title: "city" },
          });
          assertEquals(renamed.status, 200, renamed.text);
          assertEquals(titles(await api.ask("books?near.text=city", { as: reader })), []);
          // As a migration leaves rows that were there before.
          await api.database.write(async (transaction) => {
            await transaction.run({
              sql: `INSERT INTO books (id, organization_id, title, shelf, created_at, created_by,
              modified_at, modified_by) VALUES ('old', 'org_a', 'forest', 'open', ?, 'u', ?, 'u')`,
              args: ["2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z"],
            });
          });
          await makeAll(api);
          const near = await api.ask("books?near.text=city", { as: reader });
          assertEquals(titles(near).toSorted(), ["Another city", "city", "forest"]);
          const [first] = titles(await api.ask("books?near.text=forest", { as: reader }));
          assertEquals(first, "forest");
        }, {
          project: model,
          code,
          embeddings: httpEmbeddings({ url: service.url, key: null, model: null }),
        })),
  );
});

Deno.test("a service that is away is 503 to words, and its jobs are retried, then dead letters", async () => {
  await withLibrary(async (api, service) => {
    await shelve(api, "The sea");
    service.answers(() => new Response("no", { status: 500 }));
    const away = await api.ask("books?near.text=sea", { as: reader });
    assertEquals([away.status, away.body["code"]], [503, "EMBEDDINGS_UNAVAILABLE"]);
    assertEquals(away.headers.has("retry-after"), true);
    for (const _ of [1, 2, 3, 4]) {
      await api.work();
      api.pass(60_000);
    }
    const [job] = await jobsOf(api);
    assertEquals([job?.["status"], job?.["attempts"], job?.["error"]], [
      "failed",
      3,
      "The service answered 500",
    ]);
    // Nothing is queued for it again by itself; an admin may, and so does a change.
    await api.work();
    assertEquals((await jobsOf(api)).length, 1);
    service.answers(() => Response.json({ data: [{ embedding: [1, 2] }] }));
    const wrong = await api.ask("books?near.text=sea", { as: reader });
    assertEquals([wrong.status, wrong.body["code"]], [503, "EMBEDDINGS_UNAVAILABLE"]);
    service.answers(null);
    const again = await api.ask(`/jobs/v1/${job?.["id"]}/retry`, { as: librarian, method: "POST" });
    assertEquals(again.status, 200, again.text);
    await api.work();
    assertEquals(titles(await api.ask("books?near.text=sea", { as: reader })), ["The sea"]);
    assertEquals(await jobsOf(api, stranger), []);
  });
});

Deno.test("a vector that the service makes is in no body, and words are words", async () => {
  await withLibrary(async (api) => {
    const written = await api.ask("books", {
      as: librarian,
      body: { title: "x", about: [1, 2, 3, 4] },
    });
    assertEquals([written.status, written.body["code"]], [400, "GUARD_SYSTEM_MANAGED"]);
    for (const query of ["near.text=", "near.text=%20", "near.text=a&near=[1,0,0,0]"]) {
      const { status, body } = await api.ask(`books?${query}`, { as: reader });
      assertEquals([status, body["code"]], [400, "VALIDATION_INVALID_INPUT"], query);
    }
  });
});

Deno.test("a text that some may not see is in no vector that they may ask by", () => {
  const codes = (masking: string, from = '["title", "summary"]') => {
    const path = "quickback/features/books/books.ts";
    const text = String(LIBRARY[path]).replace('["title", "summary"]', from)
      .replace("  guards: {", `  masking: ${masking},\n  guards: {`);
    const validation = validate({ ...LIBRARY, [path]: text });
    return validation.ok ? [] : validation.errors.map(({ code }) => code);
  };
  const hidden = '{ type: "redact", show: { roles: ["librarian"] } }';
  assertEquals(codes(`{ summary: ${hidden} }`), ["VECTOR_SHOWS_MASKED"]);
  assertEquals(codes(`{ summary: ${hidden}, about: ${hidden} }`), []);
  const wider = '{ type: "redact", show: { roles: ["librarian", "reader"] } }';
  assertEquals(codes(`{ summary: ${hidden}, about: ${wider} }`), ["VECTOR_SHOWS_MASKED"]);
  assertEquals(codes("{}", '["title", "createdAt"]'), ["VECTOR_SOURCE"]);
  assertEquals(codes("{}", '["titel"]'), ["VECTOR_SOURCE"]);
  assertEquals(codes("{}", "[]"), ["VALUE_INVALID"]);
  const worker = `import { defineConfig, defineDatabase, defineRuntime } from "quickback";
export default defineConfig({
  name: "catalogue",
  providers: { runtime: defineRuntime("cloudflare", {}), database: defineDatabase("libsql", {}) },
});
`;
  const validation = validate({ ...LIBRARY, "quickback/quickback.config.ts": worker });
  const told = validation.ok ? [] : validation.errors.map(({ code }) => code);
  assertEquals(told.filter((code) => code.startsWith("VECTOR")), ["VECTOR_UNMADE"]);
});

for (const driver of TENANT_DRIVERS) {
  Deno.test(`${driver.name}: vectors are made in the database of their organization, and compared there`, () =>
    withLibrary(async (api) => {
      await shelve(api, "The sea");
      await shelve(api, "The city", { as: stranger });
      await makeAll(api);
      const near = (as: Claims) => api.ask("books?near.text=sea", { as });
      assertEquals(titles(await near(reader)), ["The sea"]);
      assertEquals(titles(await near(stranger)), ["The city"]);
      const jobs = await jobsOf(api);
      assertEquals(jobs.map(({ job, status }) => [job, status]), [["embed:vector", "done"]]);
      // After a while without work nobody looks into the database, until a row is written there.
      for (let round = 0; round < 3; round++) {
        api.pass(61_000);
        await api.work();
      }
      assertEquals(await api.ports.tenants?.working("", 10), []);
      const [{ id } = { id: "" }] = dataOf(await near(reader));
      const body = { title: "The forest" };
      await api.ask(`books/${id}`, { as: librarian, method: "PATCH", body });
      await makeAll(api);
      assertEquals(titles(await near(reader)), ["The forest"]);
    }, driver));

  Deno.test(`${driver.name}: rows that waited before a process began get their vectors from it`, () =>
    withLibrary(async (api) => {
      const tenants = api.ports.tenants;
      assert(tenants);
      await shelve(api, "The sea");
      // Left by an API that had nobody to make vectors, and no mark.
      const marks = await tenants.working("", 10);
      for (const mark of marks) await tenants.rest(mark);
      assertEquals(await tenants.working("", 10), []);
      await makeAll(api);
      assertEquals(titles(await api.ask("books?near.text=sea", { as: reader })), ["The sea"]);
    }, driver));

  Deno.test(`${driver.name}: rows of an export that waited get their vectors where it is restored`, () =>
    withTempFolder((folder) =>
      withLibrary(async (api) => {
        const { ports: { database: directory, tenants, clock, random }, project } = api;
        assert(tenants);
        const tenant = (command: TenantCommand) =>
          runTenantCommand(command, {
            project,
            endOrganization: organizationEnding(project),
            directory,
            tenants,
            migrations: [migrationOf(schemaOf(project))],
            clock,
            random,
            files: exportFiles(null),
            objects: null,
            progress: () => {},
          });
        await shelve(api, "The sea");
        await tenant({ kind: "export", organizationId: null, to: folder });
        await makeAll(api);
        for (const mark of await tenants.working("", 10)) await tenants.rest(mark);
        await tenant({ kind: "restore", organizationId: "org_a", from: folder, at: null });
        const near = () => api.ask("books?near.text=sea", { as: reader });
        assertEquals(titles(await near()), []);
        await makeAll(api);
        assertEquals(titles(await near()), ["The sea"]);
      }, driver)
    ));
}
