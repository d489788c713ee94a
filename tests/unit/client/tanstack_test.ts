/** The client under TanStack Query: its own `QueryClient` against a running API (extensions, "typed client"). */
import {
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from "@tanstack/query-core";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError, createClient } from "../../../library/client/mod.ts";
import { createQueries } from "../../../library/client/tanstack.ts";
import { BASE_URL, type Claims, tokenFor } from "../../support/api.ts";
import { board } from "../../support/board_project.ts";
import { withRealtime } from "../../support/realtime.ts";
import type { Api } from "./board_api.ts";
import type { Api as Notes } from "./notes_api.ts";

const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };

interface BoardUnderTest {
  readonly client: ReturnType<typeof createClient<Api>>;
  readonly cache: QueryClient;
  readonly queries: ReturnType<typeof createQueries<Api>>;
  /** Is there when a stream is open. */
  readonly opened: Promise<void>;
  /** Before the next request is answered. */
  beforeNext(run: () => void): void;
}

function withBoard(body: (underTest: BoardUnderTest) => Promise<void>): Promise<void> {
  return withRealtime(board(), async (api) => {
    const opening = Promise.withResolvers<void>();
    const waiting: (() => void)[] = [];
    const client = createClient<Api>(BASE_URL, {
      token: () => tokenFor(ADMIN, api.ports.clock.now()),
      async fetch(request) {
        request.headers.set("host", new URL(BASE_URL).host);
        waiting.shift()?.();
        const response = await api.fetch(request, { clientIp: null });
        if (request.url.includes("/broadcast/")) opening.resolve();
        return response;
      },
    });
    const cache = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Infinity } },
    });
    cache.mount();
    const queries = createQueries(client, cache);
    const { promise: opened } = opening;
    await body({ client, cache, queries, opened, beforeNext: (run) => void waiting.push(run) });
    cache.clear();
    cache.unmount();
    api.end();
  });
}

Deno.test("options of a query read through the client, under a key of its resource", () =>
  withBoard(async ({ client, cache, queries }) => {
    const { id } = await client.resource("cards").create({ title: "Paint" });
    const cards = queries.resource("cards");
    const options = cards.list({ fields: ["title"] });
    assertEquals(options.queryKey, ["quickback", "cards", "list", { fields: ["title"] }]);
    const { data } = await cache.fetchQuery(options);
    assertEquals(data.map(({ title }) => title), ["Paint"]);
    const one = await cache.fetchQuery(cards.get(id));
    assertEquals([one.title, cards.get(id).queryKey], ["Paint", [...cards.key, "get", id, {}]]);
    const error = await assertRejects(() => cache.fetchQuery(cards.get("crd_nowhere")), ApiError);
    assert(client.isRefusal(error, "FIREWALL_NOT_FOUND"));
  }));

Deno.test("options of an infinite query walk by cursor", () =>
  withBoard(async ({ client, cache, queries }) => {
    const records = ["A", "B", "C"].map((title) => ({ title }));
    await client.resource("cards").createBatch({ records });
    const observer = new InfiniteQueryObserver(
      cache,
      queries.resource("cards").pages({ limit: 2, sort: ["title"] }),
    );
    const leave = observer.subscribe(() => {});
    await observer.refetch();
    const { data, hasNextPage } = await observer.fetchNextPage();
    assertEquals(
      data?.pages.map((page) => page.data.map(({ title }) => title)),
      [["A", "B"], ["C"]],
    );
    assertEquals(hasNextPage, false);
    leave();
  }));

Deno.test("an update is shown before it is made, and read again afterwards", () =>
  withBoard(async ({ client, cache, queries, beforeNext }) => {
    const { id } = await client.resource("cards").create({ title: "Paint" });
    const cards = queries.resource("cards");
    const list = cards.list({ fields: ["id", "title"] });
    await cache.fetchQuery(list);
    await cache.fetchQuery(cards.get(id));
    const shown: unknown[] = [];
    beforeNext(() => {
      shown.push(cache.getQueryData(list.queryKey));
      shown.push(cache.getQueryData<{ title: string }>(cards.get(id).queryKey)?.title);
    });
    const saving = new MutationObserver(cache, cards.update());
    await saving.mutate({ id, body: { title: "Draw", notes: "n" } });
    const [page, title] = shown;
    assertEquals([titlesOf(page), title], [[{ id, title: "Draw" }], "Draw"]);
    assertEquals(cache.getQueryState(list.queryKey)?.isInvalidated, true);
  }));

