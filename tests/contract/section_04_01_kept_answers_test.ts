/** What a browser may keep of an answer, and asks for again by its tag (contract 4.1 rule 8; docs/decisions/concurrency.md). */
import { assertEquals } from "@std/assert";
import { type Answer, type ApiUnderTest, type Ask, withDefinitions } from "../support/api.ts";
import { signedUp, withAccountsApi } from "../support/accounts_api.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const stranger = { sub: "user_2", orgId: "org_2", roles: ["admin"] };

/** By ids that the service makes, that clients choose, and that are counted; with the id of the first record. */
const STRATEGIES: readonly (readonly [generateId: string, chosen: string | null])[] = [
  ['"uuid"', null],
  ["false", "cup"],
  ['"serial"', null],
];

const files = (generateId: string, rest = "") => ({
  "quickback/quickback.config.ts":
    `export default { name: "kept", ${rest}providers: { database: { name: "libsql", generateId: ${generateId} } } };\n`,
  "quickback/features/cups/cups.ts": `import { feature, q } from "quickback";
export default feature("cups", {
  columns: { organizationId: q.scope("organization"), name: q.text().required(), revision: q.revision() },
  guards: { createable: ["name"], updatable: ["name"] },
  read: { access: { roles: ["PUBLIC", "admin"] }, views: { short: { fields: ["id", "name"] } } },
  create: { access: { roles: ["admin"] } },
  update: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] }, mode: "hard" },
  audit: { access: { roles: ["admin"] } },
});
`,
});

async function newCup(api: ApiUnderTest, chosen: string | null, name = "Red"): Promise<Answer> {
  const body = chosen === null ? { name } : { id: chosen, name };
  const made = await api.ask("cups", { as: admin, body });
  assertEquals(made.status, 201, made.text);
  return made;
}

const kept = ({ status, headers }: Answer) => [
  status,
  headers.has("etag"),
  headers.get("cache-control"),
];

for (const [generateId, chosen] of STRATEGIES) {
  Deno.test(`every read with a tag is kept and asked for again, with ids of ${generateId}`, () =>
    withDefinitions(files(generateId), async (api) => {
      const made = await newCup(api, chosen);
      assertEquals(kept(made), [201, true, "no-store"]);
      const cup = `cups/${made.body["id"]}`;
      const reads = ["cups", "cups?limit=1&total=true", "cups/views/short", cup];
      for (const path of [...reads, `${cup}?fields=name`, `${cup}/history`]) {
        for (const method of ["GET", "HEAD"]) {
          const answer = await api.ask(path, { as: admin, method });
          assertEquals(kept(answer), [200, true, "private, no-cache"], `${method} ${path}`);
        }
      }
      for (const path of ["cups", "cups/views/short"]) {
        const headers = { "if-none-match": tagOf(await api.ask(path, { as: admin })) };
        const again = await api.ask(path, { as: admin, headers });
        assertEquals(kept(again), [304, true, "private, no-cache"], path);
      }
      const others: readonly (readonly [path: string, ask: Ask, status: number])[] = [
        [cup, { as: admin, method: "PATCH", body: { name: "Blue" } }, 200],
        ["cups?nothing=1", { as: admin }, 400],
        ["cups/none", { as: admin }, 403],
        [cup, { as: stranger }, 403],
        [`${cup}/history`, {}, 401],
        ["nothing", { as: admin }, 404],
        ["/health", {}, 200],
      ];
      for (const [path, ask, status] of others) {
        const answer = await api.ask(path, ask);
        assertEquals([answer.status, answer.headers.get("cache-control")], [status, "no-store"]);
      }
    }));

  Deno.test(`a copy is never taken for another row of its id, with ids of ${generateId}`, () =>
    withDefinitions(files(generateId), async (api) => {
      const made = await newCup(api, chosen);
      const cup = `cups/${made.body["id"]}`;
      const headers = { "if-none-match": tagOf(await api.ask(cup, { as: admin })) };
      const again = await api.ask(cup, { as: admin, headers });
      assertEquals(again.status, generateId === '"uuid"' ? 304 : 200);
      assertEquals((await api.ask(cup, { as: admin, method: "DELETE" })).status, 200);
      const other = await newCup(api, chosen, "Blue");
      const path = `cups/${other.body["id"]}`;
      // The id that the service made last time is none of this row.
      const asked = await api.ask(path, { as: admin, ...(path === cup ? { headers } : {}) });
      assertEquals([asked.status, asked.body["name"]], [200, "Blue"]);
    }));
}

Deno.test("nothing is kept where the project wants no tags", () =>
  withDefinitions(files('"uuid"', "etag: { enabled: false }, "), async (api) => {
    await newCup(api, null);
    assertEquals(kept(await api.ask("cups", { as: admin })), [200, false, "no-store"]);
  }));

Deno.test("nothing of an account is kept", () =>
  withAccountsApi(async (api) => {
    const ann = await signedUp(api, "ann");
    for (const path of ["get-session", "list-sessions", "security-events", "organization/list"]) {
      const answer = await ann.ask(`/auth/v1/${path}`);
      assertEquals(kept(answer), [200, false, "no-store"], path);
    }
  }));

function tagOf({ headers }: Answer): string {
  return headers.get("etag") ?? "";
}
