/** Pages by cursor, embedded targets, views and their numbers (contract 2.4, 2.5, 4.2, 4.3, definitions 4.5). */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { type Answer, type ApiUnderTest, isRecord, withDefinitions } from "../support/api.ts";
import { DRIVERS } from "../support/databases.ts";
import { insertRows, type StoredValues } from "../support/insert_rows.ts";

const AUTHORS = `import { feature, q } from "quickback";
export default feature("authors", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required(),
    email: q.text(),
    tier: q.enum(["free", "paid"]),
  },
  masking: { email: { type: "email", show: { roles: ["admin"] } } },
  read: {
    access: {
      or: [
        { roles: ["admin", "editor"] },
        { roles: ["intern"], record: { tier: { equals: "free" } } },
      ],
    },
  },
});
`;

const BOOKS = `import { feature, q } from "quickback";
import authors from "../authors/authors.ts";
export default feature("books", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required().searchable(),
    blurb: q.text(),
    authorId: q.text().references(() => authors.id),
    editorId: q.text().references(() => authors.id),
    pages: q.int(),
    price: q.real(),
    soldAt: q.timestamp(),
  },
  read: {
    access: { roles: ["admin", "editor", "intern", "clerk"] },
    include: ["authorId"],
    views: {
      shelf: {
        fields: ["id", "title", "editorId", "pages"],
        include: ["editorId"],
        query: { filterable: ["pages"], sortable: ["title"], defaultSort: "title" },
        aggregations: {
          books: { fn: "count" },
          counted: { fn: "count", field: "pages" },
          pages: { fn: "sum", field: "pages" },
          mean: { fn: "avg", field: "pages" },
          cheapest: { fn: "min", field: "price" },
          latest: { fn: "max", field: "soldAt" },
        },
      },
    },
  },
});
`;

const STICKERS = `import { feature, q } from "quickback";
export default feature("stickers", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    label: q.text().required(),
    weight: q.int(),
  },
  read: {
    access: { roles: ["PUBLIC"] },
    defaultView: "labels",
    views: { labels: { fields: ["id", "label"] } },
  },
});
`;

const filesOf = (version: "v1" | "v2"): RawFiles => ({
  "quickback/quickback.config.ts":
    `export default { name: "shop", contract: { version: "${version}" }, auth: { jwt: {} } };\n`,
  "quickback/features/authors/authors.ts": AUTHORS,
  "quickback/features/books/books.ts": BOOKS,
  "quickback/features/stickers/stickers.ts": STICKERS,
});

const as = (role: string, orgId = "org_1") => ({ as: { sub: "u1", orgId, roles: [role] } });
const AT = "2026-01-01T00:00:00.000Z";

function row(id: string, rest: StoredValues): StoredValues {
  return { id, organizationId: "org_1", createdAt: AT, modifiedAt: AT, createdBy: "u9", ...rest };
}

const AUTHOR_ROWS = [
  row("ada", { name: "Ada", email: "ada@example.com", tier: "free" }),
  row("bob", { name: "Bob", email: "bob@example.com", tier: "paid" }),
  row("gone", { name: "Gone", tier: "free", deletedAt: AT }),
  row("far", { name: "Far", tier: "free", organizationId: "org_2" }),
];

const BOOK_ROWS = [
  row("b1", { title: "A", pages: 10, price: 2.5, authorId: "ada", editorId: "bob" }),
  row("b2", { title: "B", pages: null, price: 0.1, authorId: "bob", editorId: "bob" }),
  row("b3", { title: "C", pages: 30, authorId: "gone", soldAt: AT }),
  row("b4", { title: "D", pages: null, authorId: "far" }),
  row("b5", { title: "E", pages: 10, authorId: null }),
  row("b9", { title: "F", pages: 99, organizationId: "org_2" }),
];

/** Where each organization has a database, no row refers to another one's. */
function withinDatabase(book: StoredValues): StoredValues {
  return book["authorId"] === "far" ? { ...book, authorId: null } : book;
}

function withShop(
  body: (api: ApiUnderTest) => Promise<void>,
  { version = "v1", driver }: {
    readonly version?: "v1" | "v2";
    readonly driver?: typeof DRIVERS[number];
  } = {},
): Promise<void> {
  return withDefinitions(filesOf(version), async (api) => {
    const stickers = ["x", "y", "z"].map((id, at) => row(id, { label: id, weight: at }));
    await insertRows(api.database, api.project, {
      authors: AUTHOR_ROWS,
      books: api.ports.tenants ? BOOK_ROWS.map(withinDatabase) : BOOK_ROWS,
      stickers,
    });
    await body(api);
  }, driver ? { driver } : {});
}

