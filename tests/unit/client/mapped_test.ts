/** Create, update and delete that run an action take its input through the client, its cache, `/mcp` and the description (contract 4.1 rule 9). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { MutationObserver, QueryClient } from "@tanstack/query-core";
import { readCompileHost } from "../../../container/host.ts";
import { createClient } from "../../../library/client/mod.ts";
import { createQueries } from "../../../library/client/tanstack.ts";
import { compile, validate } from "../../../shared/compiler/mod.ts";
import { type ApiUnderTest, BASE_URL, tokenFor } from "../../support/api.ts";
import { withCompiledActions } from "../../support/compiled_actions.ts";
import { MAPPED } from "../../support/mapped_project.ts";
import { bearing, connected } from "../../support/mcp_client.ts";
import type { Api } from "./mapped_api.ts";

const ANN = { sub: "ann", orgId: "org_a", roles: ["member"] };

type Client = ReturnType<typeof createClient<Api>>;

function withClient(body: (client: Client, api: ApiUnderTest) => Promise<void>): Promise<void> {
  return withCompiledActions(MAPPED, async (api) => {
    const token = await tokenFor(ANN);
    const fetch = (request: Request) => {
      request.headers.set("host", new URL(BASE_URL).host);
      return api.fetch(request, { clientIp: null });
    };
    await body(createClient<Api>(BASE_URL, { token, fetch }), api);
  });
}

Deno.test("the client sends the input of every verb that runs an action", () =>
  withClient(async (client) => {
    const tasks = client.resource("tasks");
    const { id, opened } = await tasks.create({ title: "Paint" });
    assertEquals(opened, "Paint");
    assertEquals(await tasks.update(id, { to: "Draw" }), { renamed: "Draw" });
    assertEquals(await tasks.delete(id, { input: { reason: "done" } }), { dropped: "done" });
    assertEquals((await tasks.get(id)).reason, "done");
    // @ts-expect-error: the action needs its input.
    const refused = await assertRejects(() => tasks.delete(id));
    assertEquals(client.isRefusal(refused, "VALIDATION_ERROR"), true);
    // @ts-expect-error: and this one is not of its type.
    await assertRejects(() => tasks.delete(id, { input: { reason: 3 } }));
    const lists = client.resource("lists");
    const list = await lists.create({ title: "Home" });
    assertEquals(await lists.delete(list.id), { shelf: "top" });
    const options = { input: { shelf: "low" }, idempotencyKey: "once" };
    assertEquals(await lists.delete(list.id, options), { shelf: "low" });
  }));

Deno.test("a mutation of the cache sends it, too", () =>
  withClient(async (client) => {
    const cache = new QueryClient();
    const queries = createQueries(client, cache);
    const { id } = await client.resource("tasks").create({ title: "Paint" });
    const dropping = new MutationObserver(cache, queries.resource("tasks").delete());
    assertEquals(await dropping.mutate({ id, input: { reason: "done" } }), { dropped: "done" });
    const list = await client.resource("lists").create({ title: "Home" });
    const shelving = new MutationObserver(cache, queries.resource("lists").delete());
    assertEquals(await shelving.mutate(list.id), { shelf: "top" });
    assertEquals(await shelving.mutate({ id: list.id, input: { shelf: "low" } }), { shelf: "low" });
    cache.clear();
  }));

Deno.test("so do a changeset and the tools of /mcp, which are told of it", () =>
  withClient(async (client, api) => {
    const { results: [made, dropped] } = await client.changeset([
      { op: "create", resource: "tasks", data: { title: "Paint" }, as: "one" },
      { op: "delete", resource: "tasks", id: { $ref: "one.id" }, data: { reason: "done" } },
    ]);
    assertEquals([made.opened, dropped], ["Paint", { dropped: "done" }]);
    const mcp = await connected(api, await bearing(ANN));
    const { data: told } = await mcp.call("describe_resource", { resource: "tasks" });
    assertEquals(
      ["create", "update", "delete"].map((verb) => Object.keys(Object(told)[verb].properties)),
      [["title"], ["to"], ["reason"]],
    );
    const resource = "tasks";
    const created = await mcp.call("create_record", { resource, data: { title: "Paint" } });
    const id = Object(created.data)["id"];
    const changed = await mcp.call("update_record", { resource, id, data: { to: "Draw" } });
    assertEquals(changed.data, { renamed: "Draw" });
    assertEquals((await mcp.call("delete_record", { resource, id })).status, 400);
    const data = { reason: "done" };
    assertEquals((await mcp.call("delete_record", { resource, id, data })).data, {
      dropped: "done",
    });
  }));

Deno.test("the description asks for it where it is needed", () => {
  const result = compile(MAPPED, readCompileHost({ version: "0.0.0" }));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const { paths } = JSON.parse(
    result.files.find(({ path }) => path === "openapi.json")?.content ?? "",
  );
  const bodyOf = (path: string, method: string) => {
    const { required, content } = paths[`/api/v1/${path}`][method].requestBody;
    return [required, Object.keys(content["application/json"].schema.properties)];
  };
  assertEquals(bodyOf("tasks", "post"), [true, ["title"]]);
  assertEquals(bodyOf("tasks/{id}", "patch"), [true, ["to"]]);
  assertEquals(bodyOf("tasks/{id}", "delete"), [true, ["reason"]]);
  assertEquals(bodyOf("lists/{id}", "delete"), [false, ["shelf"]]);
});

Deno.test("a batch that is configured for such a verb is told that there is none", () => {
  const path = "quickback/features/tasks/tasks.ts";
  const told: Readonly<Record<string, readonly string[]>> = {
    false: [],
    "{ maxBatchSize: 5 }": ["ACTION_MAPPED_BATCH"],
  };
  for (const [batch, codes] of Object.entries(told)) {
    const text = String(MAPPED[path]).replace('action: "drop"', `action: "drop", batch: ${batch}`);
    const found = validate({ ...MAPPED, [path]: text });
    assert(found.ok);
    assertEquals(found.warnings.map(({ code }) => code), codes);
  }
});

Deno.test("an upsert runs no action, and is told the other way", () => {
  const path = "quickback/features/tasks/tasks.ts";
  for (const key of ["upsert", "put"]) {
    const text = String(MAPPED[path]).replace("create: ", `${key}: { action: "open" }, create: `);
    const found = validate({ ...MAPPED, [path]: text });
    assert(!found.ok);
    const told = found.errors.find(({ code }) => code === "ACTION_MAPPED_UPSERT");
    assertEquals([told?.place.file, told?.hint?.includes("PUT")], [path, true]);
  }
});
