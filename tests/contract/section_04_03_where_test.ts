/** Contract 4.3, `where`: conditions on own columns and on those of related resources, behind their firewalls, roles and masks. */
import { assertEquals } from "@std/assert";
import { type Answer, type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const LEA: Claims = { ...ANN, sub: "lea", roles: ["member", "lead"] };
const GUS: Claims = { ...ANN, sub: "gus", roles: ["guest"] };
const EVE: Claims = { ...ANN, sub: "eve", orgId: "org_b" };

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/customers/customers.ts": `import { feature, q } from "quickback";
export default feature("customers", {
  columns: {
    organizationId: q.scope("organization"),
    name: q.text().required(),
    plan: q.enum(["free", "team"]),
    iban: q.text(),
  },
  masking: { iban: { type: "redact", show: { roles: ["lead"] } } },
  guards: false,
  read: {
    access: { or: [{ roles: ["lead"] }, { roles: ["member"], record: { name: { notEquals: "Secret" } } }] },
    include: ["tickets.customerId"],
  },
  create: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] } },
});
`,
  "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
import customers from "../customers/customers";
export default feature("tickets", {
  columns: {
    organizationId: q.scope("organization"),
    subject: q.text().required(),
    status: q.enum(["open", "closed"]).filterable("eq", "ne"),
    priority: q.int(),
    urgent: q.bool(),
    dueAt: q.timestamp(),
    extra: q.json(),
    customerId: q.text().references(() => customers.id),
  },
  guards: false,
  read: {
    access: { roles: ["member", "guest"] },
    views: {
      plain: { fields: ["id", "subject", "customerId"] },
      full: { fields: ["id", "subject", "customerId"], include: ["customerId"] },
    },
  },
  create: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] } },
});
`,
};

/** Subjects in order, or the code of the refusal. */
async function found(
  api: ApiUnderTest,
  where: unknown,
  as = ANN,
  path = "tickets",
): Promise<unknown> {
  const text = typeof where === "string" ? where : JSON.stringify(where);
  const query = new URLSearchParams({ where: text, sort: "subject" });
  const { body: { data, code } } = await api.ask(`${path}?${query}`, { as });
  return Array.isArray(data) ? data.map(({ subject }) => subject).join("") : code;
}

const INVALID = "VALIDATION_INVALID_INPUT";

async function idOf(answer: Promise<Answer>): Promise<unknown> {
  const { status, body } = await answer;
  assertEquals(status, 201, JSON.stringify(body));
  return body["id"];
}

async function seed(api: ApiUnderTest): Promise<void> {
  const customer = (body: object, as = ANN) => idOf(api.ask("customers", { as, body }));
  const acme = await customer({ name: "Acme", plan: "team", iban: "DE1" });
  const free = await customer({ name: "Free", plan: "free", iban: "DE2" });
  const secret = await customer({ name: "Secret", plan: "team" });
  const gone = await customer({ name: "Gone", plan: "team" });
  const rows = [
    { subject: "a", status: "open", priority: 1, urgent: true, customerId: acme },
    { subject: "b", status: "closed", priority: 5, customerId: free },
    { subject: "c", status: null, priority: null, dueAt: "2026-01-31T00:00:00Z" },
    { subject: "d", status: "open", priority: 3, urgent: false, customerId: secret },
    { subject: "e", status: "open", priority: 2, customerId: gone },
  ];
  for (const body of rows) await idOf(api.ask("tickets", { as: ANN, body }));
  await api.ask(`customers/${gone}`, { as: ANN, method: "DELETE" });
  const other = await customer({ name: "Other", plan: "team" }, EVE);
  await idOf(api.ask("tickets", { as: EVE, body: { subject: "x", customerId: other } }));
  // Deleting a customer takes its tickets along.
  assertEquals(await found(api, {}), "abcd");
}

Deno.test("where compares own columns, with or, and and not", () =>
  withDefinitions(FILES, async (api) => {
    await seed(api);
    const rows: readonly [unknown, unknown][] = [
      [{}, "abcd"],
      [{ status: "open" }, "ad"],
      [{ status: null }, "c"],
      [{ status: { notEquals: "open" } }, "bc"],
      [{ priority: { greaterThan: 1, lessThanOrEqual: 5 } }, "bd"],
      [{ priority: { lessThan: 3 } }, "a"],
      [{ not: { priority: { lessThan: 3 } } }, "bcd"],
      [{ not: { not: { priority: { lessThan: 3 } } } }, "a"],
      [{ not: {} }, ""],
      [{ priority: { in: [1, null] } }, "ac"],
      [{ priority: { notIn: [1, 5] } }, "cd"],
      [{ priority: { in: [] } }, ""],
      [{ priority: { notIn: [] } }, "abcd"],
      [{ or: [{ subject: "a" }, { and: [{ subject: "b" }, { priority: 5 }] }] }, "ab"],
      [{ urgent: true }, "a"],
      [{ urgent: { notEquals: true } }, "bcd"],
      [{ dueAt: "2026-01-31" }, "c"],
      [{ subject: "$ctx.userId" }, ""],
      [{ organizationId: "org_b" }, ""],
      [{ deletedAt: { notEquals: null } }, ""],
    ];
    for (const [where, subjects] of rows) {
      assertEquals(await found(api, where), subjects, JSON.stringify(where));
    }
  }));