function pagination({ body }: Answer): Readonly<Record<string, unknown>> {
  assert(isRecord(body["pagination"]), JSON.stringify(body));
  return body["pagination"];
}

function ids({ body }: Answer): readonly unknown[] {
  assert(Array.isArray(body["data"]), JSON.stringify(body));
  return body["data"].map((record: unknown) => isRecord(record) ? record["id"] : record);
}

function cursor(answer: Answer, link: "nextCursor" | "prevCursor"): string {
  const text = pagination(answer)[link];
  assert(typeof text === "string", `No ${link}`);
  return text;
}

function refusal({ status, body }: Answer): unknown {
  const details = isRecord(body["details"]) ? body["details"]["parameter"] : undefined;
  return [status, body["code"], details];
}

const WALKS: readonly (readonly [sort: string, order: readonly string[]])[] = [
  ["", ["b5", "b4", "b3", "b2", "b1"]],
  ["sort=pages", ["b2", "b4", "b1", "b5", "b3"]],
  ["sort=-pages", ["b3", "b5", "b1", "b4", "b2"]],
  ["sort=-pages,title", ["b3", "b1", "b5", "b2", "b4"]],
  ["sort=-soldAt,pages,-title", ["b3", "b4", "b2", "b5", "b1"]],
  ["sort=-id,title", ["b5", "b4", "b3", "b2", "b1"]],
  ["sort=price&order=desc", ["b1", "b2", "b5", "b4", "b3"]],
];

for (const driver of DRIVERS) {
  for (const [sort, order] of WALKS) {
    Deno.test(`a walk by cursor with "${sort}" visits every row once each way, ${driver.name}`, () =>
      withShop(async (api) => {
        const ask = (place: string) => api.ask(`books?limit=2&${sort}${place}`, as("admin"));
        const first = await ask("");
        const second = await ask(`&starting_after=${cursor(first, "nextCursor")}`);
        const third = await ask(`&starting_after=${cursor(second, "nextCursor")}`);
        assertEquals([first, second, third].flatMap(ids), [...order]);
        assertEquals(pagination(third)["nextCursor"], null);
        assertEquals(pagination(first)["prevCursor"], null);
        const back = await ask(`&ending_before=${cursor(third, "prevCursor")}`);
        const start = await ask(`&ending_before=${cursor(back, "prevCursor")}`);
        assertEquals([ids(back), ids(start)], [ids(second), ids(first)]);
        assertEquals(pagination(start)["prevCursor"], null);
        const pages = [first, second, third, back, start].map((page) => pagination(page));
        assertEquals(pages.map(({ page }) => page), [1, 2, 3, 2, 1]);
        assertEquals(pages.map(({ hasMore }) => hasMore), [true, true, false, true, false]);
        assertEquals(cursor(start, "nextCursor"), cursor(first, "nextCursor"));
      }, { driver }));
  }
}

Deno.test("rows that come and go during a walk are no reason to repeat or skip others", () =>
  withShop(async (api) => {
    const ask = (place: string) => api.ask(`books?limit=2&sort=title${place}`, as("admin"));
    const first = await ask("");
    await insertRows(api.database, api.project, {
      books: [row("new1", { title: "A0" }), row("new2", { title: "B0" })],
    });
    await api.database.write((transaction) =>
      transaction.run({ sql: "DELETE FROM books WHERE id = 'b2'", args: [] })
    );
    const second = await ask(`&starting_after=${cursor(first, "nextCursor")}`);
    assertEquals([ids(first), ids(second)], [["b1", "b2"], ["new2", "b3"]]);
    const back = await ask(`&ending_before=${cursor(second, "prevCursor")}`);
    assertEquals(ids(back), ["b1", "new1"]);
  }));

Deno.test("a page by offset leads on by cursor, and keeps count of its number and total", () =>
  withShop(async (api) => {
    const ask = (place: string) => api.ask(`books?limit=2&total=true${place}`, as("admin"));
    const middle = await ask("&offset=2");
    const last = await ask(`&starting_after=${cursor(middle, "nextCursor")}`);
    const first = await ask(`&ending_before=${cursor(middle, "prevCursor")}`);
    const numbers = [first, middle, last].map((page) => {
      const { page: number, count, total, totalPages, hasMore } = pagination(page);
      return [number, count, total, totalPages, hasMore];
    });
    assertEquals(numbers, [[1, 2, 5, 3, true], [2, 2, 5, 3, true], [3, 1, 5, 3, false]]);
  }));