Deno.test("an update that is refused is taken back", () =>
  withBoard(async ({ client, cache, queries, beforeNext }) => {
    const { id } = await client.resource("cards").create({ title: "Paint" });
    const cards = queries.resource("cards");
    const list = cards.list({ fields: ["id", "title"] });
    await cache.fetchQuery(list);
    let shown: unknown = null;
    beforeNext(() => shown = titlesOf(cache.getQueryData(list.queryKey)));
    const saving = new MutationObserver(cache, cards.update());
    const change = { id, body: { secrecy: Object("none") } };
    await assertRejects(
      () => saving.mutate({ ...change, body: { title: "Draw", ...change.body } }),
      ApiError,
    );
    assertEquals(shown, [{ id, title: "Draw" }]);
    assertEquals(titlesOf(cache.getQueryData(list.queryKey)), [{ id, title: "Paint" }]);
  }));

Deno.test("a deleted record is gone from its lists at once", () =>
  withBoard(async ({ client, cache, queries, beforeNext }) => {
    const { id } = await client.resource("cards").create({ title: "Paint" });
    const cards = queries.resource("cards");
    const list = cards.list();
    await cache.fetchQuery(list);
    let shown: unknown = null;
    beforeNext(() => shown = titlesOf(cache.getQueryData(list.queryKey)));
    await new MutationObserver(cache, cards.delete()).mutate(id);
    assertEquals(shown, []);
  }));

Deno.test("what is created, or changed by an action, is read again", () =>
  withBoard(async ({ cache, queries }) => {
    const cards = queries.resource("cards");
    const observer = new QueryObserver(cache, cards.list({ fields: ["id", "state"] }));
    const leave = observer.subscribe(() => {});
    await observer.refetch();
    const { id } = await new MutationObserver(cache, cards.create()).mutate({ title: "Paint" });
    assertEquals(titlesOf(observer.getCurrentResult().data), [{ id, state: "open" }]);
    await new MutationObserver(cache, cards.run("finish")).mutate({ id, body: {} });
    assertEquals(titlesOf(observer.getCurrentResult().data), [{ id, state: "done" }]);
    leave();
  }));

Deno.test("a cache that follows the API reads again what others change, and nothing else", () =>
  withBoard(async ({ client, cache, queries, opened }) => {
    const cards = client.resource("cards");
    const [one, two] = [await cards.create({ title: "One" }), await cards.create({ title: "Two" })];
    const read = queries.resource("cards");
    const keys = [read.list().queryKey, read.get(one.id).queryKey, read.get(two.id).queryKey];
    await cache.fetchQuery(read.list());
    await cache.fetchQuery(read.get(one.id));
    await cache.fetchQuery(read.get(two.id));
    cache.setQueryData(["another application's"], "A");
    const end = new AbortController();
    const heard = Promise.withResolvers<string>();
    const following = queries.follow({
      signal: end.signal,
      onFrame: ({ type }) => heard.resolve(type),
    });
    await opened;
    await cards.update(one.id, { title: "1" });
    assertEquals(await heard.promise, "record.updated");
    end.abort();
    await following;
    const stale = (key: readonly unknown[]) => cache.getQueryState(key)?.isInvalidated;
    assertEquals(keys.map(stale), [true, true, false]);
    assertEquals(stale(["another application's"]), false);
  }));

function titlesOf(page: unknown): unknown {
  const { data }: { data?: unknown } = Object(page);
  return data;
}

Deno.test("what the API does not offer is no query that compiles", () => {
  const cache = new QueryClient();
  const queries = createQueries(createClient<Api>(BASE_URL), cache);
  const notes = createQueries(createClient<Notes>(BASE_URL), cache);
  // Never called: the compiler alone judges it.
  const misuses = [
    // @ts-expect-error There is no such column.
    () => queries.resource("cards").list({ fields: ["colour"] }),
    // @ts-expect-error There is no such action.
    () => queries.resource("cards").run("explode"),
    // @ts-expect-error An action writes the column.
    () => queries.resource("cards").update().mutationFn({ id: "a", body: { state: "done" } }),
    // @ts-expect-error The project has no realtime.
    () => notes.follow({}),
  ];
  assertEquals(misuses.length, 4);
});
