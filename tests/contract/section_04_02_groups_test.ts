/** Views whose rows are groups (contract 4.2, definitions 4.5): values, periods, order, pages, masks and refusals. */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const auditor: Claims = { sub: "user_2", orgId: "org_1", roles: ["auditor"] };
const stranger: Claims = { sub: "user_3", orgId: "org_2", roles: ["admin"] };

const PATH = "quickback/features/sales/sales.ts";

function sales(view: string): string {
  return `import { feature, q } from "quickback";
export default feature("sales", {
  columns: {
    organizationId: q.scope("organization"),
    region: q.text(),
    secret: q.text(),
    paid: q.bool(),
    day: q.date(),
    soldAt: q.timestamp(),
    amount: q.int(),
    rate: q.real(),
    tags: q.json(),
  },
  guards: false,
  masking: { secret: { type: "redact", show: { roles: ["auditor"] } } },
  read: {
    access: { roles: ["admin", "auditor"] },
    views: {
      regions: {
        groupBy: ["region", "paid"],
        aggregations: {
          sold: { fn: "count" },
          amounts: { fn: "sum", field: "amount" },
          mean: { fn: "avg", field: "amount" },
          least: { fn: "min", field: "amount" },
          last: { fn: "max", field: "soldAt" },
          rates: { fn: "avg", field: "rate" },
        },
        query: { filterable: ["region", "amount"], defaultSort: "-sold" },
      },
      days: { groupBy: [{ field: "soldAt", by: "day" }], aggregations: { sold: { fn: "count" } } },
      weeks: { groupBy: [{ field: "day", by: "week" }], aggregations: { sold: { fn: "count" } } },
      months: { groupBy: [{ field: "soldAt", by: "month" }, { field: "region" }] },
      secrets: { groupBy: ["secret"], aggregations: { sold: { fn: "count" } } },
      ${view}
    },
  },
  create: { access: { roles: ["admin"] } },
  delete: { access: { roles: ["admin"] }, restore: { access: { roles: ["admin"] } } },
});
`;
}

function filesWith(view = ""): Readonly<Record<string, string>> {
  return {
    "quickback/quickback.config.ts": 'export default { name: "groups" };\n',
    [PATH]: sales(view),
  };
}

interface Sale {
  readonly region?: string | null;
  readonly paid?: boolean;
  readonly amount?: number;
  readonly day?: string;
  readonly soldAt?: string;
  readonly rate?: number;
  readonly secret?: string;
}

