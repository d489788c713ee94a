/** The lists of webhooks page by cursor, as every list does (contract 2.5; extension answers, 37). */
import { assertEquals, assertMatch } from "@std/assert";
import type { Answer } from "../support/api.ts";
import {
  ADMIN,
  dataOf,
  ENDPOINTS,
  OWNER,
  STRANGER,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

/** By relation. */
function linksOf({ headers }: Answer): Readonly<Record<string, string>> {
  const links = (headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return Object.fromEntries([...links].map(([, target, relation]) => [relation, target]));
}

const paged = (answer: Answer): Readonly<Record<string, unknown>> =>
  Object(answer.body["pagination"]);

/** Every page after that one, the way that `relation` leads. */
async function walked(api: WebhooksUnderTest, from: Answer, relation: "next" | "prev") {
  const pages: Answer[] = [];
  for (let link = linksOf(from)[relation]; link !== undefined;) {
    assertMatch(link, /^\/webhooks\/v1\/[^?]+\?.*(?:starting_after|ending_before)=[^&]+$/);
    const page = await api.ask(link, { as: ADMIN });
    assertEquals(page.status, 200, page.text);
    pages.push(page);
    link = linksOf(page)[relation];
  }
  return pages;
}

async function registered(api: WebhooksUnderTest, count: number): Promise<unknown> {
  let id: unknown = null;
  for (let at = 0; at < count; at += 1) {
    // Two of them within one millisecond.
    if (at !== 1) api.pass(1000);
    id = (await api.register())["id"];
  }
  return id;
}

async function delivered(api: WebhooksUnderTest): Promise<string> {
  const path = `${ENDPOINTS}/${await registered(api, 1)}`;
  for (let at = 0; at < 5; at += 1) {
    await api.ask(`${path}/test`, { as: OWNER, method: "POST" });
  }
  return `${path}/deliveries`;
}

const LISTS: Readonly<Record<string, (api: WebhooksUnderTest) => Promise<string>>> = {
  endpoints: (api) => registered(api, 5).then(() => ENDPOINTS),
  deliveries: delivered,
  "event types": () => Promise.resolve("/webhooks/v1/events"),
};

for (const [name, made] of Object.entries(LISTS)) {
  Deno.test(`Link leads through every page of ${name} and back, by the same query`, () =>
    withWebhooks(async (api) => {
      const path = await made(api);
      const all = dataOf(await api.ask(`${path}?limit=100`, { as: ADMIN }));
      const first = await api.ask(`${path}?limit=2`, { as: ADMIN });
      const pages = [first, ...await walked(api, first, "next")];
      assertEquals(pages.flatMap(dataOf), all);
      assertEquals(pages.map((page) => paged(page)["page"]), pages.map((_, at) => at + 1));
      const last = pages.at(-1) ?? first;
      const back = await walked(api, last, "prev");
      assertEquals(back.map(dataOf), pages.slice(0, -1).map(dataOf).reverse());
      assertEquals(linksOf(first)["prev"], undefined);
      assertEquals(linksOf(last)["next"], undefined);
    }));
}

Deno.test("an endpoint that is registered meanwhile moves none to the next page", () =>
  withWebhooks(async (api) => {
    await registered(api, 4);
    const all = dataOf(await api.ask(ENDPOINTS, { as: ADMIN }));
    const first = await api.ask(`${ENDPOINTS}?limit=2`, { as: ADMIN });
    await registered(api, 1);
    const [second] = await walked(api, first, "next");
    assertEquals(second && dataOf(second), all.slice(2));
  }));

Deno.test("a cursor is good for its own list and its caller's organization, and goes with no other place", () =>
  withWebhooks(async (api) => {
    await registered(api, 3);
    const { nextCursor } = paged(await api.ask(`${ENDPOINTS}?limit=1`, { as: ADMIN }));
    const cursor = String(nextCursor);
    const refused = [
      [ADMIN, `${ENDPOINTS}?starting_after=x`],
      [ADMIN, `${ENDPOINTS}?starting_after=`],
      [
        ADMIN,
        `${ENDPOINTS}?ending_before=${cursor.slice(0, -2)}${cursor.endsWith("AA") ? "BB" : "AA"}`,
      ],
      [STRANGER, `${ENDPOINTS}?starting_after=${cursor}`],
      [ADMIN, `/webhooks/v1/events?starting_after=${cursor}`],
      [ADMIN, `${ENDPOINTS}?starting_after=${cursor}&offset=1`],
      [ADMIN, `${ENDPOINTS}?starting_after=${cursor}&ending_before=${cursor}`],
      [ADMIN, `${ENDPOINTS}?starting_after=${cursor}&starting_after=${cursor}`],
    ] as const;
    for (const [as, path] of refused) {
      const { status, body } = await api.ask(path, { as });
      assertEquals([status, body["code"]], [400, "VALIDATION_INVALID_INPUT"], path);
    }
    assertEquals(
      (await api.ask(`${ENDPOINTS}?starting_after=${cursor}`, { as: ADMIN })).status,
      200,
    );
  }));
