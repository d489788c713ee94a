/** `POST {apiBase}/changeset`: several writes in one transaction, each through every layer of its own route (definitions 7). */
import { assertEquals, assertMatch } from "@std/assert";
import { memoryRateLimiter } from "../../library/platform/mod.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Ask,
  isRecord,
  START,
  withDefinitions,
} from "../support/api.ts";
import { DRIVERS } from "../support/databases.ts";

const lead = { sub: "user_1", orgId: "org_1", roles: ["lead"] };
const member = { sub: "user_2", orgId: "org_1", roles: ["member"] };
const stranger = { sub: "user_3", orgId: "org_2", roles: ["lead"] };

const config = (rest: string) => `export default { name: "plans", ${rest} };\n`;

const FILES = {
  "quickback/quickback.config.ts": config("contract: { changeset: true }"),
  "quickback/features/plan-boards/planBoards.ts": `import { feature, q } from "quickback";
export default feature("planBoards", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required().unique(),
    ownerPhone: q.text(),
    revision: q.revision(),
  },
  guards: { createable: ["name", "ownerPhone"], updatable: ["name"] },
  masking: { ownerPhone: { type: "redact", show: { roles: ["boss"] } } },
  read: { access: { roles: ["lead", "member"] } },
  create: { access: { roles: ["lead"] } },
  update: { access: { roles: ["lead"] } },
});
`,
  "quickback/features/cards/cards.ts": `import { feature, q } from "quickback";
import planBoards from "../plan-boards/planBoards.ts";
export default feature("cards", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    boardId: q.text().required().references(() => planBoards.id),
    title: q.text({ maxLength: 20 }).required(),
    extra: q.json(),
  },
  guards: { createable: ["boardId", "title", "extra"], updatable: ["title", "boardId"] },
  read: { access: { roles: ["lead", "member"] } },
  create: { access: { roles: ["lead", "member"] } },
  update: { access: { or: [{ roles: ["lead"] }, { record: { createdBy: { equals: "$ctx.userId" } } }] } },
  delete: { access: { roles: ["lead"] }, mode: "hard" },
});
`,
};

const withPlans = (
  body: (api: ApiUnderTest) => Promise<void>,
  options: Parameters<typeof withDefinitions>[2] = {},
) => withDefinitions(FILES, body, options);

function change(
  api: ApiUnderTest,
  operations: unknown,
  rest: Partial<Ask> = {},
): Promise<Answer> {
  return api.ask("changeset", { as: lead, method: "POST", body: { operations }, ...rest });
}

function results({ body, status, text }: Answer): readonly Readonly<Record<string, unknown>>[] {
  assertEquals(status, 200, text);
  return Array.isArray(body["results"]) ? body["results"].filter(isRecord) : [];
}

async function titles(api: ApiUnderTest): Promise<readonly unknown[]> {
  const { rows } = await api.database.run({
    sql: "SELECT title FROM cards ORDER BY title",
    args: [],
  });
  return rows.map(([title]) => title);
}

const board = (name: string, as = "board") => ({
  op: "create",
  resource: "planBoards",
  as,
  data: { name },
});
const card = (title: string, boardId: unknown = { $ref: "board.id" }) => ({
  op: "create",
  resource: "cards",
  data: { title, boardId },
});