Deno.test("a cursor that is too long to carry its values names its record instead", () =>
  withShop(async (api) => {
    const long = "x".repeat(20_000);
    await insertRows(api.database, api.project, {
      books: ["l1", "l2", "l3"].map((id) => row(id, { title: id, blurb: long + id })),
    });
    const ask = (place: string) => api.ask(`books?limit=1&sort=-blurb${place}`, as("admin"));
    const first = await ask("");
    const next = cursor(first, "nextCursor");
    assert(next.length < 500, String(next.length));
    assertEquals([ids(first), ids(await ask(`&starting_after=${next}`))], [["l3"], ["l2"]]);
    await api.database.write((transaction) =>
      transaction.run({ sql: "DELETE FROM books WHERE id = 'l3'", args: [] })
    );
    const refused = await ask(`&starting_after=${next}`);
    assertEquals(refusal(refused), [400, "VALIDATION_INVALID_INPUT", "starting_after"]);
  }));

Deno.test("a cursor is good for its own list alone", () =>
  withShop(async (api) => {
    await insertRows(api.database, api.project, {
      books: [row("b8", { title: "G", organizationId: "org_2" })],
    });
    const list = await api.ask("books?limit=1", as("admin"));
    const text = cursor(list, "nextCursor");
    const good = await api.ask(`books?limit=1&starting_after=${text}`, as("clerk"));
    assertEquals(good.status, 200);
    const other = await api.ask(`books?limit=5&title.ne=D&ending_before=${text}`, as("admin"));
    assertEquals(other.status, 200, "filters and page size may change");

    const foreign: readonly (readonly [string, ReturnType<typeof as>])[] = [
      [`books?starting_after=${text}`, as("admin", "org_2")],
      [`books?sort=createdAt&starting_after=${text}`, as("admin")],
      [`books?sort=-createdAt,id&starting_after=${text}`, as("admin")],
      [`books/views/shelf?starting_after=${text}`, as("admin")],
      [`authors?starting_after=${text}`, as("admin")],
    ];
    for (const [path, caller] of foreign) {
      const answer = await api.ask(path, caller);
      assertEquals(refusal(answer), [400, "VALIDATION_INVALID_INPUT", "starting_after"], path);
    }
  }));

Deno.test("a cursor that was touched is refused, whatever was done to it", () =>
  withShop(async (api) => {
    const text = cursor(await api.ask("books?limit=1", as("admin")), "nextCursor");
    const flipped = [0, 5, 20, text.length - 2, text.length - 1].map((at) => {
      const letter = text[at] === "A" ? "B" : "A";
      return text.slice(0, at) + letter + text.slice(at + 1);
    });
    const plain = btoa(JSON.stringify([0, [AT, "b5"]]));
    const touched = [
      ...flipped,
      text.slice(1),
      text.slice(0, -1),
      `${text}A`,
      `${text}=`,
      text + text,
      plain,
      "",
      "b1",
      "AAAA",
      "%00",
      "%20",
      "x".repeat(9000),
    ];
    for (const one of touched) {
      for (const parameter of ["starting_after", "ending_before"]) {
        const answer = await api.ask(`books?${parameter}=${one}`, as("admin"));
        assertEquals(refusal(answer), [400, "VALIDATION_INVALID_INPUT", parameter], one);
      }
    }
  }));

Deno.test("a page begins in one place", () =>
  withShop(async (api) => {
    const text = cursor(await api.ask("books?limit=1", as("admin")), "nextCursor");
    for (
      const query of [
        `starting_after=${text}&offset=0`,
        `offset=1&ending_before=${text}`,
        `starting_after=${text}&ending_before=${text}`,
      ]
    ) {
      const { status, body } = await api.ask(`books?${query}`, as("admin"));
      assertEquals([status, body["code"]], [400, "VALIDATION_INVALID_INPUT"], query);
    }
  }));

Deno.test("a cursor carries nothing in the clear, and the same page is the same bytes", () =>
  withShop(async (api) => {
    const [one, two] = [
      await api.ask("books?limit=1&sort=title", as("admin")),
      await api.ask("books?limit=1&sort=title", as("admin")),
    ];
    assertEquals(one.text, two.text);
    const text = cursor(one, "nextCursor");
    assertMatch(text, /^[A-Za-z0-9_-]+$/);
    assert(!atob(text.replaceAll("-", "+").replaceAll("_", "/")).includes("b1"));
    const next = await api.ask(`books?limit=1&sort=title&starting_after=${text}`, as("admin"));
    assertEquals(cursor(next, "nextCursor").length, text.length);
    assertNotEquals(cursor(next, "nextCursor"), text);
  }));

