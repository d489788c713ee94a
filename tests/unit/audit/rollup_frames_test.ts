/** Rows that are read again because their totals changed are read in their tenant, and a read without it is found (contract 6.3, docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { recordStatements } from "../../../cli/commands/audit_sql/record_statements.ts";
import { auditRequests } from "../../../proof/audit/audit_requests.ts";
import type { RecordedRequest } from "../../../proof/audit/statement_record.ts";
import { ANONYMOUS } from "../../../shared/model/principal.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { serviceTables } from "../../../shared/model/service_tables.ts";
import { withRealtime } from "../../support/realtime.ts";

const feature = (name: string, columns: string, imports = "") => `
import { feature, q } from "quickback";
${imports}
export default feature("${name}", {
  columns: { id: q.id(), organizationId: q.scope("organization"), ${columns} },
  guards: false,
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  realtime: true,
});
`;

/** Totals of totals. */
const FILES = {
  "quickback/quickback.config.ts":
    'export default { name: "totals", realtime: { enabled: true } };\n',
  "quickback/features/trade/customers.ts": feature(
    "customers",
    'worth: q.rollup("orders.customerId", { sum: "worth" })',
  ),
  "quickback/features/trade/orders.ts": feature(
    "orders",
    `customerId: q.text().references(() => customers.id),
    worth: q.rollup("lines.orderId", { sum: "price" })`,
    'import customers from "./customers.ts";',
  ),
  "quickback/features/trade/lines.ts": feature(
    "lines",
    "orderId: q.text().references(() => orders.id), price: q.int()",
    'import orders from "./orders.ts";',
  ),
};

const ANN = { sub: "ann", orgId: "org_1", roles: ["member"] };

/** The statements of one new line. */
async function recorded(): Promise<{ model: ProjectModel; request: RecordedRequest }> {
  const recorder = recordStatements();
  let found: Awaited<ReturnType<typeof recorded>> | null = null;
  await withRealtime(FILES, async (api) => {
    const make = async (path: string, row: unknown) => {
      recorder.taken();
      const { status, body, text } = await api.ask(path, { body: row, as: ANN });
      assertEquals(status, 201, text);
      return String(body["id"]);
    };
    const customerId = await make("customers", {});
    const orderId = await make("orders", { customerId });
    await make("lines", { orderId, price: 3 });
    const request = {
      method: "POST",
      path: "/api/v1/lines",
      body: { orderId, price: 3 },
      principal: "ann",
      caller: {
        ...ANONYMOUS,
        credential: "token" as const,
        userId: ANN.sub,
        organizationId: ANN.orgId,
        roles: ANN.roles,
      },
      statements: recorder.taken(),
    };
    found = { model: api.project, request };
    api.end();
  }, { wrap: recorder.wrap });
  assert(found !== null);
  return found;
}

Deno.test("rows whose totals changed are read for frames in their tenant, and not without it", async () => {
  const { model, request } = await recorded();
  const service = serviceTables(model).map(({ name }) => name);
  const audited = (one: RecordedRequest) => auditRequests([one], model, service);
  assertEquals(audited(request).findings, []);
  const framed = request.statements.filter(({ beyondScope }) => beyondScope === "framedRows");
  // The order, then its customer.
  assertEquals(framed.length, 2);
  for (const statement of framed) {
    const { sql } = statement;
    assertEquals(audited({ ...request, statements: [statement] }).findings, []);
    const wider = [
      sql.replace(/(`organization_id`) IN/, "$1 NOT IN"),
      sql.replace(/ AND t\.`organization_id` IN \(SELECT value FROM json_each\(\?\)\)/, " AND ?"),
    ];
    for (const text of wider) {
      assert(text !== sql, sql);
      // By itself: nothing was met in scope before it.
      const { findings } = audited({ ...request, statements: [{ ...statement, sql: text }] });
      assert(findings.length > 0, text);
    }
  }
});