Deno.test("where looks through a foreign key behind the target's firewall, access and masks", () =>
  withDefinitions(FILES, async (api) => {
    await seed(api);
    const rows: readonly [unknown, unknown, Claims?, string?][] = [
      [{ customer: { plan: "team" } }, "a"],
      [{ customer: { plan: "team" } }, "ad", LEA],
      [{ customer: {} }, "ab"],
      [{ not: { customer: {} } }, "cd"],
      [{ customer: { not: { plan: "free" } }, status: "open" }, "a"],
      [{ customer: { iban: "DE1" } }, "a", LEA],
      [{ customer: { iban: "DE1" } }, INVALID],
      [{ customer: { plan: "team" } }, "ACCESS_ROLE_REQUIRED", GUS],
      [{ customer: { iban: "DE1" } }, "ACCESS_ROLE_REQUIRED", GUS],
      [{ status: "open" }, "ad", GUS],
      [{ customer: { plan: "team" } }, INVALID, ANN, "tickets/views/plain"],
      [{ customer: { plan: "team" } }, "a", ANN, "tickets/views/full"],
      [{ status: "open" }, INVALID, ANN, "tickets/views/full"],
      [{ customer: { plan: "team" } }, "x", EVE],
    ];
    for (const [where, subjects, as, path] of rows) {
      assertEquals(await found(api, where, as, path), subjects, JSON.stringify([where, as?.sub]));
    }
  }));

Deno.test("a where that is wrong is refused whole, and says where", () =>
  withDefinitions(FILES, async (api) => {
    const nested = (depth: number): unknown =>
      depth === 0 ? { subject: "a" } : { not: nested(depth - 1) };
    const rows: readonly [unknown, string | null][] = [
      ["", "needs an object of conditions as JSON"],
      ["[]", "needs an object of conditions as JSON"],
      ['{"subject":"a"', "needs an object of conditions as JSON"],
      ['{"subject":"a","subject":"b"}', 'names "subject" twice in one object'],
      ['{"subject":"a","s\\u0075bject" : "b"}', 'names "subject" twice in one object'],
      [
        '{"priority":9007199254740993}',
        'must be a whole number within ±9007199254740991 at "/priority"',
      ],
      ['{"__proto__":{}}', 'must not have a key "__proto__" at "/__proto__"'],
      [{ subjct: "a" }, 'names no field "subjct", perhaps "subject"'],
      [{ customer: { nam: "a" } }, 'names no field "nam", perhaps "name", at "/customer"'],
      [{ or: [] }, 'needs a list of conditions, not an empty one, at "/or"'],
      [{ and: {} }, 'needs a list of conditions, not an empty one, at "/and"'],
      [{ not: [] }, 'needs an object of conditions at "/not"'],
      [{ subject: {} }, 'needs an operator at "/subject"'],
      [
        { priority: { above: 3 } },
        'names no operator "above"; there are equals, notEquals, in, notIn, lessThan, greaterThan, lessThanOrEqual, greaterThanOrEqual, at "/priority"',
      ],
      [{ priority: "3" }, 'needs a whole number at "/priority"'],
      [{ priority: { in: 3 } }, 'needs a list of values at "/priority/in"'],
      [{ priority: { in: ["x"] } }, 'needs a whole number at "/priority/in/0"'],
      [
        { priority: { lessThan: null } },
        'compares by less or greater where there is no order at "/priority/lessThan"',
      ],
      [
        { urgent: { lessThan: true } },
        'compares by less or greater where there is no order at "/urgent/lessThan"',
      ],
      [{ status: "opened" }, null],
      [
        { status: { in: ["open"] } },
        'compares by "in", which the field does not take, at "/status/in"',
      ],
      [{ subject: ["a"] }, 'needs text at "/subject"'],
      [{ subject: "a\0" }, 'needs well-formed text without NUL characters at "/subject"'],
      ['{"subject":"\\ud800"}', 'needs well-formed text without NUL characters at "/subject"'],
      [{ dueAt: "soon" }, null],
      [{ extra: "a" }, 'compares a field that holds no single value at "/extra"'],
      [{ customer: "x" }, 'needs an object of conditions at "/customer"'],
      [nested(6), 'is nested deeper than 5 levels at "/not/not/not/not/not/not"'],
      [
        { or: Array.from({ length: 51 }, () => ({ subject: "a" })) },
        'holds more than 50 comparisons at "/or/50/subject"',
      ],
      [
        { or: Array.from({ length: 21 }, () => ({ customer: {} })) },
        'asks more than 20 relations at "/or/20/customer"',
      ],
      [
        { customer: { or: Array.from({ length: 20 }, () => ({ tickets: { some: {} } })) } },
        'asks more than 20 relations at "/customer/or/19/tickets"',
      ],
      [
        { priority: { in: Array.from({ length: 1001 }, () => 1) } },
        'holds more than 1000 values at "/priority/in"',
      ],
    ];
    for (const [where, message] of rows) {
      const text = typeof where === "string" ? where : JSON.stringify(where);
      const query = new URLSearchParams({ where: text });
      const { status, body } = await api.ask(`tickets?${query}`, { as: ANN });
      assertEquals([status, body["code"]], [400, INVALID], text);
      if (message !== null) assertEquals(body["detail"], `Parameter "where" ${message}`, text);
    }
    assertEquals(await found(api, nested(5)), "");
    assertEquals(
      await found(api, { or: Array.from({ length: 20 }, () => ({ customer: {} })) }),
      "",
    );
    assertEquals(await found(api, {}, ANN, "tickets/views/plain"), "");
    const twice = "tickets?where=%7B%7D&where=%7B%7D";
    assertEquals((await api.ask(twice, { as: ANN })).body["code"], INVALID);
  }));
