/** Columns that hold vectors (contract 2.2, 4.1, 4.3): written as lists of numbers, answered where `fields` asks, compared by `near`. */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { type Answer, type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const member: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };
const admin: Claims = { sub: "user_2", orgId: "org_1", roles: ["member", "admin"] };
const foreign: Claims = { sub: "user_3", orgId: "org_2", roles: ["member"] };

interface Parts {
  readonly columns?: string;
  readonly options?: string;
  readonly config?: string;
}

function filesWith(
  { columns = "place: q.vector({ dimensions: 2 })", options = "", config = "" }: Parts,
): Readonly<Record<string, string>> {
  return {
    "quickback/quickback.config.ts": `export default { name: "vectors", ${config} };\n`,
    "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { organizationId: q.scope("organization"), title: q.text(), level: q.int(), ${columns} },
  guards: { createable: ["title", "level", "place"], updatable: ["title", "level", "place"] },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] } },
  ${
      options ||
      'read: { access: { or: [{ roles: ["admin"] }, { roles: ["member"], record: { level: { lessThan: 3 } } }] } },'
    }
});
`,
  };
}

async function make(
  api: ApiUnderTest,
  title: string,
  place: readonly number[] | null,
  { as = member, level = 1 }: { readonly as?: Claims; readonly level?: number } = {},
): Promise<string> {
  const made = await api.ask("notes", { as, body: { title, level, place } });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  return String(made.body["id"]);
}

/** Distances of 32-bit floats are exact to some six digits. */
function assertNear(found: Found | undefined, expected: number): void {
  const { _distance: distance = NaN } = found ?? {};
  assertEquals(Math.abs(distance - expected) < 1e-4, true, `${distance} is not near ${expected}`);
}

interface Found {
  readonly title: string;
  readonly _distance: number;
}

const records = ({ body }: Answer) => (Array.isArray(body["data"]) ? body["data"] : []) as Found[];

const titles = (page: Answer) => records(page).map(({ title }) => title);

const pagination = ({ body }: Answer) => Object(body["pagination"]);

Deno.test("a vector is in a record where fields asks for it, as it was written", async () => {
  await withDefinitions(filesWith({}), async (api) => {
    const made = await api.ask("notes", {
      as: member,
      body: { title: "a", level: 1, place: [0.1, -123.456789] },
    });
    assertEquals([made.status, "place" in made.body], [201, false]);
    const { id } = made.body;
    const read = await api.ask(`notes/${id}?fields=id,place`, { as: member });
    assertEquals(read.body, { id, place: [0.1, -123.45679] });
    const list = await api.ask("notes?fields=place", { as: member });
    assertEquals(list.body["data"], [{ place: [0.1, -123.45679] }]);
    const plain = await api.ask("notes", { as: member });
    assertEquals(records(plain).map((record) => "place" in record), [false]);
    const cleared = await api.ask(`notes/${id}`, {
      as: member,
      method: "PATCH",
      body: { place: null },
    });
    assertEquals(cleared.status, 200);
    const after = await api.ask(`notes/${id}?fields=place`, { as: member });
    assertEquals(after.body, { place: null });
  });
});

Deno.test("near answers the nearest records first, of the caller's own organization and rows alone", async () => {
  await withDefinitions(filesWith({}), async (api) => {
    await make(api, "east", [1, 0]);
    await make(api, "north", [0, 2]);
    await make(api, "north-east", [1, 1]);
    await make(api, "nowhere", null);
    await make(api, "hidden by its level", [1, 0.001], { as: admin, level: 5 });
    await make(api, "another tenant's", [1, 0], { as: foreign });
    const gone = await make(api, "deleted", [1, 0]);
    await api.ask(`notes/${gone}`, { as: member, method: "DELETE" });
    const near = await api.ask("notes?near=[1,0]", { as: member });
    assertEquals(titles(near), ["east", "north-east", "north"]);
    for (const [at, distance] of [0, 1 - Math.SQRT1_2, 1].entries()) {
      assertNear(records(near)[at], distance);
    }
    assertEquals(pagination(near).nextCursor, null);
    const top = await api.ask("notes?near=[1,0]&limit=2&total=true&fields=title", { as: member });
    assertEquals(titles(top), ["east", "north-east"]);
    assertEquals(Object.keys(records(top)[0] ?? {}), ["title", "_distance"]);
    const { hasMore, nextCursor, total } = pagination(top);
    assertEquals([hasMore, nextCursor, total], [true, null, 3]);
    const filtered = await api.ask("notes?near=[1,0]&title.like=north&limit=1", { as: member });
    assertEquals(titles(filtered), ["north-east"]);
    assertEquals(titles(await api.ask("notes?near=[1,0]", { as: foreign })), ["another tenant's"]);
    assertEquals(titles(await api.ask("notes?near=[1,0]&limit=2", { as: admin })), [
      "east",
      "hidden by its level",
    ]);
  });
});

Deno.test("near measures the straight line where the definition says so", async () => {
  const columns = 'place: q.vector({ dimensions: 2, metric: "euclidean" })';
  await withDefinitions(filesWith({ columns }), async (api) => {
    await make(api, "far on the line", [30, 40]);
    await make(api, "origin", [0, 0]);
    const near = await api.ask("notes?near=[0,0]", { as: member });
    assertEquals(titles(near), ["origin", "far on the line"]);
    assertNear(records(near)[1], 50);
  });
});

Deno.test("what is no vector of the column is 400, written or asked, and nothing is stored", async () => {
  await withDefinitions(filesWith({}), async (api) => {
    for (
      const place of [[1], [1, 2, 3], [1, "2"], [1, null], ["a"], "[1,2]", { 0: 1 }, [0, 0], [
        1e39,
        1,
      ], []]
    ) {
      const { status, body } = await api.ask("notes", { as: member, body: { title: "x", place } });
      assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"], JSON.stringify(place));
    }
    assertEquals((await api.ask("notes", { as: member })).body["data"], []);
    for (
      const query of [
        "near=",
        "near=[1]",
        "near=[0,0]",
        "near=[1,null]",
        "near=[1e7,0]",
        'near="a"',
        "near=[1,2",
        "near=[1,0]&near=[1,0]",
        "near=[1,0]&sort=title",
        "near=[1,0]&order=asc",
        "near=[1,0]&offset=1",
        "near=[1,0]&starting_after=x",
        "near.text=words",
        "near.place=[1,0]",
        "place=[1,0]",
        "place.null=true",
        "sort=place",
        `near=[1,${"0".repeat(100)}]`,
      ]
    ) {
      const { status, body } = await api.ask(`notes?${query}`, { as: member });
      assertEquals([status, body["code"]], [400, "VALIDATION_INVALID_INPUT"], query);
    }
  });
});

Deno.test("a masked vector is neither shown nor compared by for whoever may not see it", async () => {
  const options = `read: { access: { roles: ["member"] } },
    masking: { place: { type: "redact", show: { roles: ["admin"] } } },`;
  await withDefinitions(filesWith({ options }), async (api) => {
    await make(api, "a", [1, 0]);
    const refused = await api.ask("notes?near=[1,0]", { as: member });
    assertEquals([refused.status, refused.body["code"]], [400, "VALIDATION_INVALID_INPUT"]);
    const shown = await api.ask("notes?fields=place", { as: member });
    assertEquals(shown.body["data"], [{ place: "[REDACTED]" }]);
    assertEquals(titles(await api.ask("notes?near=[1,0]", { as: admin })), ["a"]);
  });
});

Deno.test("a vector is a compile error wherever it cannot be", () => {
  const cases: readonly (readonly [Parts, string])[] = [
    [{ columns: "place: q.vector({ dimensions: 0 })" }, "VALUE_INVALID"],
    [{ columns: "place: q.vector({ dimensions: 5000 })" }, "VALUE_INVALID"],
    [{ columns: "place: q.vector({})" }, "KEY_MISSING"],
    [{ columns: 'place: q.vector({ dimensions: 2, metric: "dot" })' }, "VALUE_UNKNOWN"],
    [{ columns: "place: q.vector({ dimensions: 2 }).unique()" }, "MODIFIER_MISPLACED"],
    [{ columns: "place: q.vector({ dimensions: 2 }).filterable()" }, "MODIFIER_MISPLACED"],
    [{ columns: "place: q.vector({ dimensions: 2 }).required()" }, "MODIFIER_MISPLACED"],
    [{
      columns: "place: q.vector({ dimensions: 2 }), other: q.vector({ dimensions: 2 })",
    }, "VECTOR_TWICE"],
    [{
      options:
        'read: { access: { roles: ["member"] }, views: { short: { fields: ["id", "place"] } } },',
    }, "VECTOR_MISPLACED"],
    [{
      options: 'read: { access: { roles: ["member"] } }, indexes: [{ columns: ["place"] }],',
    }, "VECTOR_MISPLACED"],
    [{
      options: 'read: { access: { roles: ["member"] } }, defaultSort: "place",',
    }, "COLUMN_NOT_COMPARABLE"],
    [{
      config:
        'providers: { runtime: { name: "cloudflare", config: {} }, database: { name: "cloudflare-d1", config: {} } }',
    }, "VECTOR_PLATFORM"],
  ];
  for (const [parts, code] of cases) {
    const validation = validate(filesWith(parts));
    const errors = validation.ok ? [] : validation.errors.map((error) => error.code);
    assertEquals(errors, [code], JSON.stringify(parts));
  }
});
