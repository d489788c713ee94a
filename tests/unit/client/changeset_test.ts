/** A changeset of the client: one transaction, each operation typed as its own route (definitions 7 "changeset"). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError, createClient } from "../../../library/client/mod.ts";
import { BASE_URL, tokenFor } from "../../support/api.ts";
import { board } from "../../support/board_project.ts";
import { withRealtime } from "../../support/realtime.ts";
import type { Api, CardsRecord, CommentsRecord } from "./board_api.ts";
import type { Api as Notes } from "./notes_api.ts";

const ADMIN = { sub: "user_a", orgId: "org_a", roles: ["admin"] };

function withBoard(body: (client: ReturnType<typeof createClient<Api>>) => Promise<void>) {
  return withRealtime(board(), async (api) => {
    await body(createClient<Api>(BASE_URL, {
      token: await tokenFor(ADMIN),
      fetch(request) {
        request.headers.set("host", new URL(BASE_URL).host);
        return api.fetch(request, { clientIp: null });
      },
    }));
  });
}

/** Compiles where both types are the same. */
function same<A, B>(..._proof: [A] extends [B] ? [B] extends [A] ? [] : [never] : [never]): void {}

Deno.test("a changeset writes several records, each answer under the type of its operation", () =>
  withBoard(async (client) => {
    const { results } = await client.changeset([
      { op: "create", resource: "cards", data: { title: "Paint" }, as: "card" },
      { op: "create", resource: "comments", data: { cardId: { $ref: "card.id" }, body: "Red" } },
      { op: "action", resource: "cards", action: "finish", id: { $ref: "card.id" } },
      { op: "delete", resource: "cards", id: { $ref: "card.id" } },
    ]);
    const [card, comment, , gone] = results;
    same<typeof card, CardsRecord>();
    same<typeof comment, CommentsRecord>();
    assertEquals([card.title, comment.cardId, gone], ["Paint", card.id, { success: true }]);
    assertEquals((await client.resource("cards").list()).data, []);
  }));

Deno.test("an action's answer has its type by the action's name and by its segment, with a record and without", () =>
  withBoard(async (client) => {
    const { results } = await client.changeset([
      { op: "create", resource: "cards", data: { title: "Paint" }, as: "card" },
      { op: "action", resource: "cards", action: "moveUp", id: { $ref: "card.id" } },
      { op: "action", resource: "cards", action: "move-up", id: { $ref: "card.id" } },
      { op: "action", resource: "cards", action: "countAll" },
      { op: "action", resource: "cards", action: "count-all" },
    ]);
    const [, named, segment, counted, also] = results;
    type Title = { readonly title: string };
    type Count = { readonly count: number };
    same<typeof named, typeof segment>();
    same<typeof counted, typeof also>();
    const titles: readonly Title[] = [named, segment];
    const counts: readonly Count[] = [counted, also];
    assertEquals(titles, [{ title: "Paint" }, { title: "Paint" }]);
    assertEquals(counts, [{ count: 1 }, { count: 1 }]);
    // @ts-expect-error The answer is no number.
    void (() => named.title satisfies number);
  }));

Deno.test("a changeset that is refused leaves nothing, and says which operation it was", () =>
  withBoard(async (client) => {
    const error = await assertRejects(
      () =>
        client.changeset([
          { op: "create", resource: "cards", data: { title: "Paint" } },
          { op: "update", resource: "cards", id: "crd_nowhere", data: { title: "Draw" } },
        ]),
      ApiError,
    );
    assert(client.isRefusal(error, "FIREWALL_NOT_FOUND"));
    assertEquals(error.details["failedAt"], 1);
    assertEquals((await client.resource("cards").list()).data, []);
  }));

Deno.test("what no changeset takes is no changeset that compiles", () => {
  const client = createClient<Api>(BASE_URL);
  const notes = createClient<Notes>(BASE_URL);
  // Never called: the compiler alone judges it.
  const misuses = [
    // @ts-expect-error There is no such column.
    () => client.changeset([{ op: "create", resource: "cards", data: { title: "A", colour: 1 } }]),
    // @ts-expect-error An action writes the column.
    () => client.changeset([{ op: "update", resource: "cards", id: "a", data: { state: "done" } }]),
    // @ts-expect-error There is no such action.
    () => client.changeset([{ op: "action", resource: "cards", action: "explode", id: "a" }]),
    // @ts-expect-error Comments are not updated.
    () => client.changeset([{ op: "update", resource: "comments", id: "a", data: {} }]),
    // @ts-expect-error A deletion takes no data.
    () => client.changeset([{ op: "delete", resource: "cards", id: "a", data: {} }]),
    // @ts-expect-error The project has no changesets.
    () => notes.changeset([]),
  ];
  assertEquals(misuses.length, 6);
});
