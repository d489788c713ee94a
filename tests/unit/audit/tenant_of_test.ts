/** What the audit takes of an action that finds its tenant by a text, and how such an action may leave it (definitions 5, `tenantOf`). */
import { assert, assertEquals } from "@std/assert";
import { auditRequests } from "../../../proof/audit/audit_requests.ts";
import type { RecordedStatement } from "../../../proof/audit/statement_record.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import { TRACK } from "../../support/track_project.ts";

const validation = validate(TRACK);
assert(validation.ok, JSON.stringify(validation));
const { model } = validation;

/** Signed in elsewhere: in the action nobody asks where. */
const ELSEWHERE: Principal = {
  ...ANONYMOUS,
  credential: "token",
  userId: "eve",
  organizationId: "org_b",
  roles: ["member"],
};

const FOLLOW = "/api/v1/follow/abc";
const PROBE =
  'SELECT t."organization_id" FROM "orders" AS t WHERE t."code" = ? AND t."deleted_at" IS NULL LIMIT 2';
const READ =
  'SELECT t."title" FROM "orders" AS t WHERE t."organization_id" = ? AND t."deleted_at" IS NULL';

type Sent = Pick<RecordedStatement, "sql" | "args"> & Partial<RecordedStatement>;

const probe = (sql = PROBE, organization = "org_a"): Sent => ({
  sql,
  args: ["abc"],
  rows: [[organization]],
  beyondScope: "namedTenant",
});
const read = (organization: string): Sent => ({ sql: READ, args: [organization] });

function audited(statements: readonly Sent[], path = FOLLOW) {
  const { findings, clearances } = auditRequests(
    [{
      method: "GET",
      path,
      principal: "role:member",
      caller: ELSEWHERE,
      statements: statements.map((one) => ({ transaction: 1, rows: [], changes: 0, ...one })),
    }],
    model,
    [],
  );
  return {
    faults: findings.map(({ fault }) => fault.kind),
    clearances: [...clearances.keys()].sort(),
  };
}

Deno.test("audit takes the look for the tenant, and what the action reads in it", () => {
  assertEquals(audited([probe(), read("org_a")]), {
    faults: [],
    clearances: ["namedTenant", "scoped"],
  });
});

Deno.test("audit finds an action in its caller's tenant, or in a third one, in place of the named one", () => {
  for (const organization of ["org_b", "org_c"]) {
    assertEquals(audited([probe(), read(organization)]).faults, ["predicateMissing"]);
  }
  // Nothing was found, so there is no tenant.
  assertEquals(audited([{ ...probe(), rows: [] }, read("org_a")]).faults, ["predicateMissing"]);
});

const WRONG: readonly (readonly [what: string, sql: string])[] = [
  ["deleted rows", PROBE.replace(' AND t."deleted_at" IS NULL', "")],
  ["another column", PROBE.replace('t."code" = ?', 't."short" = ?')],
  ["any of several texts", PROBE.replace('t."code" = ?', '(t."code" = ? OR t."short" = ?1)')],
  [
    "more of the row",
    PROBE.replace('SELECT t."organization_id"', 'SELECT t."organization_id", t."title"'),
  ],
  ["something else of the row", PROBE.replace('SELECT t."organization_id"', 'SELECT t."title"')],
  ["every row", PROBE.replace('t."code" = ? AND', "? <> '' AND")],
];

for (const [what, sql] of WRONG) {
  Deno.test(`audit finds a look for the tenant that asks for ${what}`, () => {
    assert(audited([probe(sql)]).faults.includes("predicateMissing"));
  });
}

Deno.test("audit finds the look for a tenant anywhere else, and without its mark", () => {
  assert(audited([probe()], "/api/v1/orders").faults.includes("predicateMissing"));
  const { beyondScope: _, ...unmarked } = probe();
  assert(audited([unmarked]).faults.includes("predicateMissing"));
});
