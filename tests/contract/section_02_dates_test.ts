/** `q.date()` (definitions 3): a day of the calendar, the same text in bodies, filters, sorts, conditions and answers. */
import { assertEquals } from "@std/assert";
import { type Answer, type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BOB: Claims = { sub: "bob", orgId: "org_a", roles: ["clerk"] };
const EVA: Claims = { sub: "eva", orgId: "org_a", roles: ["lead"] };
const ALL = `{ access: { roles: ["member", "lead"] } }`;

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "trips" };\n',
  "quickback/features/trips/trips.ts": `import { feature, q } from "quickback";
export default feature("trips", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text(),
    starts: q.date().required(),
    ends: q.date(),
    due: q.date().default("2026-12-31"),
    born: q.date(),
  },
  masking: { born: { type: "redact", show: { roles: ["lead"] } } },
  guards: {
    createable: ["title", "starts", "ends", "due", "born"],
    updatable: ["title", "starts", "ends", "due", "born"],
  },
  defaultSort: "starts",
  read: {
    access: {
      or: [
        { roles: ["member", "lead"] },
        { roles: ["clerk"], record: { starts: { greaterThanOrEqual: "2026-03-01" } } },
      ],
    },
    views: {
      span: {
        fields: ["id", "starts"],
        access: { roles: ["member"] },
        aggregations: { first: { fn: "min", field: "starts" }, last: { fn: "max", field: "starts" } },
      },
    },
  },
  create: ${ALL}, update: ${ALL},
});
`,
};

const made = (api: ApiUnderTest, body: object): Promise<Answer> =>
  api.ask("trips", { as: EVA, body: { starts: "2026-01-31", ...body } });

async function starts(api: ApiUnderTest, query: string, as = ANN): Promise<unknown> {
  const answer = await api.ask(`trips?${query}`, { as });
  const { data } = answer.body;
  return Array.isArray(data) ? data.map((trip) => trip.starts) : answer.body["code"];
}

Deno.test("a date is answered as it was sent, cleared by null, and has its default", () =>
  withDefinitions(FILES, async (api) => {
    const { status, body } = await made(api, { ends: "2028-02-29", born: "0001-01-01" });
    const { starts, ends, due, born } = body;
    assertEquals({ status, starts, ends, due, born }, {
      status: 201,
      starts: "2026-01-31",
      ends: "2028-02-29",
      due: "2026-12-31",
      born: "0001-01-01",
    });
    const changed = { starts: "9999-12-31", ends: null };
    const answer = await api.ask(`trips/${body["id"]}`, {
      as: EVA,
      method: "PATCH",
      body: changed,
    });
    assertEquals([answer.body["starts"], answer.body["ends"]], ["9999-12-31", null]);
  }));

Deno.test("what is no day of the calendar is refused, in bodies and in filters", () =>
  withDefinitions(FILES, async (api) => {
    const wanted = "Must be an ISO 8601 date such as 2026-01-31";
    const wrong = [
      "2026-02-29",
      "2026-13-01",
      "2026-1-1",
      "2026-01-31T00:00:00Z",
      " 2026-01-31",
      "",
      1,
    ];
    for (const value of wrong) {
      const { status, body } = await made(api, { starts: value });
      assertEquals([status, body["code"], body["details"]], [400, "VALIDATION_ERROR", {
        fields: { starts: wanted },
      }]);
      assertEquals(
        await starts(api, `starts.gte=${encodeURIComponent(value)}`),
        "VALIDATION_INVALID_INPUT",
        String(value),
      );
    }
    const missing = await api.ask("trips", { as: EVA, body: {} });
    assertEquals(missing.body["details"], { fields: { starts: "Required" } });
  }));

Deno.test("dates are filtered, sorted and summed up by the calendar", () =>
  withDefinitions(FILES, async (api) => {
    for (const day of ["2026-03-01", "2026-01-31", "2025-12-31"]) await made(api, { starts: day });
    const [first, second, third] = ["2025-12-31", "2026-01-31", "2026-03-01"];
    assertEquals(await starts(api, ""), [first, second, third]);
    assertEquals(await starts(api, "sort=-starts"), [third, second, first]);
    assertEquals(await starts(api, "starts=2026-01-31"), [second]);
    assertEquals(await starts(api, "starts.gt=2026-01-31"), [third]);
    assertEquals(await starts(api, "starts.lte=2026-01-31"), [first, second]);
    assertEquals(await starts(api, "starts.in=2025-12-31,2026-03-01"), [first, third]);
    assertEquals(await starts(api, "starts.like=2026"), [second, third]);
    assertEquals(await starts(api, "", BOB), [third]);
    const view = await api.ask("trips/views/span", { as: ANN });
    assertEquals(view.body["aggregations"], { first, last: third });
  }));

Deno.test("a masked date is hidden, and nothing can be asked by it", () =>
  withDefinitions(FILES, async (api) => {
    await made(api, { born: "1990-05-05" });
    const born = async (as: Claims) => {
      const { data } = (await api.ask("trips", { as })).body;
      return Array.isArray(data) ? data[0]?.born : undefined;
    };
    assertEquals([await born(EVA), await born(ANN)], ["1990-05-05", "[REDACTED]"]);
    assertEquals(await starts(api, "born.lt=2000-01-01", EVA), ["2026-01-31"]);
    assertEquals(await starts(api, "born.lt=2000-01-01"), "VALIDATION_INVALID_INPUT");
  }));
