/** What `audit-sql` prints: the statement, the definition that it does not keep, and who asked (docs/proof.md). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { auditReport, printAudit } from "../../../cli/commands/audit_sql/audit_report.ts";
import { auditRequests } from "../../../proof/audit/audit_requests.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { ANONYMOUS } from "../../../shared/model/principal.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { recordingTerminal } from "./recording_terminal.ts";

Deno.test("audit-sql prints a finding with its statement, its definition and its request", async () => {
  const files = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));
  const validation = validate(files);
  assert(validation.ok);
  const { model, places } = validation;
  const sql = "SELECT t.id FROM customers AS t WHERE t.deleted_at IS NULL";
  const audit = auditRequests(
    [{
      method: "GET",
      path: "/api/v1/customers",
      principal: "role:agent",
      caller: { ...ANONYMOUS, credential: "token", organizationId: "org_1", userId: "u1" },
      statements: [{ sql, args: [], transaction: null, rows: [], changes: 0 }],
    }],
    model,
    [],
  );
  const report = auditReport(audit, model, places);
  assertEquals(report.findings, [{
    message: 'The read of "customers" is not held to organizationId equals ctx.activeOrgId',
    place: "quickback/features/customers/customers.ts:17",
    request: "GET /api/v1/customers",
    principal: "role:agent",
    sql,
  }]);
  assertEquals(
    files["quickback/features/customers/customers.ts"]?.split("\n")[16]?.trim(),
    '{ field: "organizationId", equals: "ctx.activeOrgId" },',
  );
  const terminal = recordingTerminal();
  printAudit(report, terminal);
  assertMatch(terminal.outText(), /1 requests, 1 statements, 1 different texts/);
  assertMatch(terminal.outText(), /no statement used [^\n]*tickets/);
  assertMatch(terminal.outText(), /1 finding$/m);
});
