/** Anonymous calls into a tenant: what they may not leave out, and the row that each leaves (definitions 7). */
import { assertEquals } from "@std/assert";
import { foundAccounts } from "../support/found_accounts.ts";
import { memoryRateLimiter } from "../../library/platform/mod.ts";
import { type ApiUnderTest, type Ask, START, withDefinitions } from "../support/api.ts";
import { ORDER_FILES, ORDERS_CLERK as clerk } from "../support/orders_project.ts";

const MISSING = "wish_00000000000000000000000000000000";

async function auditRows(api: ApiUnderTest): Promise<readonly unknown[]> {
  const { rows } = await api.database.run({
    sql:
      "SELECT resource, operation, actor_user_id, target_org_id, target_record_id, result, error_code FROM audit_events ORDER BY rowid",
    args: [],
  });
  return rows;
}

interface Row {
  readonly path: string;
  readonly ask: Ask;
  readonly status: number;
  readonly audit: readonly (string | null)[] | null;
}

const ROWS: readonly Row[] = [
  {
    path: "wishes?organizationId=org_1",
    ask: {},
    status: 200,
    audit: ["wishes", "list", null, "org_1", null, "success", null],
  },
  {
    path: "wishes?organizationId=org_1",
    ask: { body: { text: "Rain" } },
    status: 201,
    audit: ["wishes", "create", null, "org_1", null, "success", null],
  },
  {
    path: "wishes/batch?organizationId=org_1",
    ask: { body: { records: [{ text: "Rain" }] } },
    status: 201,
    audit: ["wishes", "batchCreate", null, "org_1", null, "success", null],
  },
  {
    path: `wishes/${MISSING}?organizationId=org_1`,
    ask: {},
    status: 403,
    audit: ["wishes", "get", null, "org_1", MISSING, "denied", "FIREWALL_NOT_FOUND"],
  },
  {
    path: "wishes",
    ask: {},
    status: 400,
    audit: ["wishes", "list", null, null, null, "denied", "ORG_REQUIRED"],
  },
  {
    path: "wishes?organizationId=org_1",
    ask: { body: {}, headers: { "idempotency-key": "a b" } },
    status: 400,
    audit: ["wishes", "create", null, "org_1", null, "denied", "VALIDATION_INVALID_INPUT"],
  },
  { path: "wishes", ask: { as: clerk }, status: 200, audit: null },
  { path: "orders?organizationId=org_1", ask: {}, status: 401, audit: null },
];

for (const { path, ask, status, audit } of ROWS) {
  const who = ask.as ? "A member" : "Anybody";
  Deno.test(`${who} asking ${ask.body ? "POST" : "GET"} ${path} leaves ${audit ? "a" : "no"} row`, () =>
    withDefinitions(ORDER_FILES, async (api) => {
      await foundAccounts(api.ports.database, { organizations: ["org_1"] });
      const answer = await api.ask(path, ask);
      assertEquals(answer.status, status, answer.text);
      assertEquals(await auditRows(api), audit === null ? [] : [audit]);
    }));
}

Deno.test("a call that its limit refuses leaves no row", () =>
  withDefinitions({
    ...ORDER_FILES,
    "quickback/quickback.config.ts":
      'export default { name: "orders", rateLimit: { read: { limit: 1, period: 60 } } };\n',
  }, async (api) => {
    const path = "wishes?organizationId=org_1";
    assertEquals((await api.ask(path)).status, 200);
    assertEquals((await api.ask(path)).status, 429);
    assertEquals((await auditRows(api)).length, 1);
  }, { limiter: memoryRateLimiter({ clock: { now: () => START } }) }));
