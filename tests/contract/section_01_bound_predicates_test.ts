/** A firewall predicate binds those whom its roles name, and nobody whom it excepts, in every verb (contract 1.3, definitions 4.1). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";

const ANYBODY = '{ roles: ["editor", "guest", "clerk"] }';

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "press" };\n',
  "quickback/features/articles/articles.ts": `import { feature, q } from "quickback";
export default feature("articles", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text(),
    author: q.text(),
    state: q.enum(["draft", "out"]).required().default("draft"),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "state", equals: "out", exceptRoles: ["editor"] },
    { field: "author", equals: "ctx.userId", roles: ["clerk"] },
  ],
  guards: { createable: ["title", "author", "state"], updatable: ["title"] },
  read: { access: ${ANYBODY} },
  create: { access: { roles: ["editor"] } },
  update: { access: ${ANYBODY} },
  delete: { access: ${ANYBODY} },
});
`,
};

const claims = (roles: readonly string[]): Claims => ({ sub: "user_1", orgId: "org_1", roles });
const EDITOR = claims(["editor"]);

/** Title → author and state: who may see it is in the rows below. */
const ARTICLES = {
  draft: { author: "user_2", state: "draft" },
  own: { author: "user_1", state: "draft" },
  out: { author: "user_2", state: "out" },
  ownOut: { author: "user_1", state: "out" },
};

const SEEN: readonly (readonly [roles: readonly string[], titles: string[]])[] = [
  [["editor"], ["draft", "out", "own", "ownOut"]],
  [["guest"], ["out", "ownOut"]],
  [["clerk"], ["ownOut"]],
  [["editor", "clerk"], ["own", "ownOut"]],
  [["guest", "clerk"], ["ownOut"]],
];

async function withArticles(
  body: (api: ApiUnderTest, ids: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  await withDefinitions(FILES, async (api) => {
    const ids = new Map<string, string>();
    for (const [title, article] of Object.entries(ARTICLES)) {
      const made = await api.ask("articles", { as: EDITOR, body: { title, ...article } });
      assertEquals(made.status, 201, made.text);
      ids.set(title, String(made.body["id"]));
    }
    await body(api, ids);
  });
}

for (const [roles, titles] of SEEN) {
  Deno.test(`whoever is ${roles.join(" and ")} lists, reads and changes what their predicates let through`, async () => {
    await withArticles(async (api, ids) => {
      const as = claims(roles);
      const listed = await api.ask("articles?sort=title", { as });
      const data: readonly unknown[] = Array.isArray(listed.body["data"])
        ? listed.body["data"]
        : [];
      assertEquals(data.map((one) => isRecord(one) ? one["title"] : one).sort(), titles);
      for (const [title, id] of ids) {
        const status = titles.includes(title) ? 200 : 403;
        const read = await api.ask(`articles/${id}`, { as });
        assertEquals([title, read.status], [title, status]);
        const written = await api.ask(`articles/${id}`, { as, method: "PATCH", body: { title } });
        assertEquals([title, written.status], [title, status]);
      }
    });
  });
}

Deno.test("a delete reaches what its caller's predicates let through, and no more", async () => {
  await withArticles(async (api, ids) => {
    const clerk = claims(["clerk"]);
    for (const [title, id] of ids) {
      const gone = await api.ask(`articles/${id}`, { as: clerk, method: "DELETE" });
      assertEquals([title, gone.status], [title, title === "ownOut" ? 200 : 403]);
    }
  });
});
