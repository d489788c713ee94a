/** Seeds: rows of `quickback/seed.ts` and of tests, through every layer, whole or not at all (definitions 1, `seed.ts`). */
import { dirname, join } from "node:path";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { compile, type RawFiles, validate, VERSION } from "../../../shared/compiler/mod.ts";
import { readCompileHost } from "../../../container/host.ts";
import { createTestApp } from "../../../library/testing/mod.ts";
import { toldOf } from "../../support/analysis.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const SEED = "quickback/seed.ts";
const TOPICS = "quickback/features/topics/topics.ts";

const table = (name: string, columns: string) =>
  `import { feature, q } from "quickback";
export default feature("${name}", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: { createable: ["title", "topicId"] },
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["admin"] } },
});
`;

const PROJECT: RawFiles = {
  "quickback/quickback.config.ts": `export default { name: "desk" };\n`,
  [TOPICS]: table("topics", "title: q.text({ maxLength: 20 }).required().unique()")
    .replace(', "topicId"', ""),
  "quickback/features/posts/posts.ts": table(
    "posts",
    "title: q.text(), topicId: q.text().references(() => topics.id)",
  )
    .replace("import", 'import topics from "../topics/topics";\nimport'),
};

const PEOPLE =
  `organizations: [{ id: "acme", name: "Acme", members: { ada: ["admin"], cem: ["admin"] } }, { id: "globex" }],
  users: [{ id: "ada", password: "a long password" }, { id: "cem", email: "Cem@example.com" }],`;

const seed = (text: string) => ({
  [SEED]: `import { defineSeed } from "quickback";
export default defineSeed({
  ${text}
});
`,
});

const ROWS = `as: { userId: "ada", organizationId: "acme" },
  rows: {
    topics: [{ $as: "tea", title: "Tea" }],
    posts: [
      { title: "Green", topicId: { $ref: "tea.id" } },
      { title: "Black", topicId: { $ref: "tea.id" }, $by: { userId: "cem" } },
    ],
  },`;

async function withOutput(files: RawFiles, body: (folder: string) => Promise<void>): Promise<void> {
  const result = compile({ ...PROJECT, ...files }, readCompileHost({ version: VERSION }));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  await withTempFolder(async (folder) => {
    for (const { path, content } of result.files) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), content);
    }
    await body(folder);
  });
}

const ADA = { userId: "ada", organizationId: "acme", roles: ["admin"] };

async function titles(answer: Promise<Response>) {
  const { data } = await (await answer).json();
  return data.map(({ title, createdBy }: Record<string, unknown>) => `${title} of ${createdBy}`)
    .toSorted();
}

Deno.test("a seed is planted once, as who it says", () =>
  withOutput(seed(PEOPLE + ROWS), async (folder) => {
    await using app = await createTestApp(folder);
    const { tea } = await app.seed();
    assertEquals(tea?.title, "Tea");
    assertEquals(await app.seed(), {});
    const posts = await titles(app.as(ADA).get("/api/v1/posts"));
    assertEquals(posts, ["Black of cem", "Green of ada"]);
    assertEquals(
      await titles(app.as({ ...ADA, organizationId: "globex" }).get("/api/v1/posts")),
      [],
    );
    const entered = await app.post("/auth/v1/sign-in/email", {
      email: "ada@example.com",
      password: "a long password",
    });
    assertEquals(entered.status, 200);
    assertEquals((await entered.json()).user.id, "ada");
  }));

Deno.test("rows of a test name their resource also as URLs do", () =>
  withOutput(
    {
      "quickback/features/orders/orders.ts": table("workOrders", "title: q.text()").replace(
        ', "topicId"',
        "",
      ),
    },
    async (folder) => {
      await using app = await createTestApp(folder);
      for (const name of ["workOrders", "work-orders"]) {
        const { one } = await app.as(ADA).seed({ [name]: [{ $as: "one", title: name }] });
        assertEquals(one?.title, name);
      }
      await assertRejects(
        () => app.as(ADA).seed({ work_orders: [{ title: "x" }] }),
        Error,
        "of no resource",
      );
    },
  ));

Deno.test("a row that a layer refuses takes the whole seed back, and is named with its place", async () => {
  const rows = (text: string) =>
    seed(`${PEOPLE} as: { userId: "ada", organizationId: "acme" }, rows: { topics: [${text}] },`);
  const refused = {
    '{ title: "Tea" },\n { title: "Tea" }': ["Row 2", "seed.ts:5", "409", "topics"],
    '{ title: "Tea" },\n { title: "longer than twenty characters" }': ["Row 2", "400", "title"],
    '{ title: "Tea", $by: { userId: "cem", roles: ["member"] } }': ["Row 1", "403", "ACCESS"],
  };
  for (const [text, words] of Object.entries(refused)) {
    await withOutput(rows(text), async (folder) => {
      await using app = await createTestApp(folder);
      const { message } = await assertRejects(() => app.seed(), Error);
      for (const word of words) assertStringIncludes(message, word);
      assertEquals(await titles(app.as(ADA).get("/api/v1/topics")), []);
      const account = await app.signUp({ email: "cem@example.com" });
      assertEquals(typeof account.userId, "string");
    });
  }
});

