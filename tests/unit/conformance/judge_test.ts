/** The second reading of access rules, firewalls and masks (definitions 4.1, 4.2, 4.4), as tables. */
import { assertEquals } from "@std/assert";
import {
  admits,
  compare,
  isHeld,
  isOpen,
  isShown,
  mayAdmit,
} from "../../../shared/oracle/judge.ts";
import {
  type Access,
  allOf,
  anyOf,
  type Condition,
  hasRole,
  recordMatches,
} from "../../../shared/model/access.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import { tasks } from "../../support/sample_project.ts";

const AGENT: Principal = {
  credential: "token",
  userId: "ann",
  organizationId: "org",
  teamId: null,
  roles: ["agent"],
  userRole: null,
};
const SYSADMIN: Principal = { ...AGENT, roles: [], userRole: "sysadmin" };
const CLAIMANT: Principal = { ...AGENT, roles: ["sysadmin"] };
const SCOPE: Principal = { ...ANONYMOUS, credential: "scope", organizationId: "org" };
const KEY: Principal = { ...AGENT, credential: "apiKey" };
const DELEGATE: Principal = { ...ANONYMOUS, credential: "delegated", roles: ["kiosk/reader"] };

const HELD: readonly (readonly [string, string, Principal, boolean])[] = [
  ["PUBLIC is anyone's", "PUBLIC", ANONYMOUS, true],
  ["AUTHENTICATED takes a scope token", "AUTHENTICATED", SCOPE, true],
  ["AUTHENTICATED takes an API key", "AUTHENTICATED", KEY, true],
  ["AUTHENTICATED takes no delegate", "AUTHENTICATED", DELEGATE, false],
  ["AUTHENTICATED takes nobody", "AUTHENTICATED", ANONYMOUS, false],
  ["SESSION takes a token minted from one", "SESSION", AGENT, true],
  ["SESSION takes no API key", "SESSION", KEY, false],
  ["SESSION takes no scope token", "SESSION", SCOPE, false],
  ["SCOPED takes a scope token only", "SCOPED", AGENT, false],
  ["a project role is held in the organization", "agent", AGENT, true],
  ["a platform role comes from the account", "sysadmin", SYSADMIN, true],
  ["a platform role cannot be claimed as a member's", "sysadmin", CLAIMANT, false],
];

for (const [sentence, role, caller, expected] of HELD) {
  Deno.test(`isHeld() ${sentence}`, () => assertEquals(isHeld(role, caller), expected));
}

const MINE = recordMatches({
  column: "createdBy",
  operator: "equals",
  operand: { kind: "context", key: "userId" },
});

const ADMITTED: readonly (readonly [string, Access, Principal, boolean, boolean])[] = [
  ["a role alone needs no row", hasRole("agent"), AGENT, true, true],
  ["a condition alone admits by the row", MINE, AGENT, true, true],
  ["a condition on the caller fails for who has none", MINE, SCOPE, true, false],
  ["both must hold", allOf(hasRole("admin"), MINE), AGENT, false, false],
  ["either may hold", anyOf(hasRole("admin"), MINE), AGENT, true, true],
  ["nobody is nobody", { kind: "nobody" }, SYSADMIN, false, false],
  ["a delegate is admitted by name only", MINE, DELEGATE, false, false],
  ["a delegate whose role is named", hasRole("kiosk/reader"), DELEGATE, true, true],
];

for (const [sentence, access, caller, may, does] of ADMITTED) {
  Deno.test(`admits(): ${sentence}`, () => {
    assertEquals([mayAdmit(access, caller), admits(access, caller, { createdBy: "ann" })], [
      may,
      does,
    ]);
  });
}

const COMPARED:
  readonly (readonly [Condition["operator"], unknown, Condition["operand"], boolean])[] = [
    ["equals", "a", { kind: "literal", value: "a" }, true],
    ["equals", null, { kind: "literal", value: null }, true],
    ["notEquals", null, { kind: "literal", value: "a" }, true],
    ["in", "b", { kind: "literals", values: ["a", "b"] }, true],
    ["notIn", "b", { kind: "literals", values: ["a", "b"] }, false],
    ["lessThan", 4, { kind: "literal", value: 5 }, true],
    ["lessThan", 5, { kind: "literal", value: 5 }, false],
    ["lessThanOrEqual", 5, { kind: "literal", value: 5 }, true],
    ["greaterThan", null, { kind: "literal", value: 5 }, false],
    ["greaterThanOrEqual", "b", { kind: "literal", value: "a" }, true],
    ["lessThan", "\u{ffff}", { kind: "literal", value: "\u{10000}" }, true],
    ["notEquals", "x", { kind: "context", key: "activeTeamId" }, false],
    ["in", "agent", { kind: "contextList", key: "roles" }, true],
  ];

for (const [operator, actual, operand, expected] of COMPARED) {
  Deno.test(`compare() ${JSON.stringify(actual)} ${operator} ${JSON.stringify(operand)}`, () => {
    const { holds } = compare({ column: "c", operator, operand }, AGENT, { c: actual });
    assertEquals(holds, expected);
  });
}

Deno.test("isOpen() asks for PUBLIC on every way in", () => {
  assertEquals(isOpen(hasRole("PUBLIC")), true);
  assertEquals(isOpen(anyOf(hasRole("agent"), hasRole("PUBLIC"))), true);
  assertEquals(isOpen(allOf(hasRole("PUBLIC"), MINE)), true);
  assertEquals(isOpen(allOf(hasRole("PUBLIC"), hasRole("agent"))), false);
  assertEquals(isOpen(MINE), false);
});

Deno.test("isShown() lets a mask's roles and the row's owner see", () => {
  const mask = {
    type: "email",
    showRoles: ["agent"],
    showOwner: true,
    queryRoles: [],
    automatic: false,
  } as const;
  const subject = (owner: string) => ({
    row: { [tasks.ownerColumn]: owner },
    table: tasks,
  });
  assertEquals(isShown(mask, AGENT, subject("bob")), true);
  assertEquals(isShown(mask, SYSADMIN, subject("ann")), true);
  assertEquals(isShown(mask, SYSADMIN, subject("bob")), false);
  assertEquals(isShown(mask, ANONYMOUS, subject("ann")), false);
});
