/** What anybody may read, whoever has a credential may read by the same URL (contract 5.4, 4.1 rule 4). */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const EDITOR: Claims = { sub: "eve", orgId: "org_a", roles: ["editor"] };
const STRANGER: Claims = { sub: "sam", orgId: "org_b", roles: ["editor"] };
const HOMELESS: Claims = { sub: "hal", roles: [] };
const SCOPED: Claims = { sub: "scope:other", scope: "other" };

const EDITORS = `{ access: { roles: ["editor"] } }`;
const OPEN = `{ or: [{ roles: ["editor"] }, { roles: ["PUBLIC"], record: { published: true } }] }`;

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "press" };\n',
  "quickback/features/articles/articles.ts": `import { feature, q } from "quickback";
export default feature("articles", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().required(),
    email: q.text(),
    published: q.bool().required().default(false),
    authorId: q.text(),
  },
  references: { authorId: "authors" },
  guards: { createable: ["title", "email", "published", "authorId"], updatable: ["title"] },
  masking: { email: { type: "email", show: { roles: ["editor"] } } },
  read: { access: ${OPEN}, include: ["authorId"], views: { titles: { fields: ["id", "title"] } } },
  create: ${EDITORS}, update: ${EDITORS},
});
`,
  "quickback/features/authors/authors.ts": `import { feature, q } from "quickback";
export default feature("authors", {
  columns: { organizationId: q.scope("organization"), name: q.text().required() },
  guards: { createable: ["name"] },
  read: ${EDITORS}, create: ${EDITORS},
});
`,
};

interface Press {
  readonly shown: string;
  readonly draft: string;
}

async function press(api: ApiUnderTest): Promise<Press> {
  const made = async (path: string, body: object) => {
    const answer = await api.ask(path, { as: EDITOR, body });
    assertEquals(answer.status, 201, answer.text);
    return String(answer.body["id"]);
  };
  const authorId = await made("authors", { name: "Jane" });
  const email = "jane@example.com";
  return {
    shown: await made("articles", { title: "Shown", email, published: true, authorId }),
    draft: await made("articles", { title: "Draft", email }),
  };
}

const withPress = (body: (api: ApiUnderTest, press: Press) => Promise<void>) =>
  withDefinitions(FILES, async (api) => await body(api, await press(api)));

/** Status and body, without what tells one request from another. */
async function asked(api: ApiUnderTest, path: string, as?: Claims) {
  const { status, body } = await api.ask(path, as ? { as } : {});
  const { request: _request, ...rest } = body;
  return { status, ...rest };
}

Deno.test("signed-in strangers of any or no organization read what anybody reads, as anybody sees it", () =>
  withPress(async (api, { shown }) => {
    const named = "organizationId=org_a";
    for (
      const path of [
        `articles?${named}`,
        `articles?${named}&total=true&sort=title`,
        `articles/views/titles?${named}`,
        `articles/${shown}?${named}`,
      ]
    ) {
      const anonymous = await asked(api, path);
      assertEquals(anonymous.status, 200, path);
      for (const as of [STRANGER, HOMELESS, SCOPED]) {
        assertEquals([as.sub, await asked(api, path, as)], [as.sub, anonymous]);
      }
    }
    const { body } = await api.ask(`articles/${shown}?${named}`, { as: STRANGER });
    assertEquals([body["email"], body["author_label"]], ["j***@e***.com", null]);
  }));

Deno.test("whoever is let in as themselves sees all that is theirs, and nothing of another reading", () =>
  withPress(async (api, { shown, draft }) => {
    const own = await api.ask(`articles?organizationId=org_a`, { as: EDITOR });
    const data: unknown[] = Array.isArray(own.body["data"]) ? own.body["data"] : [];
    assertEquals(data.map((one) => Object(one).email), ["jane@example.com", "jane@example.com"]);
    assertEquals((await asked(api, `articles/${draft}`, EDITOR)).status, 200);
    assertEquals((await asked(api, `articles/${shown}`, EDITOR)).status, 200);
  }));

Deno.test("where nobody in particular is refused too, the caller's own refusal stands", () =>
  withPress(async (api, { shown, draft }) => {
    const named = "organizationId=org_a";
    const refused: readonly (readonly [Claims, string, string])[] = [
      [STRANGER, `articles/${draft}?${named}`, "FIREWALL_ORG_ISOLATION"],
      [STRANGER, `articles/${shown}`, "FIREWALL_NOT_FOUND"],
      [STRANGER, `articles?${named}&include=authorId`, "FIREWALL_ORG_ISOLATION"],
      [STRANGER, `authors?${named}`, "FIREWALL_ORG_ISOLATION"],
      [HOMELESS, "articles", "ACCESS_NO_ORG"],
      [HOMELESS, `articles/${draft}?${named}`, "ACCESS_NO_ORG"],
      [HOMELESS, `authors?${named}`, "ACCESS_NO_ORG"],
    ];
    for (const [as, path, code] of refused) {
      const answer = await api.ask(path, { as });
      assertEquals([as.sub, path, answer.status, answer.body["code"]], [as.sub, path, 403, code]);
    }
    const faulty = await api.ask(`articles?${named}&limit=x`, { as: STRANGER });
    assertEquals(faulty.body["code"], "VALIDATION_INVALID_INPUT");
    const write = { as: STRANGER, method: "PATCH", body: { title: "Mine" } };
    const written = await api.ask(`articles/${shown}?${named}`, write);
    assertEquals(written.status, 403);
  }));

Deno.test("such a read costs its caller one token and leaves one row of audit in their name", async () => {
  const keys: string[] = [];
  await withDefinitions(FILES, async (api) => {
    await press(api);
    keys.length = 0;
    await api.ask("articles?organizationId=org_a", { as: STRANGER });
    assertEquals(keys, ["articles:read:sam"]);
    const { rows } = await api.database.run({
      sql: "SELECT actor_user_id, target_org_id, operation, result FROM audit_events",
      args: [],
    });
    assertEquals(rows, [["sam", "org_a", "list", "success"]]);
  }, {
    limiter: {
      take(key) {
        if (!key.startsWith("address:")) keys.push(key);
        return Promise.resolve(true);
      },
      lend: () => Promise.reject(new Error("Nothing is lent")),
    },
  });
});