Deno.test("a test plants rows of its own, as a caller or as who each row says", () =>
  withOutput({}, async (folder) => {
    await using app = await createTestApp(folder);
    const { tea } = await app.as(ADA).seed({ topics: [{ $as: "tea", title: "Tea" }] });
    await app.as(ADA).seed({
      posts: [
        { title: "Green", topicId: tea?.id },
        { title: "Black", topicId: tea?.id, $by: { userId: "cem", roles: ["admin"] } },
      ],
    });
    assertEquals(await titles(app.as(ADA).get("/api/v1/posts")), ["Black of cem", "Green of ada"]);
    await assertRejects(
      () => app.seed({ topics: [{ title: "Coffee" }] }),
      Error,
      "Nobody creates row 1",
    );
    await assertRejects(() => app.seed(), Error, "has no quickback/seed.ts");
    const both = { topics: [{ title: "Coffee" }, { title: "Tea" }] };
    await assertRejects(() => app.as(ADA).seed(both), Error, "409");
    assertEquals(await titles(app.as(ADA).get("/api/v1/topics")), ["Tea of ada"]);
    await assertRejects(() => app.as(ADA).seed({ topic: [{}] }), Error, "no resource");
  }));

Deno.test("callers have the typed client, and accounts where a test needs them", () =>
  withOutput({}, async (folder) => {
    interface Api {
      readonly contract: "v1";
      readonly code: string;
      readonly auth: object;
      readonly resources: {
        readonly topics: {
          readonly id: string;
          readonly create: {
            readonly body: { readonly title: string };
            readonly answer: { readonly id: string };
          };
        };
      };
      readonly actions: object;
      readonly changeset: never;
      readonly frames: object;
    }
    await using app = await createTestApp<Api>(folder);
    const made = await app.as(ADA).client.resource("topics").create({ title: "Tea" });
    assertEquals((await app.as(ADA).get(`/api/v1/topics/${made.id}`)).status, 200);
    await assertRejects(() => app.client.resource("topics").create({ title: "Tea" }), Error);
    const eve = await app.signUp({ email: "eve@example.com", name: "Eve" });
    const organization = await eve.post("/auth/v1/organization/create", {
      name: "Initech",
      slug: "initech",
    });
    assertEquals(organization.status, 200);
    const own = await (await eve.get("/auth/v1/get-session")).json();
    assertEquals(own.user.id, eve.userId);
    await assertRejects(() => app.signUp({ email: "eve@example.com" }), Error, "gave no session");
  }));

Deno.test("mistakes in a seed are found by the compile, at their places", () => {
  const told = (text: string) => {
    const result = validate({ ...PROJECT, ...seed(text) });
    return result.ok ? [] : toldOf(result.errors).map((line) => line.replace(/ \|.*/s, ""));
  };
  assertEquals(told(PEOPLE + ROWS), []);
  const rows = (text: string) =>
    told(`${PEOPLE} as: { userId: "ada", organizationId: "acme" }, rows: ${text},`)
      .map((line) => line.replace(/ \d+:\d+ /, " "));
  assertEquals(rows("{ topcs: [] }"), ['SEED_RESOURCE "topcs" is no resource that can be created']);
  assertEquals(rows('{ topics: [{ titel: "Tea" }] }'), [
    'SEED_COLUMN Column "titel" of "topics" cannot be written by a create',
  ]);
  assertEquals(rows('{ topics: [{ organizationId: "x", title: "Tea" }] }'), [
    'SEED_COLUMN Column "organizationId" of "topics" cannot be written by a create',
  ]);
  assertEquals(rows('{ posts: [{ topicId: { $ref: "tea.id" } }] }'), [
    'SEED_REFERENCE No row above is what "tea.id" refers to',
  ]);
  assertEquals(rows('{ topics: [{ $as: "a", title: "A" }, { $as: "a", title: "B" }] }'), [
    'SEED_TWICE "a" is taken already',
  ]);
  assertEquals(rows('{ topics: [{ title: "A", $by: { userId: "eve" } }] }'), [
    'SEED_UNKNOWN There is no user "eve"',
  ]);
  assertEquals(rows("{ topics: [{ title: Date.now() }] }").length, 1);
  assertEquals(told('rows: { topics: [{ title: "A" }] },'), [
    "SEED_NOBODY 3:20 Nobody writes this row",
  ]);
  const alone = {
    ...PROJECT,
    "quickback/quickback.config.ts":
      `export default { name: "desk", features: { organizations: false } };\n`,
  };
  const single = validate({ ...alone, ...seed('organizations: [{ id: "acme" }],') });
  assertEquals(
    single.ok ? [] : single.errors.map(({ code }) => code).includes("SEED_ORGANIZATION"),
    true,
  );
  assertEquals(told('users: [{ id: "ada" }, { id: "ada" }],').length, 1);
  assertEquals(told('organizations: [{ id: "acme", members: { ada: ["owner"] } }],').length, 1);
  const result = validate({ ...PROJECT, [SEED]: "export default {};\n" });
  assertEquals(result.ok ? [] : result.errors.map(({ code }) => code), ["SEED_EXPORT"]);
});
