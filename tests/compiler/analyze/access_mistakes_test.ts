/** An access mistake is told where it stands (definitions 4.2). */
import { assertEquals } from "@std/assert";
import { type MistakeRow, toldOf, withResource } from "../../support/analysis.ts";

const ROWS: readonly MistakeRow[] = [
  ["a wildcard", 'read: { access: { roles: ["*"] } },', [
    'ROLE_WILDCARD 4:27 Role "*" in "jobs.read.access.roles" does not exist | Write "PUBLIC" for everybody, "AUTHENTICATED" for everybody who is signed in',
  ]],
  ["a role that is no list", 'read: { access: { roles: "admin" } },', [
    'VALUE_TYPE 4:26 "jobs.read.access.roles" is "admin", expected a list | Write ["admin"]',
  ]],
  ["an empty rule", "read: { access: {} },", [
    'VALUE_INVALID 4:17 "jobs.read.access" is an empty object, expected roles, or another condition',
  ]],
  ["an unknown key", 'read: { access: { role: ["admin"] } },', [
    'UNKNOWN_KEY 4:19 Unknown key "role" in jobs.read.access | Write roles: ["member"]',
  ]],
  ["a role outside the hierarchy", 'read: { access: { roles: ["manager+"] } },', [
    'ROLE_OUTSIDE_HIERARCHY 4:27 Role "manager" is not in auth.roleHierarchy and has no "+" | Add it to auth.roleHierarchy, or name the roles without "+"',
  ]],
  ["a misspelt role of the hierarchy", 'read: { access: { roles: ["agnet"] } },', [
    'ROLE_UNKNOWN 4:27 Unknown role "agnet", expected one of "viewer", "agent", "admin", "owner", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager" | Did you mean "agent"?',
  ]],
  ["a misspelt role with its plus", 'read: { access: { roles: ["agnet+"] } },', [
    'ROLE_OUTSIDE_HIERARCHY 4:27 Role "agnet" is not in auth.roleHierarchy and has no "+" | Did you mean "agent"?',
  ]],
  ["a misspelt pseudo-role", 'read: { access: { roles: ["PUBLC"] } },', [
    'ROLE_UNKNOWN 4:27 Unknown role "PUBLC", expected one of "viewer", "agent", "admin", "owner", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager" | Did you mean "PUBLIC"?',
  ]],
  ["a pseudo-role in small letters", 'read: { access: { roles: ["public"] } },', [
    'ROLE_UNKNOWN 4:27 Unknown role "public", expected one of "viewer", "agent", "admin", "owner", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager" | Did you mean "PUBLIC"?',
  ]],
  ["a misspelt platform role", 'read: { access: { roles: ["sysadmn"] } },', [
    'ROLE_UNKNOWN 4:27 Unknown role "sysadmn", expected one of "viewer", "agent", "admin", "owner", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED", "sysadmin", "appmanager" | Did you mean "sysadmin"?',
  ]],
  ["a role twice", 'read: { access: { roles: ["admin", "admin"] } },', [
    'LISTED_TWICE 4:36 "admin" stands twice in "jobs.read.access.roles" | Remove one of the two',
  ]],
  ["an unknown platform role", 'read: { access: { userRole: ["admin"] } },', [
    'VALUE_UNKNOWN 4:30 "jobs.read.access.userRole[0]" is "admin", expected one of "sysadmin", "appmanager" | Write roles: ["admin"]: userRole is about who runs the platform',
  ]],
  ["an unknown column", 'read: { access: { record: { titel: { equals: "x" } } } },', [
    'COLUMN_UNKNOWN 4:29 Unknown column "titel" of table "jobs" | Did you mean "title"?',
  ]],
  ["an unknown operator", 'read: { access: { record: { title: { equal: "x" } } } },', [
    'OPERATOR_UNKNOWN 4:38 Unknown operator "equal" | Did you mean "equals"?',
  ]],
  ["an operator on a boolean", "read: { access: { record: { done: { lessThan: true } } } },", [
    'OPERATOR_MISPLACED 4:37 Operator "lessThan" does not apply to "done" here | Use "equals" or "notEquals"',
  ]],
  ["a value of another type", 'read: { access: { record: { amount: { greaterThan: "5" } } } },', [
    'OPERAND_TYPE 4:52 Column "amount" is compared with "5", expected an integer',
  ]],
  ["a value outside the enum", 'read: { access: { record: { status: "opened" } } },', [
    'OPERAND_TYPE 4:37 Column "status" is compared with "opened", expected one of "open", "closed" | Did you mean "open"?',
  ]],
  [
    "a list where one value stands",
    'read: { access: { record: { status: { equals: ["open"] } } } },',
    ['VALUE_TYPE 4:47 "jobs.read.access.record.status.equals" is a list, expected a literal or a value of ctx'],
  ],
  ["one value where a list stands", 'read: { access: { record: { status: { in: "open" } } } },', [
    'VALUE_TYPE 4:43 "jobs.read.access.record.status.in" is "open", expected a list with at least one value',
  ]],
  [
    "an unknown value of the caller",
    'read: { access: { record: { createdBy: { equals: "$ctx.userid" } } } },',
    ['CONTEXT_VALUE_UNKNOWN 4:50 Unknown value "ctx.userid", expected ctx.userId, ctx.activeOrgId, ctx.activeTeamId | Did you mean "ctx.userId"?'],
  ],
  ["no conditions", "read: { access: { record: {} } },", [
    'VALUE_INVALID 4:27 "jobs.read.access.record" is an empty object, expected at least one condition',
  ]],
  ["a condition on JSON", 'read: { access: { record: { settings: { equals: "x" } } } },', [
    'COLUMN_NOT_COMPARABLE 4:29 Column "settings" is of type json and cannot be compared',
  ]],
  ["an empty or", "read: { access: { or: [] } },", [
    'VALUE_TYPE 4:23 "jobs.read.access.or" is an empty list, expected a list with at least one rule',
  ]],
  [
    "a mistake inside or and and",
    'read: { access: { or: [{ roles: ["admin"] }, { and: [{ roles: ["*"] }] }] } },',
    ['ROLE_WILDCARD 4:64 Role "*" in "jobs.read.access.or[1].and[0].roles" does not exist | Write "PUBLIC" for everybody, "AUTHENTICATED" for everybody who is signed in'],
  ],
  [
    "a mistake in a batch's rule",
    'create: { access: { roles: ["admin"] }, batch: { access: { roles: ["*"] } } },',
    ['ROLE_WILDCARD 4:68 Role "*" in "jobs.create.batch.access.roles" does not exist | Write "PUBLIC" for everybody, "AUTHENTICATED" for everybody who is signed in'],
  ],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Access: ${title}`, () => {
    assertEquals(toldOf(withResource(source).errors), expected);
  });
}
