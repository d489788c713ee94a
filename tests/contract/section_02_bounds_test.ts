/** What a write may say in bounded columns and in addresses (contract 2.2, 7.2): both ends, and what is stored already. */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";

const member: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };

function filesWith(columns: string): Readonly<Record<string, string>> {
  return {
    "quickback/quickback.config.ts": 'export default { name: "bounds" };\n',
    "quickback/features/offers/offers.ts": `import { feature, q } from "quickback";
export default feature("offers", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: false,
  masking: { email: { type: "email", show: { roles: ["admin"] } } },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
});
`,
  };
}

const COLUMNS = `
  email: q.email(), contact: q.email().unique(),
  stars: q.int({ min: 1, max: 5 }), depth: q.int({ max: -1 }), rate: q.real({ min: 0.5 }),
  day: q.date({ min: "2026-01-01", max: "2026-12-31" })
`;

async function statusOf(api: ApiUnderTest, body: unknown): Promise<unknown> {
  const answer = await api.ask("offers", { as: member, body });
  if (answer.status === 201) return 201;
  const { code, pointer, details } = answer.body;
  const fields = isRecord(details) && isRecord(details["fields"]) ? details["fields"] : {};
  return [answer.status, code, pointer, ...Object.values(fields)];
}

Deno.test("a value beyond its bounds is 400 with its place, and both ends are within", async () => {
  await withDefinitions(filesWith(COLUMNS), async (api) => {
    for (
      const body of [
        { stars: 1, depth: -1, rate: 0.5, day: "2026-01-01" },
        { stars: 5, depth: -9, rate: 1e9, day: "2026-12-31" },
        { stars: null, day: null },
        {},
      ]
    ) assertEquals(await statusOf(api, body), 201, JSON.stringify(body));
    const refused = (
      name: string,
      message: string,
    ) => [400, "VALIDATION_ERROR", `/${name}`, message];
    const cases: readonly (readonly [object, readonly unknown[]])[] = [
      [{ stars: 0 }, refused("stars", "Must be a whole number from 1 to 5")],
      [{ stars: 6 }, refused("stars", "Must be a whole number from 1 to 5")],
      [{ stars: 1.5 }, refused("stars", "Must be a whole number within 53 bits")],
      [{ depth: 0 }, refused("depth", "Must be a whole number to -1")],
      [{ rate: 0.4 }, refused("rate", "Must be a number from 0.5")],
      [
        { day: "2025-12-31" },
        refused("day", "Must be an ISO 8601 date from 2026-01-01 to 2026-12-31"),
      ],
      [
        { day: "2027-01-01" },
        refused("day", "Must be an ISO 8601 date from 2026-01-01 to 2026-12-31"),
      ],
    ];
    for (const [body, said] of cases) assertEquals(await statusOf(api, body), said);
    const { body } = await api.ask("offers?total=true", { as: member });
    assertEquals(isRecord(body["pagination"]) && body["pagination"]["total"], 4);
  });
});

Deno.test("bounds judge writes of their column: what was stored before stays and is read", async () => {
  await withDefinitions(filesWith(COLUMNS), async (api) => {
    const { body } = await api.ask("offers", { as: member, body: { stars: 3 } });
    const sql = "UPDATE offers SET stars = 9";
    await api.database.write((transaction) => transaction.run({ sql, args: [] }));
    const path = `offers/${body["id"]}`;
    const changed = await api.ask(path, { as: member, method: "PATCH", body: { rate: 1 } });
    assertEquals([changed.status, changed.body["stars"]], [200, 9]);
    assertEquals((await api.ask("offers?stars=9", { as: member })).status, 200);
  });
});

Deno.test("an address is one by HTML's rule, keeps its case and is masked by its name alone", async () => {
  await withDefinitions(filesWith(COLUMNS), async (api) => {
    const length = (local: number) => `${"a".repeat(local)}@${"b".repeat(60)}.example.com`;
    for (const contact of ["Jane.Doe+x@Example.com", "a@b", "o'hara@x.y.z", length(181)]) {
      const { status, body } = await api.ask("offers", { as: member, body: { contact } });
      assertEquals([status, body["contact"]], [201, contact]);
    }
    const wrong = [
      "jane",
      "@x.com",
      "jane@",
      "a b@c.d",
      "a@-b.c",
      "a@b..c",
      "a@b.c\n",
      length(182),
      "",
    ];
    for (const contact of wrong) {
      const [status, code, pointer] = [await statusOf(api, { contact })].flat();
      assertEquals([status, code, pointer], [400, "VALIDATION_ERROR", "/contact"], contact);
    }
    const masked = await api.ask("offers", { as: member, body: { email: "jane@example.com" } });
    assertEquals(masked.body["email"], "j***@e***.com");
    assertEquals((await api.ask("offers?contact.like=HARA", { as: member })).status, 200);
  });
});

Deno.test("bounds that fit no value are compile errors", () => {
  const codes = (column: string) => {
    const validation = validate(filesWith(`email: q.email(), one: ${column}`));
    return validation.ok ? [] : validation.errors.map(({ code }) => code);
  };
  assertEquals(codes("q.int({ min: 1, max: 1 })"), []);
  for (
    const column of [
      "q.int({ min: 2, max: 1 })",
      "q.int({ min: 1.5 })",
      "q.int({ max: 'x' })",
      'q.date({ min: "2026-02-30" })',
      'q.date({ min: "2026-02-02", max: "2026-02-01" })',
      "q.int({ min: 3 }).default(2)",
    ]
  ) assertEquals(codes(column).length, 1, column);
  assertEquals(codes("q.int({ least: 1 })"), ["UNKNOWN_KEY"]);
});
