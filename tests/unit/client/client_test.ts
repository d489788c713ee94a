/** The typed client against a running API, whose types it has from the compiler (contract 9.5). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError, type ClientOptions, createClient } from "../../../library/client/mod.ts";
import { type ApiUnderTest, BASE_URL, tokenFor, withDefinitions } from "../../support/api.ts";
import { projectFiles } from "../../support/sample_files.ts";
import type { Api } from "./notes_api.ts";

const NOTES = new URL("../../compiler/samples/notes/input/", import.meta.url);
const ANN = { sub: "ann", orgId: "org_a", roles: ["member", "admin"] };

async function withClient(
  body: (client: Client, api: ApiUnderTest) => Promise<void>,
  more: Partial<ClientOptions> = {},
): Promise<void> {
  await withDefinitions(await projectFiles(NOTES), async (api) => {
    const token = await tokenFor(ANN);
    const fetch = (request: Request) => answered(request, api);
    await body(createClient<Api>(BASE_URL, { token, fetch, ...more }), api);
  });
}

/** What a socket would bring with it. */
function answered(request: Request, api: ApiUnderTest): Promise<Response> {
  request.headers.set("host", new URL(BASE_URL).host);
  return api.fetch(request, { clientIp: null });
}

async function refusedBy(call: () => Promise<unknown>): Promise<ApiError> {
  const error = await assertRejects(call, ApiError);
  assert(error instanceof ApiError);
  return error;
}

type Client = ReturnType<typeof createClient<Api>>;

Deno.test("a client creates, reads, changes and deletes", async () => {
  await withClient(async (client) => {
    const notebooks = client.resource("notebooks");
    const made = await notebooks.create({ title: "Recipes" });
    assertEquals((await notebooks.get(made.id)).title, "Recipes");
    assertEquals((await notebooks.update(made.id, { isArchived: true })).isArchived, true);
    assertEquals(await notebooks.delete(made.id), { success: true });
    const error = await refusedBy(() => notebooks.get(made.id));
    assertEquals([error.status, error.code], [403, "FIREWALL_SOFT_DELETED"]);
  });
});

Deno.test("a client takes whole lists page by page, by cursor", async () => {
  await withClient(async (client) => {
    const notebooks = client.resource("notebooks");
    const titles = Array.from({ length: 7 }, (_, at) => `Notebook ${at}`);
    const { success } = await notebooks.createBatch({
      records: titles.map((title) => ({ title })),
    });
    assertEquals(success.length, 7);
    const sizes: number[] = [];
    for await (const page of notebooks.pages({ limit: 3, sort: ["title"] })) {
      sizes.push(page.data.length);
    }
    assertEquals(sizes, [3, 3, 1]);
    const seen: string[] = [];
    for await (const { title } of notebooks.all({ limit: 2, sort: ["-title"] })) seen.push(title);
    assertEquals(seen, titles.toReversed());
  });
});

Deno.test("a client changes and deletes several records at once, and hears what became of each", async () => {
  await withClient(async (client) => {
    const notebooks = client.resource("notebooks");
    const { success } = await notebooks.createBatch({ records: [{ title: "A" }, { title: "B" }] });
    const ids = success.map(({ id }) => id);
    const changed = await notebooks.updateBatch({
      records: ids.map((id) => ({ id, isArchived: true })),
    });
    assertEquals(changed.success.map(({ id, isArchived }) => [id, isArchived]), [
      [ids[0], true],
      [ids[1], true],
    ]);
    const deleted = await notebooks.deleteBatch({ ids: [...ids, "nb_nowhere"] });
    assertEquals(deleted.success.map(({ id }) => id), ids);
    assertEquals(deleted.errors.map(({ index, error: { code } }) => [index, code]), [
      [2, "FIREWALL_NOT_FOUND"],
    ]);
    assertEquals((await notebooks.list()).data, []);
  });
});

