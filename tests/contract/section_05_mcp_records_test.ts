/** Records as resources of `/mcp`: read through the layers, by whoever reads them over HTTP, and told as untrusted. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Client } from "@modelcontextprotocol/sdk/client";
import { type ApiUnderTest, type Claims, withApi } from "../support/api.ts";
import { limiterOf } from "../support/limiter.ts";
import { bearing, connected } from "../support/mcp_client.ts";
import { project } from "../support/sample_project.ts";

const MEMBER: Claims = { sub: "max", orgId: "org_a", roles: ["member"] };
const STRANGER: Claims = { sub: "eve", orgId: "org_b", roles: ["admin"] };
const GUEST: Claims = { ...MEMBER, roles: ["guest"] };

const TEMPLATE = "quickback://{resource}/{id}";

async function clientOf(api: ApiUnderTest, claims: Claims): Promise<Client> {
  return (await connected(api, await bearing(claims))).client;
}

/** What was read between the marks of untrusted data. */
async function recordAt(client: Client, uri: string): Promise<unknown> {
  const { contents: [content] } = await client.readResource({ uri });
  assertEquals([content?.uri, content?.mimeType], [uri, "text/plain"]);
  const text = content && "text" in content ? content.text : "";
  const [, mark, json = ""] =
    /\n<untrusted-data mark="([0-9a-f]{16})">\n(.*)\n<\/untrusted-data mark="\1">$/s.exec(text) ??
      [];
  assertMatch(mark ?? "", /^[0-9a-f]{16}$/);
  return JSON.parse(json);
}

Deno.test("whoever reads records is told how, and nobody else", async () => {
  await withApi(project, async (api) => {
    const templates = async (claims: Claims) =>
      (await (await clientOf(api, claims)).listResourceTemplates()).resourceTemplates
        .map(({ uriTemplate }) => uriTemplate);
    assertEquals(await templates(MEMBER), [TEMPLATE]);
    assertEquals(await templates(GUEST), []);
    assertEquals(await templates({ sub: "ida", roles: ["admin"] }), []);
  });
});

Deno.test("a record is what it is over HTTP, masks included", async () => {
  await withApi(project, async (api) => {
    const { body: { id } } = await api.ask("projects", { as: MEMBER, body: { name: "Apollo" } });
    const client = await clientOf(api, MEMBER);
    assertEquals(
      await recordAt(client, `quickback://projects/${id}`),
      (await api.ask(`projects/${id}`, { as: MEMBER })).body,
    );
  });
});

Deno.test("what cannot be read over HTTP cannot be read here, and foreign is as good as missing", async () => {
  await withApi(project, async (api) => {
    const { body: { id } } = await api.ask("projects", { as: MEMBER, body: { name: "Apollo" } });
    const refused = async (claims: Claims, uri: string) => {
      const client = await clientOf(api, claims);
      const error = await assertRejects(() => client.readResource({ uri }));
      return String(error).replaceAll(uri, "");
    };
    const missing = await refused(STRANGER, "quickback://projects/project_0");
    assertMatch(missing, /-32002: The record cannot be read$/);
    assertEquals(await refused(STRANGER, `quickback://projects/${id}`), missing);
    assertEquals(await refused(GUEST, `quickback://projects/${id}`), missing);
    for (
      const uri of [
        "quickback://counters/1",
        "quickback://Projects/1",
        "quickback://__proto__/1",
        "quickback://projects/..",
        "quickback://projects/%2e%2e",
        "quickback://projects/%2e%2e%2ftasks",
        "quickback://projects/%zz",
        "quickback://projects/batch",
        "quickback://projects/views%2fnames",
        "quickback://projects/%00",
      ]
    ) {
      assertMatch(await refused(MEMBER, uri), /-32002: The record cannot be read$/, uri);
    }
    for (
      const uri of ["quickback://projects", "quickback://projects/1/2", "quickback:projects/1"]
    ) {
      assertMatch(await refused(MEMBER, uri), /-32002: There is no such resource$/, uri);
    }
    for (const uri of [`quickback://projects/${id}?fields=name`, `quickback://projects/${id}#x`]) {
      assertMatch(await refused(MEMBER, uri), /-32002: There is no such resource$/, uri);
    }
  });
});

Deno.test("reading a record costs one read", async () => {
  const taken: string[] = [];
  const limiter = limiterOf((key) => Promise.resolve(taken.push(key) > 0));
  await withApi(project, async (api) => {
    const { body: { id } } = await api.ask("projects", { as: MEMBER, body: { name: "Apollo" } });
    const client = await clientOf(api, MEMBER);
    taken.length = 0;
    await client.readResource({ uri: `quickback://projects/${id}` });
    assertEquals(taken, ["projects:read:max"]);
  }, { limiter });
});

Deno.test("counted ids are read as numbers", async () => {
  const counted = {
    ...project,
    tables: project.tables.map((table) =>
      table.name === "projects" ? { ...table, idStrategy: "serial" as const } : table
    ),
  };
  await withApi(counted, async (api) => {
    const { body: { id } } = await api.ask("projects", { as: MEMBER, body: { name: "Apollo" } });
    assertEquals(typeof id, "number");
    const client = await clientOf(api, MEMBER);
    const { contents: [content] } = await client.readResource({
      uri: `quickback://projects/${id}`,
    });
    assert(content && "text" in content && content.text.includes("Apollo"));
  });
});

Deno.test("names of resources are completed for the template as far as their records can be read", async () => {
  await withApi(project, async (api) => {
    const completed = async (claims: Claims, uri: string, name: string, value: string) =>
      (await (await clientOf(api, claims)).complete({
        ref: { type: "ref/resource", uri },
        argument: { name, value },
      })).completion.values;
    assertEquals(await completed(MEMBER, TEMPLATE, "resource", "p"), ["projects"]);
    assertEquals(await completed(GUEST, TEMPLATE, "resource", ""), []);
    assertEquals(await completed(MEMBER, TEMPLATE, "id", ""), []);
    assertEquals(await completed(MEMBER, "quickback://other", "resource", ""), []);
  });
});
