/** Columns that hold lists of scalars (contract 2.2, 4.1, 4.3): items by their type, whole writes, no filter and no sort. */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { type Claims, withDefinitions } from "../support/api.ts";

const member: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };

function filesWith(columns: string): Readonly<Record<string, string>> {
  return {
    "quickback/quickback.config.ts": 'export default { name: "lists" };\n',
    "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: false,
  masking: { hidden: { type: "redact", show: { roles: ["admin"] } } },
  read: {
    access: { roles: ["member"] },
    views: { short: { fields: ["id", "lines"] } },
  },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
});
`,
  };
}

const COLUMNS = `
  lines: q.list(q.text({ maxLength: 5 }), { maxItems: 3 }),
  counts: q.list(q.int({ min: 0 })).required().default([1, 2]),
  flags: q.list(q.bool()), times: q.list(q.timestamp()),
  hidden: q.list(q.enum(["a", "b"]))
`;

Deno.test("a list is written whole and answered as it is, its items in their own form", async () => {
  await withDefinitions(filesWith(COLUMNS), async (api) => {
    const times = ["2026-01-02T03:04:05+01:00"];
    const made = await api.ask("orders", {
      as: member,
      body: { lines: ["a", "", "üüüüü"], flags: [true, false], times, hidden: ["b"] },
    });
    const { id, lines, counts, flags, times: stored, hidden } = made.body;
    assertEquals([made.status, lines, counts, flags, stored, hidden], [
      201,
      ["a", "", "üüüüü"],
      [1, 2],
      [true, false],
      ["2026-01-02T02:04:05.000Z"],
      "[REDACTED]",
    ]);
    const patch = async (body: object, type: string) =>
      (await api.ask(`orders/${id}`, {
        as: member,
        method: "PATCH",
        body,
        headers: { "content-type": type },
      })).body;
    assertEquals((await patch({ lines: ["z"] }, "application/merge-patch+json"))["lines"], ["z"]);
    assertEquals((await patch({ lines: [] }, "application/json"))["lines"], []);
    assertEquals((await patch({ lines: null }, "application/merge-patch+json"))["lines"], null);
  });
});

Deno.test("a wrong item is 400 at its place, and nothing is stored", async () => {
  await withDefinitions(filesWith(COLUMNS), async (api) => {
    const cases: readonly (readonly [object, string])[] = [
      [{ lines: ["a", 1] }, "/lines/1"],
      [{ lines: ["a", null] }, "/lines/1"],
      [{ lines: ["toolong"] }, "/lines/0"],
      [{ lines: ["a", "b", "c", "d"] }, "/lines"],
      [{ lines: "a" }, "/lines"],
      [{ lines: { 0: "a" } }, "/lines"],
      [{ counts: [-1] }, "/counts/0"],
      [{ counts: null }, "/counts"],
      [{ times: ["2026-01-02"] }, "/times/0"],
      [{ hidden: ["c"] }, "/hidden/0"],
    ];
    for (const [body, pointer] of cases) {
      const { status, body: problem } = await api.ask("orders", { as: member, body });
      assertEquals([status, problem["code"], problem["pointer"]], [
        400,
        "VALIDATION_ERROR",
        pointer,
      ]);
    }
    assertEquals((await api.ask("orders", { as: member })).body["data"], []);
  });
});

Deno.test("a list is asked only whether it is set", async () => {
  await withDefinitions(filesWith(COLUMNS), async (api) => {
    await api.ask("orders", { as: member, body: { lines: ["a"] } });
    const found = async (query: string) => {
      const { status, body: { data } } = await api.ask(`orders?${query}`, { as: member });
      return Array.isArray(data) ? data.length : status;
    };
    assertEquals(await found("lines.null=false"), 1);
    assertEquals(await found("flags.null=true"), 1);
    const refused = [
      "lines=a",
      "lines.in=a",
      "lines.like=a",
      "sort=lines",
      `where=${encodeURIComponent('{"lines":"a"}')}`,
    ];
    for (const query of refused) assertEquals(await found(query), 400, query);
    assertEquals((await api.ask("orders/views/short", { as: member })).status, 200);
  });
});

Deno.test("a list of what is no scalar, or of modified columns, is a compile error", () => {
  const codes = (column: string) => {
    const validation = validate(filesWith(`${COLUMNS}, one: ${column}`));
    return validation.ok ? [] : validation.errors.map(({ code }) => code);
  };
  assertEquals(codes("q.list(q.email())"), []);
  for (
    const column of [
      "q.list()",
      "q.list(q.json())",
      "q.list(q.list(q.text()))",
      "q.list(q.text().required())",
      'q.list("text")',
      "q.list(q.text(), 3)",
      "q.list(q.text(), { maxItems: 0 })",
      "q.list(q.id())",
      "q.list(q.int()).default([1.5])",
      "q.list(q.text()).searchable()",
    ]
  ) assertEquals(codes(column).length, 1, column);
});