for (const driver of DRIVERS) {
  Deno.test(`writes of several resources stand or fall together, on the ${driver.name} database`, () =>
    withPlans(async (api) => {
      const done = results(
        await change(api, [
          board("A"),
          { ...card("one"), as: "card" },
          {
            op: "update",
            resource: "cards",
            id: { $ref: "card.id" },
            data: { title: { $ref: "board.name" } },
          },
          { op: "update", resource: "plan-boards", id: { $ref: "board.id" }, data: { name: "B" } },
          card("two"),
          { op: "delete", resource: "cards", id: { $ref: "card.id" } },
        ]),
      );
      assertEquals(
        done.map(({ name, title, revision, success }) => name ?? title ?? [revision, success]),
        [
          "A",
          "one",
          "A",
          "B",
          "two",
          [undefined, true],
        ],
      );
      assertEquals(done[3]?.["revision"], 2);
      assertEquals(await titles(api), ["two"]);

      const failed = await change(api, [card("three", done[0]?.["id"]), board("B"), card("four")]);
      assertEquals([failed.status, failed.body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
      assertEquals(failed.body["details"], { column: "name", failedAt: 1 });
      assertEquals(failed.body["pointer"], "/operations/1/data/name");
      assertEquals(await titles(api), ["two"]);
    }, { driver }));
}

interface Refused {
  readonly what: string;
  readonly operations: unknown;
  readonly as?: typeof lead;
  readonly status: number;
  readonly code: string;
  readonly failedAt?: number;
  readonly pointer?: string;
}

const MISSING = "card_00000000000000000000000000000000";

const REFUSED: readonly Refused[] = [
  {
    what: "no list",
    operations: {},
    status: 400,
    code: "VALIDATION_ERROR",
    pointer: "/operations",
  },
  {
    what: "an empty list",
    operations: [],
    status: 400,
    code: "VALIDATION_ERROR",
    pointer: "/operations",
  },
  {
    what: "too many operations",
    operations: Array.from({ length: 101 }, () => board("A")),
    status: 400,
    code: "BATCH_SIZE_EXCEEDED",
  },
  {
    what: "an operation that is none",
    operations: [board("A"), "delete"],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 1,
    pointer: "/operations/1",
  },
  {
    what: "an unknown op",
    operations: [{ op: "upsert", resource: "cards", id: "x", data: {} }],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/op",
  },
  {
    what: "an unknown resource",
    operations: [{ op: "create", resource: "constructor", data: {} }],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/resource",
  },
  {
    what: "an op that the resource has not",
    operations: [{ op: "delete", resource: "planBoards", id: "x" }],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/op",
  },
  {
    what: "an unknown member",
    operations: [{ ...board("A"), id: "x" }],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/id",
  },
  {
    what: "an update without an id",
    operations: [{ op: "update", resource: "cards", data: {} }],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/id",
  },
  {
    what: "a create without data",
    operations: [{ op: "create", resource: "cards" }],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/data",
  },
  {
    what: "a name twice",
    operations: [board("A"), board("B")],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 1,
    pointer: "/operations/1/as",
  },
  {
    what: "a reference to nothing",
    operations: [board("A"), card("x", { $ref: "card.id" })],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 1,
    pointer: "/operations/1/data/boardId",
  },
  {
    what: "a reference forward",
    operations: [card("x"), board("A")],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/data/boardId",
  },
  {
    what: "a reference to itself",
    operations: [{ ...card("x", { $ref: "card.id" }), as: "card" }],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 0,
    pointer: "/operations/0/data/boardId",
  },
  {
    what: "a reference to a member that the result has not",
    operations: [board("A"), card("x", { $ref: "board.toString" })],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 1,
    pointer: "/operations/1/data/boardId",
  },
  {
    what: "a reference without a member",
    operations: [board("A"), card("x", { $ref: "board" })],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 1,
    pointer: "/operations/1/data/boardId",
  },
  {
    what: "a field that its guards refuse",
    operations: [board("A"), {
      ...card("x"),
      data: { title: "x", boardId: { $ref: "board.id" }, nope: 1 },
    }],
    status: 400,
    code: "GUARD_FIELD_NOT_CREATEABLE",
    failedAt: 1,
    pointer: "/operations/1/data/nope",
  },
  {
    what: "a value that its schema refuses",
    operations: [board("A"), card("x".repeat(21))],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 1,
    pointer: "/operations/1/data/title",
  },
  {
    what: "a foreign key that nobody can see",
    operations: [board("A"), card("x", "planBoard_1")],
    status: 400,
    code: "VALIDATION_ERROR",
    failedAt: 1,
    pointer: "/operations/1/data/boardId",
  },
  {
    what: "a missing record",
    operations: [board("A"), { op: "delete", resource: "cards", id: MISSING }],
    status: 403,
    code: "FIREWALL_NOT_FOUND",
    failedAt: 1,
  },
  {
    what: "a role that the second operation asks for",
    operations: [board("A")],
    as: member,
    status: 403,
    code: "ACCESS_ROLE_REQUIRED",
    failedAt: 0,
  },
];

for (const { what, operations, as = lead, status, code, failedAt, pointer } of REFUSED) {
  Deno.test(`a changeset with ${what} is refused whole: ${code}`, () =>
    withPlans(async (api) => {
      const answer = await change(api, operations, { as });
      assertEquals([answer.status, answer.body["code"]], [status, code], answer.text);
      const { details } = answer.body;
      assertEquals(isRecord(details) ? details["failedAt"] : undefined, failedAt);
      if (pointer !== undefined) assertEquals(answer.body["pointer"], pointer);
      const { body } = await api.ask("plan-boards?total=true", { as: lead });
      assertEquals(isRecord(body["pagination"]) ? body["pagination"]["total"] : null, 0);
    }));
}

Deno.test("another tenant's record, a row that the rule refuses and a masked value stay what they are", () =>
  withPlans(async (api) => {
    const [one] = results(
      await change(api, [{ ...board("A"), data: { name: "A", ownerPhone: "+1 555 0100" } }]),
    );
    const [mine] = results(await change(api, [card("mine", one?.["id"])]));
    const id = mine?.["id"];
    const steal = await change(
      api,
      [{ op: "update", resource: "cards", id, data: { title: "x" } }],
      { as: stranger },
    );
    assertEquals(steal.body["code"], "FIREWALL_NOT_FOUND");
    const edit = await change(
      api,
      [{ op: "update", resource: "cards", id, data: { title: "x" } }],
      { as: member },
    );
    assertEquals(edit.body["code"], "ACCESS_OWNERSHIP_REQUIRED");
    // A member of a result is what its caller saw of it.
    const taken = results(
      await change(api, [
        { ...board("B"), data: { name: "B", ownerPhone: "+1 555 0199" } },
        {
          op: "create",
          resource: "cards",
          data: { boardId: { $ref: "board.id" }, title: { $ref: "board.ownerPhone" } },
        },
      ]),
    );
    assertEquals(taken[1]?.["title"], "[REDACTED]");
  }));

Deno.test("an object that holds more than $ref is a value, and so is one inside a value", () =>
  withPlans(async (api) => {
    const extra = { $ref: "board.id", more: 1, inner: { $ref: "x.y" } };
    const done = results(
      await change(api, [board("A"), { ...card("x"), data: { ...card("x").data, extra } }]),
    );
    assertEquals(done[1]?.["extra"], extra);
  }));

Deno.test("conditions, parameters, strangers and other verbs are refused at the door", () =>
  withPlans(async (api) => {
    const operations = [board("A")];
    const rows: readonly (readonly [string, Ask, status: number, code: string])[] = [
      [
        "changeset",
        { as: lead, body: { operations }, headers: { "if-match": "*" } },
        428,
        "PRECONDITION_UNSUPPORTED",
      ],
      ["changeset?dry=1", { as: lead, body: { operations } }, 400, "VALIDATION_INVALID_INPUT"],
      ["changeset", { body: { operations } }, 401, "AUTH_MISSING"],
      ["changeset", { as: lead, body: { operations, more: 1 } }, 400, "VALIDATION_ERROR"],
      ["changeset", { as: lead, body: "[" }, 400, "INVALID_JSON"],
      ["changeset", { as: lead, body: `"${"x".repeat(1024 * 1024)}"` }, 413, "PAYLOAD_TOO_LARGE"],
      ["changeset", { as: lead }, 405, "METHOD_NOT_ALLOWED"],
    ];
    for (const [path, ask, status, code] of rows) {
      const answer = await api.ask(path, ask);
      assertEquals([answer.status, answer.body["code"]], [status, code], answer.text);
    }
  }));

Deno.test("each operation costs its own rate token", async () => {
  let now = START;
  const files = {
    ...FILES,
    "quickback/quickback.config.ts": config(
      "contract: { changeset: true }, rateLimit: { create: { limit: 3, period: 60 } }",
    ),
  };
  await withDefinitions(files, async (api) => {
    results(await change(api, [board("A"), card("one"), card("two"), card("three")]));
    const exhausted = await change(api, [board("B"), card("four")]);
    assertEquals([exhausted.status, exhausted.body["code"]], [429, "RATE_LIMITED"]);
    assertEquals(await titles(api), ["one", "three", "two"]);
    now += 61_000;
    results(await change(api, [board("C")]));
  }, { limiter: memoryRateLimiter({ clock: { now: () => now } }) });
});

Deno.test("a keyed changeset is applied once, and its repetition asks for the roles again", () =>
  withPlans(async (api) => {
    const headers = { "idempotency-key": "a" };
    const operations = [board("A"), card("one")];
    const first = await change(api, operations, { headers });
    results(first);
    assertEquals((await change(api, operations, { headers })).text, first.text);
    assertEquals(await titles(api), ["one"]);
    const demoted = await change(api, operations, { headers, as: { ...lead, roles: ["member"] } });
    assertEquals([demoted.status, demoted.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    const other = await change(api, [card("two")], { headers });
    assertEquals(other.status, 422);
    const refused = { headers: { "idempotency-key": "b" } };
    const failed = await change(api, [board("C"), board("A", "again")], refused);
    assertEquals(failed.status, 409);
    assertEquals((await change(api, [board("C"), board("A", "again")], refused)).text, failed.text);
    assertMatch(failed.text, /"failedAt":1/);
  }));

Deno.test("without contract.changeset there is no such route", () =>
  withDefinitions({ ...FILES, "quickback/quickback.config.ts": config("") }, async (api) => {
    const { status, body } = await change(api, [board("A")]);
    assertEquals([status, body["code"]], [404, "ROUTE_NOT_FOUND"]);
  }));
