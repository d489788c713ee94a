/** Forms of older projects, compiled and served (contract 4.2 to 4.4, definitions 2 to 5). */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, isRecord } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const MEMBER: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };
const ADMIN: Claims = { sub: "user_2", orgId: "org_1", roles: ["admin"] };

const OLDER: RawFiles = {
  "quickback/quickback.config.ts":
    `import { defineConfig, defineDatabase, defineFileStorage } from "@quickback/compiler";
export default defineConfig({
  name: "older",
  features: ["organizations"],
  agents: false,
  providers: {
    database: defineDatabase("libsql", {}),
    fileStorage: defineFileStorage("cloudflare-r2", { binding: "BUCKET" }),
  },
});`,
  "quickback/features/jobs/jobs.ts": `import { feature, q } from "@quickback/types";
export default feature("jobs", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required(),
    status: q.enum(["open", "closed"]).required().filterable("eq", "in"),
    rank: q.int().filterable(),
    pay: q.int(),
  },
  guards: { createable: ["title", "status", "rank", "pay"] },
  masking: { pay: { type: "redact", show: { roles: ["admin"] } } },
  read: {
    access: { roles: ["member", "admin"] },
    views: {
      short: { fields: ["id", "title"], query: { sortable: ["rank", "title"] } },
      paid: {
        fields: ["id", "title"],
        access: { roles: ["admin"] },
        query: { sortable: ["pay"] },
      },
    },
  },
  create: { access: { roles: ["member", "admin"] } },
  embeddings: { fields: ["title"] },
});`,
  "quickback/features/reports/actions.ts": `import { defineAction, z } from "quickback";
const actions = {
  echo: {
    description: "Says it again",
    path: "/reports/echo",
    input: z.object({ text: z.string().max(20) }),
    access: { roles: ["member"] },
    execute: ({ input }: { input: { text: string } }) => ({ text: input.text }),
  },
  "say-twice": defineAction({
    description: "Says it twice",
    path: "./twice",
    input: z.object({ text: z.string() }),
    access: { roles: ["member"] },
    execute: ({ input }) => ({ text: input.text + input.text }),
  }),
};
export default { actions };`,
};

function withOlder(body: (api: ApiUnderTest) => Promise<void>): Promise<void> {
  return withCompiledActions(OLDER, body);
}

Deno.test("a column takes the operators of its .filterable(…) alone, and all without arguments", () =>
  withOlder(async (api) => {
    for (const status of ["open", "closed"]) {
      await api.ask("jobs", { as: MEMBER, body: { title: status, status, rank: 1 } });
    }
    const titles = async (query: string) => {
      const { status, body } = await api.ask(`jobs?${query}`, { as: MEMBER });
      const rows = Array.isArray(body["data"]) ? body["data"].filter(isRecord) : [];
      return status === 200 ? rows.map(({ title }) => title) : [status, body["code"]];
    };
    assertEquals(await titles("status=open"), ["open"]);
    assertEquals(await titles("status.in=closed"), ["closed"]);
    for (const operator of ["ne", "gt", "lt", "like"]) {
      assertEquals(await titles(`status.${operator}=open`), [400, "VALIDATION_INVALID_INPUT"]);
    }
    assertEquals((await titles("rank.gte=1")).length, 2);
    const { text } = await api.ask("/openapi.json", { as: ADMIN });
    assert(text.includes('"status.in"') && !text.includes('"status.ne"'));
  }));

Deno.test("a view sorts by columns beyond its fields, page by page", () =>
  withOlder(async (api) => {
    for (const rank of [2, 3, 1]) {
      const pay = 10 - rank;
      await api.ask("jobs", { as: ADMIN, body: { title: `r${rank}`, status: "open", rank, pay } });
    }
    const titles: unknown[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page++) {
      const answer = await api.ask(`jobs/views/short?sort=rank&limit=1${cursor}`, { as: MEMBER });
      assertEquals(answer.status, 200, answer.text);
      const { data, pagination } = answer.body;
      assert(Array.isArray(data) && isRecord(pagination));
      assertEquals(Object.keys(data[0]), ["id", "title"]);
      titles.push(data[0].title);
      cursor = `&starting_after=${encodeURIComponent(String(pagination["nextCursor"]))}`;
    }
    assertEquals(titles, ["r1", "r2", "r3"]);
    const paid = await api.ask("jobs/views/paid?sort=pay", { as: ADMIN });
    assertEquals(paid.status, 200);
    const member = await api.ask("jobs/views/paid?sort=pay", { as: MEMBER });
    assertEquals(member.status, 403);
  }));

Deno.test("actions without a table run at their paths, with z from the library's own name", () =>
  withOlder(async (api) => {
    const echo = await api.ask("reports/echo", { as: MEMBER, body: { text: "hi" } });
    assertEquals([echo.status, echo.body], [200, { text: "hi" }]);
    const twice = await api.ask("reports/twice", { as: MEMBER, body: { text: "hi" } });
    assertEquals([twice.status, twice.body], [200, { text: "hihi" }]);
    const long = await api.ask("reports/echo", { as: MEMBER, body: { text: "x".repeat(21) } });
    assertEquals([long.status, long.body["code"]], [400, "VALIDATION_ERROR"]);
  }));

Deno.test("agents: false serves nothing to agents", () =>
  withOlder(async (api) => {
    for (const path of ["/llms.txt", "/robots.txt", "/mcp"]) {
      assertEquals((await api.ask(path, { as: MEMBER })).status, 404, path);
    }
  }));