Deno.test("included targets stand at the top, by foreign key and id, as their reader sees them", () =>
  withShop(async (api) => {
    const { body } = await api.ask("books?include=authorId&sort=title", as("editor"));
    const common = { organizationId: "org_1", createdAt: AT, createdBy: "u9", modifiedAt: AT };
    const rest = { ...common, modifiedBy: null, deletedAt: null, deletedBy: null };
    // Deleted and foreign targets are absent, and so is the label of each.
    assertEquals(body["included"], {
      authorId: {
        ada: { id: "ada", name: "Ada", email: "a***@e***.com", tier: "free", ...rest },
        bob: { id: "bob", name: "Bob", email: "b***@e***.com", tier: "paid", ...rest },
      },
    });
    assert(Array.isArray(body["data"]));
    const labels = body["data"].map((one: unknown) => isRecord(one) ? one["author_label"] : one);
    assertEquals(labels, ["Ada", "Bob", null, null, null]);
    const plain = await api.ask("books?sort=title", as("editor"));
    assertEquals("included" in plain.body, false);
  }));

Deno.test("included are the targets of the page's own rows", () =>
  withShop(async (api) => {
    const ask = (query: string) =>
      api.ask(`books?include=authorId&fields[authorId]=name&sort=title&${query}`, as("admin"));
    const first = await ask("limit=1");
    assertEquals(first.body["included"], { authorId: { ada: { name: "Ada" } } });
    const next = await ask(`limit=1&starting_after=${cursor(first, "nextCursor")}`);
    assertEquals(next.body["included"], { authorId: { bob: { name: "Bob" } } });
    const back = await ask(`limit=1&ending_before=${cursor(next, "prevCursor")}`);
    assertEquals([ids(back), back.body["included"]], [ids(first), first.body["included"]]);
    const none = await ask("title=E");
    assertEquals(none.body["included"], { authorId: {} });
  }));

Deno.test("a target's row conditions decide which of them are included and labelled", () =>
  withShop(async (api) => {
    const { body } = await api.ask(
      "books?include=authorId&fields[authorId]=id&fields=authorId&sort=title",
      as("intern"),
    );
    assertEquals(body["included"], { authorId: { ada: { id: "ada" } } });
    assertEquals(body["data"], [
      { authorId: "ada", author_label: "Ada" },
      { authorId: "bob", author_label: null },
      { authorId: "gone", author_label: null },
      { authorId: api.ports.tenants ? null : "far", author_label: null },
      { authorId: null, author_label: null },
    ]);
  }));

Deno.test("whoever may not read the target may not include it, and sees no label", () =>
  withShop(async (api) => {
    for (const path of ["books?include=authorId", "books/b1?include=authorId"]) {
      const { status, body } = await api.ask(path, as("clerk"));
      assertEquals([status, body["code"]], [403, "ACCESS_ROLE_REQUIRED"], path);
      assertEquals(body["details"], {
        required: ["admin", "editor", "intern"],
        current: ["clerk"],
      });
    }
    const { body } = await api.ask("books/b1?fields=authorId", as("clerk"));
    assertEquals(body, { authorId: "ada", author_label: null });
  }));

Deno.test("a single read carries included beside its columns", () =>
  withShop(async (api) => {
    const query = "include=authorId&fields[authorId]=email,id&fields=title,authorId";
    const { body } = await api.ask(`books/b1?${query}`, as("admin"));
    assertEquals(body, {
      title: "A",
      authorId: "ada",
      author_label: "Ada",
      included: { authorId: { ada: { id: "ada", email: "ada@example.com" } } },
    });
    const none = await api.ask("books/b3?include=authorId", as("admin"));
    assertEquals(none.body["included"], { authorId: {} });
    assertEquals("included" in (await api.ask("books/b1", as("admin"))).body, false);
    const missing = await api.ask("books/nope?include=authorId", as("admin"));
    assertEquals(missing.body["code"], "FIREWALL_NOT_FOUND");
  }));

const REFUSED: readonly (readonly [string, string])[] = [
  ["books?include=editorId", "include"],
  ["books?include=title", "include"],
  ["books?include=authorId.name", "include"],
  ["books?include=", "include"],
  ["books?include=authorId,authorId", "include"],
  ["books?include=authorId&include=authorId", "include"],
  ["books?include[]=authorId", "include[]"],
  ["books?include=authorId&fields=id", "include"],
  ["books/b1?include=authorId&fields=id", "include"],
  ["books?fields[authorId]=id", "fields[authorId]"],
  ["books?include=authorId&fields[authorId]=nope", "fields[authorId]"],
  ["books?include=authorId&fields[editorId]=id", "fields[editorId]"],
  ["books/views/shelf?include=authorId", "include"],
  ["books/views/shelf?include=editorId&fields=id", "include"],
  ["authors?include=id", "include"],
  ["authors/ada?include=id", "include"],
  ["books/b1?starting_after=x", "starting_after"],
];

