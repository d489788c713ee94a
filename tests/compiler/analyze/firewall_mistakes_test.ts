/** A firewall mistake is told where it stands (definitions 4.1). */
import { assertEquals } from "@std/assert";
import { type MistakeRow, toldOf, withResource } from "../../support/analysis.ts";

const ROWS: readonly MistakeRow[] = [
  ["an unknown column", 'firewall: [{ field: "organisationId", equals: "ctx.activeOrgId" }],', [
    'COLUMN_UNKNOWN 4:21 Unknown column "organisationId" of table "jobs" | Did you mean "organizationId"?',
  ]],
  [
    "an unknown value of the caller",
    'firewall: [{ field: "organizationId", equals: "ctx.orgId" }],',
    ['CONTEXT_VALUE_UNKNOWN 4:47 Unknown value "ctx.orgId", expected ctx.userId, ctx.activeOrgId, ctx.activeTeamId'],
  ],
  ["an unknown list of the caller", 'firewall: [{ field: "organizationId", in: "ctx.role" }],', [
    'CONTEXT_VALUE_UNKNOWN 4:43 Unknown value "ctx.role", expected ctx.roles | Did you mean "ctx.roles"?',
  ]],
  ["no comparison", 'firewall: [{ field: "organizationId" }],', [
    'PREDICATE_COMPARISON 4:12 "jobs.firewall[0]" needs exactly one of equals, in and isNull',
  ]],
  [
    "two comparisons",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId", isNull: true }],',
    ['PREDICATE_COMPARISON 4:12 "jobs.firewall[0]" needs exactly one of equals, in and isNull'],
  ],
  ["an unknown comparison", 'firewall: [{ field: "organizationId", equal: "ctx.activeOrgId" }],', [
    'UNKNOWN_KEY 4:39 Unknown key "equal" in jobs.firewall[0] | Did you mean "equals"?',
  ]],
  ["isNull false does not exist", 'firewall: [{ field: "organizationId", isNull: false }],', [
    'VALUE_UNKNOWN 4:47 "jobs.firewall[0].isNull" is false, expected true',
  ]],
  ["nothing isolates", 'firewall: [{ field: "status", equals: "open" }],', [
    'ISOLATION_MISSING 4:1 No column isolates the rows of "jobs" by its caller | Add q.scope("organization") or q.scope("owner"), or say firewall: { exception: true }',
  ]],
  [
    "a literal of another type",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "amount", equals: "1" }],',
    ['OPERAND_TYPE 4:95 Column "amount" is compared with "1", expected an integer'],
  ],
  ["an id of the caller in a number", 'firewall: [{ field: "amount", equals: "ctx.userId" }],', [
    'OPERAND_TYPE 4:39 Column "amount" is compared with "ctx.userId", expected a value of type int',
  ]],
  [
    "an empty list",
    'firewall: [{ field: "status", in: [] }, { field: "organizationId", equals: "ctx.activeOrgId" }],',
    ['VALUE_TYPE 4:35 "jobs.firewall[0].in" is an empty list, expected a list with at least one value'],
  ],
  [
    "everybody is excepted",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId", exceptRoles: ["PUBLIC"] }],',
    ['PREDICATE_PUBLIC 4:79 "PUBLIC" in "exceptRoles" covers every caller | Remove the predicate, or name the roles that are meant'],
  ],
  ["an exception with a scope column", "firewall: { exception: true },", [
    'EXCEPTION_WITH_SCOPE 4:13 Table "jobs" has the scope column "organizationId" and cannot be an exception | Remove the exception, or the column',
  ]],
  ["exception false does not exist", "firewall: { exception: false },", [
    'VALUE_UNKNOWN 4:24 "jobs.firewall.exception" is false, expected true',
  ]],
  ["an unknown scope", "firewall: { organisation: {} },", [
    'UNKNOWN_KEY 4:13 Unknown key "organisation" in jobs.firewall | Did you mean "organization"?',
  ]],
  ["a scope without its column", "firewall: { owner: {} },", [
    'COLUMN_UNKNOWN 4:13 Unknown column "ownerId" of table "jobs" | Add the column ownerId: q.scope("owner"), or name another: owner: { column: "…" }',
  ]],
  ["a scope on an unknown column", 'firewall: { organization: { column: "orgId" } },', [
    'COLUMN_UNKNOWN 4:37 Unknown column "orgId" of table "jobs"',
  ]],
  ["a scope on another type", 'firewall: { owner: { column: "amount" } },', [
    'SCOPE_COLUMN_TYPE 4:13 Column "amount" cannot carry the owner scope | Declare it as q.scope("owner"), or rename it if it means something else',
  ]],
  [
    "an unknown owner mode",
    'firewall: { organization: {}, owner: { column: "note", mode: "maybe" } },',
    ['VALUE_UNKNOWN 4:62 "jobs.firewall.owner.mode" is "maybe", expected one of "required", "optional"'],
  ],
  ["softDelete on no time", 'firewall: { organization: {}, softDelete: { column: "note" } },', [
    'SCOPE_COLUMN_TYPE 4:31 Column "note" cannot carry the softDelete scope | Name a timestamp column',
  ]],
  ["no list and no scopes", 'firewall: "organization",', [
    'VALUE_TYPE 4:11 "jobs.firewall" is "organization", expected a list of predicates, named scopes, or { exception: true }',
  ]],
  [
    "predicates of JSON",
    'firewall: [{ field: "settings", equals: "x" }, { field: "organizationId", equals: "ctx.activeOrgId" }],',
    ['COLUMN_NOT_COMPARABLE 4:21 Column "settings" is of type json and cannot be compared'],
  ],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Firewall: ${title}`, () => {
    assertEquals(toldOf(withResource(source).errors), expected);
  });
}