async function sell(api: ApiUnderTest, sale: Sale, as = admin): Promise<string> {
  const answer = await api.ask("sales", { as, body: sale });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function groups(api: ApiUnderTest, path: string, as = admin): Promise<readonly unknown[]> {
  const { status, body, text } = await api.ask(`sales/views/${path}`, { as });
  assertEquals(status, 200, text);
  assert(Array.isArray(body["data"]));
  assertEquals(Object.keys(body), ["data", "view", "pagination"]);
  return body["data"];
}

Deno.test("rows are groups: values under their names, aggregations beside them, null is a group", async () => {
  await withDefinitions(filesWith(), async (api) => {
    const at = "2026-02-03T04:05:06.000Z";
    await sell(api, { region: "north", paid: true, amount: 3, soldAt: at, rate: 0.5 });
    await sell(api, { region: "north", paid: true, amount: 4, rate: 1 });
    await sell(api, { region: "north", paid: false });
    await sell(api, { amount: 9007199254740991 });
    await sell(api, { amount: 9007199254740991 });
    await sell(api, { amount: 1 });
    await sell(api, { region: "north", paid: true, amount: 1000 }, stranger);
    const none = { mean: null, least: null, last: null, rates: null, amounts: null };
    assertEquals(await groups(api, "regions"), [
      {
        region: null,
        paid: null,
        sold: 3,
        amounts: 18014398509481983,
        mean: 6004799503160661,
        least: 1,
        last: null,
        rates: null,
      },
      {
        region: "north",
        paid: true,
        sold: 2,
        amounts: 7,
        mean: 3.5,
        least: 3,
        last: at,
        rates: 0.75,
      },
      { region: "north", paid: false, sold: 1, ...none },
    ]);
    assertEquals((await groups(api, "regions?amount.gte=4&amount.lt=9&total=true")).length, 1);
    assertEquals(await groups(api, "regions?region=nowhere"), []);
  });
});

Deno.test("days, weeks and months are those of UTC, weeks as ISO 8601 counts them", async () => {
  await withDefinitions(filesWith(), async (api) => {
    const days = [
      "2026-01-01",
      "2025-12-29",
      "2024-12-31",
      "2027-01-03",
      "2026-02-28",
      "2026-03-01",
    ];
    for (const day of days) await sell(api, { day, soldAt: `${day}T23:30:00+01:00`, region: "a" });
    await sell(api, { soldAt: "2026-03-01T00:30:00+02:00", region: "a" });
    assertEquals((await groups(api, "weeks")).map((one) => isRecord(one) ? one["day"] : one), [
      null,
      "2025-W01",
      "2026-W01",
      "2026-W09",
      "2026-W53",
    ]);
    assertEquals(await groups(api, "days?sort=-sold&limit=1"), [{ soldAt: "2026-02-28", sold: 2 }]);
    assertEquals(await groups(api, "months?sort=-soldAt&limit=2"), [
      { soldAt: "2027-01", region: "a" },
      { soldAt: "2026-03", region: "a" },
    ]);
  });
});

Deno.test("pages by offset and by cursor, forth and back, are the same groups in any order", async () => {
  await withDefinitions(filesWith(), async (api) => {
    // Few values, so that groups are alike in what they are sorted by.
    const regions = ["a", "b", "c", "d", null];
    for (let at = 0; at < 23; at += 1) {
      const region = regions[(at * 7) % 5] ?? null;
      await sell(api, { region, paid: at % 3 === 0, ...(at % 4 === 0 ? {} : { amount: at % 6 }) });
    }
    for (
      const sort of ["region", "-region", "amounts", "-amounts,paid", "-mean", "least,-sold", ""]
    ) {
      const sorted = sort === "" ? "" : `&sort=${sort}`;
      const whole = await groups(api, `regions?limit=100${sorted}`);
      assertEquals(new Set(whole.map((one) => JSON.stringify(one))).size, whole.length);
      const seen: unknown[] = [];
      let back: string | null = null;
      for (let cursor = "";;) {
        const { body } = await api.ask(`sales/views/regions?limit=3&total=true${sorted}${cursor}`, {
          as: admin,
        });
        const { data, pagination } = body;
        assert(Array.isArray(data) && isRecord(pagination));
        assertEquals(pagination["total"], whole.length);
        seen.push(...data);
        const { nextCursor, prevCursor } = pagination;
        if (typeof nextCursor !== "string") {
          back = String(prevCursor);
          break;
        }
        cursor = `&starting_after=${nextCursor}`;
      }
      assertEquals(seen, whole, sort);
      const before = await groups(api, `regions?limit=3${sorted}&ending_before=${back}`);
      const last = whole.length - (whole.length % 3 || 3);
      assertEquals(before, whole.slice(last - 3, last), sort);
      assertEquals(await groups(api, `regions?limit=4&offset=2${sorted}`), whole.slice(2, 6), sort);
    }
  });
});

Deno.test("a page of groups is one statement, and its total one more in the same round trip", async () => {
  const statements: number[] = [];
  await withDefinitions(filesWith(), async (api) => {
    await sell(api, { region: "a" });
    statements.length = 0;
    await groups(api, "regions?limit=1");
    await groups(api, "regions?limit=1&total=true");
    assertEquals(statements, [1, 2]);
  }, {
    wrap: (database) => ({
      ...database,
      run: (statement) => {
        if (/GROUP BY/.test(statement.sql)) statements.push(1);
        return database.run(statement);
      },
      runAll: (all) => {
        if (all.some(({ sql }) => /GROUP BY/.test(sql))) statements.push(all.length);
        return database.runAll(all);
      },
    }),
  });
});

Deno.test("a column that is masked for the caller makes no groups; deleted rows count for those who may", async () => {
  await withDefinitions(filesWith(), async (api) => {
    const id = await sell(api, { secret: "x" });
    const { status, body } = await api.ask("sales/views/secrets", { as: admin });
    assertEquals([status, body["code"], body["details"]], [
      400,
      "VALIDATION_INVALID_INPUT",
      { parameter: "groupBy.secret" },
    ]);
    assertEquals(await groups(api, "secrets", auditor), [{ secret: "x", sold: 1 }]);
    await api.ask(`sales/${id}`, { as: admin, method: "DELETE" });
    assertEquals(await groups(api, "days"), []);
    assertEquals(await groups(api, "days?deleted=only"), [{ soldAt: null, sold: 1 }]);
  });
});

Deno.test("what only records have is refused", async () => {
  await withDefinitions(filesWith(), async (api) => {
    for (const query of ["fields=region", "search=x", "include=x", "sort=soldAt", "paid=true"]) {
      const { status, body } = await api.ask(`sales/views/regions?${query}`, { as: admin });
      assertEquals([status, body["code"]], [400, "VALIDATION_INVALID_INPUT"], query);
    }
  });
});

Deno.test("a view of groups that cannot be is a compile error", () => {
  const codes = (view: string) => {
    const validation = validate(filesWith(view));
    return validation.ok ? [] : validation.errors.map(({ code }) => code);
  };
  assertEquals(codes('ok: { groupBy: ["region"] },'), []);
  assertEquals(codes("one: { groupBy: [] },"), ["VALUE_INVALID"]);
  assertEquals(codes('one: { groupBy: ["nothing"] },'), ["COLUMN_UNKNOWN"]);
  assertEquals(codes('one: { groupBy: ["tags"] },'), ["GROUP_KEY"]);
  assertEquals(codes('one: { groupBy: ["region", "region"] },'), ["GROUP_KEY"]);
  assertEquals(codes('one: { groupBy: [{ field: "region", by: "day" }] },'), ["GROUP_KEY"]);
  assertEquals(codes('one: { groupBy: ["region"], fields: ["id"] },'), ["GROUP_MEMBER"]);
  assertEquals(codes('one: { groupBy: ["region"], query: { searchable: ["region"] } },'), [
    "GROUP_MEMBER",
  ]);
  assertEquals(codes('one: { groupBy: ["region"], aggregations: { region: { fn: "count" } } },'), [
    "GROUP_NAME",
  ]);
  assertEquals(codes('one: { groupBy: ["region"], defaultSort: "paid" },'), ["VIEW_FIELD_MISSING"]);
  assertEquals(codes("one: {},"), ["KEY_MISSING"]);
});