for (const version of ["v1", "v2"] as const) {
  Deno.test(`what cannot be included is refused with its parameter, ${version}`, () =>
    withShop(async (api) => {
      for (const [path, parameter] of REFUSED) {
        const answer = await api.ask(path, as("admin"));
        assertEquals(refusal(answer), [400, "VALIDATION_INVALID_INPUT", parameter], path);
      }
    }, { version }));
}

Deno.test("unknown bare fields are ignored in v1 and refused in v2, wherever they are read", () =>
  withShop(async (api) => {
    for (const path of ["books", "books/b1", "books/views/shelf"]) {
      assertEquals((await api.ask(`${path}?fields=id,nope`, as("admin"))).status, 200, path);
    }
    assertEquals((await api.ask("books/b1?fields=id,nope", as("admin"))).body, { id: "b1" });
    const all = await api.ask("books/b1?fields=nope", as("admin"));
    assertEquals(all.text, (await api.ask("books/b1", as("admin"))).text);
  }).then(() =>
    withShop(async (api) => {
      for (const path of ["books", "books/b1", "books/views/shelf"]) {
        const answer = await api.ask(`${path}?fields=id,nope`, as("admin"));
        assertEquals(refusal(answer), [400, "VALIDATION_INVALID_INPUT", "fields"], path);
      }
    }, { version: "v2" })
  ));

Deno.test("a view's numbers run over every matching row, not only the page's", () =>
  withShop(async (api) => {
    const ask = async (query: string) =>
      (await api.ask(`books/views/shelf?${query}`, as("admin"))).body["aggregations"];
    const all = {
      books: 5,
      counted: 3,
      pages: 50,
      mean: 50 / 3,
      cheapest: 0.1,
      latest: AT,
    };
    assertEquals(await ask(""), all);
    assertEquals(await ask("limit=1&offset=3&fields=id"), all);
    const ten = { books: 2, counted: 2, pages: 20, mean: 10, cheapest: 2.5, latest: null };
    assertEquals(await ask("pages=10"), ten);
    const none = { books: 0, counted: 0, pages: null, mean: null, cheapest: null, latest: null };
    assertEquals(await ask("pages=11"), none);
    assertEquals("aggregations" in (await api.ask("books", as("admin"))).body, false);
  }));

Deno.test("a sum of whole numbers is exact beyond 64 bits", () =>
  withShop(async (api) => {
    const most = Number.MAX_SAFE_INTEGER;
    await insertRows(api.database, api.project, {
      books: Array.from({ length: 1200 }, (_, at) => row(`h${at}`, { title: "H", pages: most })),
    });
    const { text } = await api.ask(`books/views/shelf?pages=${most}&limit=1`, as("admin"));
    assert(text.includes(`"pages":${BigInt(most) * 1200n},`), text);
    assert(text.includes(`"mean":${most},`), text);
  }));

Deno.test("a view's include goes by its own list", () =>
  withShop(async (api) => {
    const { body } = await api.ask(
      "books/views/shelf?include=editorId&fields[editorId]=name&limit=3",
      as("admin"),
    );
    assertEquals([body["view"], body["included"]], ["shelf", {
      editorId: { bob: { name: "Bob" } },
    }]);
  }));

Deno.test("the bare list is its default view, cursors included", () =>
  withShop(async (api) => {
    const path = "stickers?organizationId=org_1&limit=2";
    const first = await api.ask(path);
    assertEquals([first.body["view"], first.body["data"]], [
      "labels",
      [{ id: "z", label: "z" }, { id: "y", label: "y" }],
    ]);
    const next = cursor(first, "nextCursor");
    const list = await api.ask(`${path}&starting_after=${next}`);
    const view = await api.ask(
      `stickers/views/labels?organizationId=org_1&limit=2&starting_after=${next}`,
    );
    assertEquals([ids(list), ids(view)], [["x"], ["x"]]);
    const elsewhere = await api.ask(`stickers?organizationId=org_2&starting_after=${next}`);
    assertEquals(refusal(elsewhere), [400, "VALIDATION_INVALID_INPUT", "starting_after"]);
    assertEquals(refusal(await api.ask("stickers?organizationId=org_1&weight=1")), [
      400,
      "VALIDATION_INVALID_INPUT",
      "weight",
    ]);
  }));