Deno.test("a view answers with its own fields", async () => {
  await withClient(async (client) => {
    const notebook = await client.resource("notebooks").create({ title: "Diary" });
    const notes = client.resource("notes");
    await notes.create({ notebookId: notebook.id, body: "Rain" });
    const { data, view } = await notes.view("recent").list({ sort: ["-writtenAt"] });
    assertEquals([view, data.map(({ body }) => body)], ["recent", ["Rain"]]);
  });
});

Deno.test("a guarded write carries the tag, and is refused when another came first", async () => {
  await withClient(async (client) => {
    const notebook = await client.resource("notebooks").create({ title: "Diary" });
    const notes = client.resource("notes");
    const { id } = await notes.create({ notebookId: notebook.id, rating: 1 });
    const { tag } = await notes.tagged(id);
    assert(tag !== null);
    await notes.update(id, { rating: 2 }, { ifMatch: tag });
    const error = await refusedBy(() => notes.update(id, { rating: 3 }, { ifMatch: tag }));
    assertEquals([error.status, error.code], [412, "PRECONDITION_FAILED"]);
  });
});

Deno.test("a write that was not answered is sent again under its key and takes effect once", async () => {
  const keys: (string | null)[] = [];
  const pauses: number[] = [];
  let isLost = true;
  await withDefinitions(await projectFiles(NOTES), async (api) => {
    const client = createClient<Api>(BASE_URL, {
      token: () => tokenFor(ANN),
      newKey: () => "key-1",
      wait: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
      async fetch(request) {
        keys.push(request.headers.get("idempotency-key"));
        const response = await answered(request, api);
        if (request.method === "POST" && isLost) {
          isLost = false;
          throw new TypeError("The connection broke before the answer came");
        }
        return response;
      },
    });
    await client.resource("notebooks").create({ title: "Once" });
    const { data } = await client.resource("notebooks").list();
    assertEquals(data.map(({ title }) => title), ["Once"]);
  });
  assertEquals([keys, pauses], [["key-1", "key-1", null], [200]]);
});

const ANSWERS: readonly (readonly [string, () => Response, readonly number[]])[] = [
  ["429 waits as long as it is told", () => limited(), [60_000, 60_000]],
  ["500 waits longer each time", () => new Response("{}", { status: 500 }), [200, 400]],
  ["400 is final", () => new Response("{}", { status: 400 }), []],
  ["no JSON is an error too", () => new Response("<html>", { status: 404 }), []],
];

function limited(): Response {
  return Response.json({ error: "Rate limit exceeded", code: "RATE_LIMITED", retryAfter: 60 }, {
    status: 429,
    headers: { "retry-after": "60" },
  });
}

for (const [sentence, answer, expected] of ANSWERS) {
  Deno.test(`a refusal ends a call: ${sentence}`, async () => {
    const pauses: number[] = [];
    const client = createClient<Api>(BASE_URL, {
      fetch: () => Promise.resolve(answer()),
      wait: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
    });
    const error = await refusedBy(() => client.resource("notes").list());
    assertEquals([error.status, pauses], [answer().status, expected]);
  });
}

Deno.test("what the API does not offer is no call that compiles", () => {
  const client = createClient<Api>(BASE_URL);
  // Never called: the compiler alone judges it.
  const misuses = [
    // @ts-expect-error The resource has no upsert.
    () => client.resource("notes").upsert("id", {}),
    // @ts-expect-error There is no such resource.
    () => client.resource("nothing").list(),
    // @ts-expect-error The column is not writable.
    () => client.resource("notes").create({ notebookId: "id", writtenAt: "2026-01-01" }),
    // @ts-expect-error A view sorts by its own columns only.
    () => client.resource("notes").view("recent").list({ sort: ["rating"] }),
    // @ts-expect-error A filter takes what the column holds.
    () => client.resource("notes").list({ "mood.in": ["angry"] }),
  ];
  assertEquals(misuses.length, 5);
});
