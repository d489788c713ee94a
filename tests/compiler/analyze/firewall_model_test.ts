/** Every spelling of a firewall comes to one list, and says whose rows a column marks (definitions 4.1). */
import { assertEquals } from "@std/assert";
import { type ColumnPredicate, columnPredicates } from "../../../shared/model/access.ts";
import { jobsTable, withResource } from "../../support/analysis.ts";

/** `kind column operand`, with roles where there are some. */
function inWords({ kind, column, operator, operand, roles, exceptRoles }: ColumnPredicate) {
  const value = operand.kind === "context" || operand.kind === "contextList"
    ? `ctx.${operand.key}`
    : JSON.stringify(operand.kind === "literal" ? operand.value : operand.values);
  const only = roles.length > 0 ? ` for ${roles.join(",")}` : "";
  const except = exceptRoles.length > 0 ? ` except ${exceptRoles.join(",")}` : "";
  return `${kind}: ${column} ${operator} ${value}${only}${except}`;
}

const TENANT = "organization: organizationId equals ctx.activeOrgId";
const LIVE = "notDeleted: deletedAt equals null";

const FIREWALLS: readonly (readonly [title: string, source: string, expected: string[]])[] = [
  ["an omitted one follows from the columns", "", [TENANT, LIVE]],
  [
    "a hard-deleting table has no deleted rows to hide",
    'delete: { access: { roles: ["admin"] }, mode: "hard" },',
    [TENANT],
  ],
  [
    "named scopes are the same",
    "firewall: { organization: {}, softDelete: {} },",
    [TENANT, LIVE],
  ],
  [
    "a list that forgets deleted rows still hides them",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }],',
    [TENANT, LIVE],
  ],
  [
    "a list may show deleted rows to some",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "deletedAt", isNull: true, exceptRoles: ["admin"] }],',
    [TENANT, `${LIVE} except admin`],
  ],
  [
    "an optional owner does not bind those who run the organization",
    'firewall: { organization: {}, owner: { column: "note", mode: "optional" } },',
    [TENANT, "owner: note equals ctx.userId except admin,owner", LIVE],
  ],
  [
    "a predicate binds some roles, expanded",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "status", in: ["open"], roles: ["agent+"] }],',
    [TENANT, 'custom: status in ["open"] for agent,admin', LIVE],
  ],
  [
    "a list of the caller's is a list",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "note", in: "ctx.roles" }],',
    [TENANT, "custom: note in ctx.roles", LIVE],
  ],
];

for (const [title, source, expected] of FIREWALLS) {
  Deno.test(`Firewall: ${title}`, () => {
    assertEquals(columnPredicates(jobsTable(withResource(source)).firewall).map(inWords), expected);
  });
}

const STAMPED: readonly (readonly [title: string, source: string, owner: string | null])[] = [
  ["named by an owner scope", 'firewall: { owner: { column: "note" } },', "note"],
  [
    "named by an optional owner scope",
    'firewall: { organization: {}, owner: { column: "note", mode: "optional" } },',
    "note",
  ],
  [
    "that binds every caller",
    'firewall: [{ field: "note", equals: "ctx.userId" }],',
    "note",
  ],
  [
    "that only some roles are bound by",
    'firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { field: "note", equals: "ctx.userId", roles: ["viewer"] }],',
    null,
  ],
];

for (const [title, source, owner] of STAMPED) {
  Deno.test(`The service ${owner ? "stamps" : "leaves"} a column ${title}`, () => {
    const table = jobsTable(withResource(source));
    assertEquals(table.scope.owner, owner);
    const manager = table.columns.find((column) => column.name === "note")?.manager;
    assertEquals(manager, owner ? "scope" : "client");
  });
}
