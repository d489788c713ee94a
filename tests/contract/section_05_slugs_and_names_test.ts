/** Slugs of organizations, and names that mails show (definitions 7 "auth routes"). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { JOB_BASE } from "../../shared/contract/mod.ts";
import type { EmailMessage } from "../../shared/runtime/ports.ts";
import {
  authBaseOf,
  authOperationsOf,
  fileAddressOperationsOf,
  operationsOf,
  RESERVED_SLUGS,
  serviceOperationsOf,
  webhookOperationsOf,
} from "../../shared/surface/mod.ts";
import {
  founder,
  helpdesk,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, BASE_URL } from "../support/api.ts";
import { describedProjects } from "../support/described_projects.ts";

const RESERVED = [
  "admin",
  "api",
  "app",
  "auth",
  "docs",
  "help",
  "mail",
  "new",
  "settings",
  "status",
]
  .concat(["studio", "support", "www", "health", "ready", "problems", "webhooks", "mcp", "oauth"]);

function assertFieldRefused(answer: Answer, field: string): void {
  assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], answer.text);
  const fields: unknown = Reflect.get(Object(answer.body["details"]), "fields");
  assert(Object.hasOwn(Object(fields), field), answer.text);
}

const create = (visitor: Visitor, slug: unknown, name: unknown = "Acme") =>
  visitor.ask("/auth/v1/organization/create", { name, slug });

async function count(api: ApiUnderTest, table: string): Promise<number> {
  const { rows } = await api.database.run({ sql: `SELECT count(*) FROM "${table}"`, args: [] });
  return Number(rows[0]?.[0]);
}

Deno.test("a slug is 1 to 63 of a-z, 0-9 and -, without - at either end, and no reserved word", async () => {
  const letter = fc.constantFrom(..."abz019-", ..."AZ_./ é\u0130\u212a\u00df日\u200b\n%");
  const slug = fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.constantFrom(..."abz09-"), { maxLength: 70 }) },
    { weight: 3, arbitrary: fc.array(letter, { maxLength: 6 }) },
    { weight: 1, arbitrary: fc.constantFrom(...RESERVED).map((word) => [...word]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(" ", "../x", "DUP", "a b", "-a", "a-").map((s) => [...s]),
    },
  ).map((letters) => letters.join(""));
  await withAccountsApi(async (api) => {
    const anna = await signedUp(api, "anna");
    const { body: { id } } = await create(anna, "first");
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(slug, { minLength: 1, maxLength: 1 }),
        async ([slug = ""]) => {
          const isSlug = /^[a-z0-9-]{1,63}$/.test(slug) && !/^-|-$/.test(slug) &&
            !RESERVED_SLUGS.includes(slug);
          const data = { organizationId: id, data: { slug } };
          const asked = await anna.ask("/auth/v1/organization/check-slug", { slug });
          const changed = await anna.ask("/auth/v1/organization/update", data);
          if (isSlug) {
            assertEquals(changed.status, 200, changed.text);
            assertEquals(asked.status, slug === "first" ? 409 : 200, asked.text);
            await anna.ask("/auth/v1/organization/update", { ...data, data: { slug: "first" } });
          } else {
            assertFieldRefused(asked, "slug");
            assertFieldRefused(changed, "data");
            assertFieldRefused(await create(anna, slug), "slug");
          }
        },
      ),
      { seed: 12, numRuns: 200 },
    );
    assertEquals(await count(api, "auth_organization"), 1);
  });
});

Deno.test("the words that no slug may be include every one with which a route begins", async () => {
  const projects = { ...await describedProjects(), helpdeskAlone: helpdesk };
  for (const [name, project] of Object.entries(projects)) {
    const paths = [
      ...serviceOperationsOf(project).map(({ path }) => path),
      ...operationsOf(project).map(({ path }) => path),
      ...webhookOperationsOf(project).map(({ path }) => path),
      ...fileAddressOperationsOf(project).map(() => "/files/x"),
      ...authOperationsOf(project).map(({ path }) => authBaseOf(project) + path),
      JOB_BASE,
    ];
    for (const path of paths) {
      const [, word = ""] = path.split("/");
      if (/^[a-z0-9-]+$/.test(word)) assert(RESERVED_SLUGS.includes(word), `${name}: ${path}`);
    }
  }
  for (const word of RESERVED) assert(RESERVED_SLUGS.includes(word), word);
});

Deno.test("a slug is taken whatever letters the other one has, and older ones stay", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const ben = await signedUp(api, "ben");
    const taken = (answer: Answer) => {
      assertEquals([answer.status, answer.body["code"]], [409, "DB_UNIQUE_VIOLATION"], answer.text);
    };
    taken(await create(ben, "acme"));
    taken(await ben.ask("/auth/v1/organization/check-slug", { slug: "acme" }));
    const sql = `UPDATE "auth_organization" SET "slug" = 'DUP'`;
    await api.database.write((transaction) => transaction.run({ sql, args: [] }));
    taken(await create(ben, "dup"));
    taken(await ben.ask("/auth/v1/organization/check-slug", { slug: "dup" }));
    const { body: { id: organizationId } } = await create(ben, "bolt");
    const data = { slug: "dup" };
    taken(await ben.ask("/auth/v1/organization/update", { organizationId, data }));
    // Whoever has the older one is reached by it, renames the rest, and may write it anew.
    const kept = await anna.ask("/auth/v1/organization/get-full-organization?organizationSlug=DUP");
    assertEquals(kept.body["slug"], "DUP", kept.text);
    const renamed = await anna.ask("/auth/v1/organization/update", { data: { name: "Renamed" } });
    assertEquals([renamed.status, renamed.body["slug"]], [200, "DUP"], renamed.text);
    const own = await anna.ask("/auth/v1/organization/update", { data });
    assertEquals([own.status, own.body["slug"]], [200, "dup"], own.text);
  });
});

const BAD_NAMES = [
  "see https://evil.example",
  "x://",
  "two\nlines",
  "a\rb",
  "a\u2028b",
  "a\u0085b",
  "\u0007",
];

Deno.test("a name that a mail shows holds no address, no line break and no control character", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const team = await anna.ask("/auth/v1/organization/create-team", { name: "Blue" });
    const password = "correct horse battery";
    const asks: readonly (readonly [string, string, (name: string) => unknown])[] = [
      ["/sign-up/email", "name", (name) => ({ name, email: "eve@example.com", password })],
      ["/update-user", "name", (name) => ({ name })],
      ["/organization/create", "name", (name) => ({ name, slug: "other" })],
      ["/organization/update", "data", (name) => ({ data: { name } })],
      ["/organization/create-team", "name", (name) => ({ name })],
      [
        "/organization/update-team",
        "data",
        (name) => ({ teamId: team.body["id"], data: { name } }),
      ],
      ["/api-key/create", "name", (name) => ({ name })],
    ];
    const users = await count(api, "auth_user");
    for (const [path, field, bodyOf] of asks) {
      for (const name of BAD_NAMES) {
        assertFieldRefused(await anna.ask(`/auth/v1${path}`, bodyOf(name)), field);
      }
    }
    assertEquals(await count(api, "auth_user"), users);
    assertEquals(await count(api, "auth_organization"), 1);
    for (const name of ["Анна: O'Neil / Söhne", "日本", "👩‍👩‍👧", "a:/b", "x".repeat(2048)]) {
      const renamed = await anna.ask("/auth/v1/update-user", { name });
      assertEquals(renamed.status, 200, renamed.text);
    }
  });
});

Deno.test("every member that is a name in an account route is held to that", async () => {
  const projects = await describedProjects();
  let names = 0;
  for (const { path, body } of Object.values(projects).flatMap(authOperationsOf)) {
    const shape = body?.shape ?? {};
    const inner: unknown = Reflect.get(Object(shape["data"]), "shape");
    for (
      const [members, wrap] of [
        [shape, (name: string) => ({ name })],
        [Object(inner), (name: string) => ({ data: { name } })],
      ] as const
    ) {
      if (!("name" in members)) continue;
      names += 1;
      for (const name of BAD_NAMES) {
        const error = body?.safeParse(wrap(name)).error;
        const isNamed = error?.issues.some(({ path }) => path.at(-1) === "name");
        assert(isNamed, `${path} takes ${JSON.stringify(name)}`);
      }
    }
  }
  assert(names > 20);
});

Deno.test("an older name is mailed without them, and 80 code points of it", async () => {
  const sent: EmailMessage[] = [];
  const email = { send: (message: EmailMessage) => Promise.resolve(void sent.push(message)) };
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const old = (table: string, name: string) =>
      api.database.write((transaction) =>
        transaction.run({ sql: `UPDATE "${table}" SET "name" = ?`, args: [name] })
      );
    await old("auth_user", ":://// https://evil.example\r\n\r\nPay\u0007 now\u2028here");
    await old("auth_organization", "😀".repeat(100));
    const invited = await anna.ask("/auth/v1/organization/invite-member", {
      email: "ben@example.com",
      role: "member",
    });
    assertEquals(invited.status, 200, invited.text);
    const { subject = "", text = "" } = sent.find(({ to }) => to === "ben@example.com") ?? {};
    assertEquals(subject, `Invitation to ${"😀".repeat(80)}`);
    const [line = ""] = text.split("\n");
    assertStringIncludes(line, "evil.example Pay now here invites you to");
    assert(!text.replaceAll(BASE_URL, "").includes("://"), text);
  }, { given: { email } });
});
