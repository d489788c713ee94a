import { assert, assertEquals } from "@std/assert";
import type { Access } from "../../../shared/model/access.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import { admissionOf, isPublic, rolesNamedBy } from "../../../shared/surface/admission.ts";
import { mayAdmit } from "../../../shared/oracle/judge.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { caller } from "../../support/sample_model.ts";

const roles = (...names: readonly string[]): Access => ({ kind: "roles", roles: names });
const all = (...of: readonly Access[]): Access => ({ kind: "all", of });
const any = (...of: readonly Access[]): Access => ({ kind: "any", of });
const OWN: Access = {
  kind: "record",
  conditions: [{
    column: "createdBy",
    operator: "equals",
    operand: { kind: "context", key: "userId" },
  }],
};

/** Stands before something that permissions name. */
const admitted = (access: Access, principal: Principal) =>
  admissionOf({ access, grant: { resource: "tickets", verbs: ["read", "update"] } }, principal);

const session: Principal = { ...caller("agent"), credential: "session" };
const apiKey: Principal = { ...caller("agent"), credential: "apiKey" };
const scoped: Principal = { ...ANONYMOUS, credential: "scope" };
const delegated: Principal = { ...ANONYMOUS, credential: "delegated" };
const sysadmin: Principal = { ...session, roles: [], userRole: "sysadmin" };

Deno.test("pseudo-roles admit by credential", () => {
  const rows: readonly (readonly [string, readonly boolean[]])[] = [
    // anonymous, session, token, API key, scope token, delegated
    ["PUBLIC", [true, true, true, true, true, true]],
    ["AUTHENTICATED", [false, true, true, true, true, false]],
    ["SESSION", [false, true, true, false, false, false]],
    ["SCOPED", [false, false, false, false, true, false]],
    ["agent", [false, true, true, true, false, false]],
  ];
  const principals = [ANONYMOUS, session, caller("agent"), apiKey, scoped, delegated];
  for (const [role, expected] of rows) {
    const outcomes = principals.map((one) => admitted(roles(role), one).kind === "granted");
    assertEquals(outcomes, expected, role);
  }
});

Deno.test("a narrowed credential is admitted where its permissions hold everything that is needed", () => {
  const rows: readonly (readonly [NonNullable<Principal["grants"]>, "granted" | "refused"])[] = [
    [{ tickets: ["read", "update"] }, "granted"],
    [{ "*": ["read"], tickets: ["update"] }, "granted"],
    [{ "*": ["read", "update", "delete"] }, "granted"],
    [{ tickets: ["read"] }, "refused"],
    [{ customers: ["read", "update"] }, "refused"],
    [{}, "refused"],
  ];
  for (const [grants, expected] of rows) {
    const { kind } = admitted(roles("PUBLIC"), { ...apiKey, grants });
    assertEquals(kind, expected, JSON.stringify(grants));
  }
  const unnamed = { access: roles("PUBLIC"), grant: null };
  assertEquals(admissionOf(unnamed, apiKey).kind, "granted");
  assertEquals(admissionOf(unnamed, { ...apiKey, grants: { "*": ["read"] } }).kind, "refused");
});

Deno.test("neither platform roles nor pseudo-roles can be claimed as project roles", () => {
  const impostor = caller("sysadmin", "appmanager", "SCOPED", "PUBLIC");
  for (const role of ["sysadmin", "appmanager", "SCOPED"]) {
    assertEquals(admitted(roles(role), impostor).kind, "refused", role);
  }
  assertEquals(admitted({ kind: "userRole", roles: ["sysadmin"] }, impostor).kind, "refused");
  assertEquals(admitted(roles("sysadmin"), sysadmin).kind, "granted");
  assertEquals(admitted({ kind: "userRole", roles: ["sysadmin"] }, sysadmin).kind, "granted");
});

Deno.test("a platform role admits whom the rule names, and no other one", () => {
  const appmanager: Principal = { ...sysadmin, userRole: "appmanager" };
  const named = (...roles: readonly ("sysadmin" | "appmanager")[]) => {
    const access: Access = { kind: "userRole", roles };
    return [sysadmin, appmanager, session].map((one) => admitted(access, one).kind);
  };
  assertEquals(named("sysadmin"), ["granted", "refused", "refused"]);
  assertEquals(named("appmanager"), ["refused", "granted", "refused"]);
  assertEquals(named("sysadmin", "appmanager"), ["granted", "granted", "refused"]);
});

Deno.test("rules combine, and what depends on the record is left over", () => {
  const agent = caller("agent");
  const rows: readonly (readonly [Access, string])[] = [
    [{ kind: "nobody" }, "refused"],
    [all(), "refused"],
    [any(), "refused"],
    [all(roles("agent"), roles("admin")), "refused"],
    [any(roles("agent"), roles("admin")), "granted"],
    [OWN, "conditional"],
    [all(roles("agent"), OWN), "conditional"],
    [all(roles("admin"), OWN), "refused"],
    [any(roles("agent"), OWN), "granted"],
    [any(roles("admin"), OWN), "conditional"],
    [all({ kind: "nobody" }, OWN), "refused"],
    [any({ kind: "nobody" }, all(roles("agent"), OWN)), "conditional"],
  ];
  for (const [access, kind] of rows) {
    assertEquals(admitted(access, agent).kind, kind, JSON.stringify(access));
  }
});

Deno.test("isPublic() is true only where an anonymous caller may get through", () => {
  const rows: readonly (readonly [Access, boolean])[] = [
    [roles("PUBLIC"), true],
    [roles("admin", "PUBLIC"), true],
    [roles("AUTHENTICATED"), false],
    [OWN, false],
    [{ kind: "nobody" }, false],
    [all(roles("PUBLIC"), OWN), true],
    [all(roles("PUBLIC"), roles("admin")), false],
    [all(), false],
    [any(roles("admin"), roles("PUBLIC")), true],
  ];
  for (const [access, expected] of rows) {
    assertEquals(isPublic(access), expected, JSON.stringify(access));
    // Whom the gate lets through is not always admitted, but nobody else ever is.
    if (!expected && JSON.stringify(access) !== JSON.stringify(OWN)) {
      assertEquals(admitted(access, ANONYMOUS).kind, "refused", JSON.stringify(access));
    }
  }
});

Deno.test("rolesNamedBy() lists every named role once", () => {
  assertEquals(rolesNamedBy(any(roles("a", "b"), all(roles("b", "c"), OWN))), ["a", "b", "c"]);
});

/** A rule of some depth; `first` stands at the top alone, as in the rules of views. */
function randomRule(random: Random, depth: number): Access {
  const parts = () =>
    Array.from({ length: 1 + random.below(3) }, () => randomRule(random, depth - 1));
  switch (random.below(depth > 0 ? 6 : 3)) {
    case 0:
      return OWN;
    case 1:
      return roles(
        ...[["agent"], ["PUBLIC"], ["AUTHENTICATED"], ["kiosk/hall"]][random.below(4)] ?? [],
      );
    case 2:
      return { kind: "userRole", roles: ["sysadmin"] };
    case 3:
      return { kind: "nobody" };
    case 4:
      return any(...parts());
    default:
      return all(...parts());
  }
}

Deno.test("the first part that admits a caller is the rule, whoever it is, and so the oracle says", () => {
  const random = seededRandom(5);
  const kiosk: Principal = { ...delegated, roles: ["kiosk/hall"] };
  const callers = [ANONYMOUS, session, apiKey, scoped, delegated, kiosk, sysadmin];
  let admissions = 0;
  for (let at = 0; at < 3000; at += 1) {
    const of = Array.from({ length: 1 + random.below(3) }, () => randomRule(random, 2));
    const access: Access = { kind: "first", of };
    for (const one of callers) {
      const parts = of.map((part) => admitted(part, one));
      const expected = parts.find(({ kind }) => kind !== "refused") ?? { kind: "refused" };
      assertEquals(admitted(access, one), expected);
      assertEquals(mayAdmit(access, one), expected.kind !== "refused", JSON.stringify({ of, one }));
      if (expected.kind !== "refused") admissions += 1;
    }
    assertEquals(isPublic(access), of.some(isPublic));
  }
  assert(admissions > 3000 && admissions < 18_000, String(admissions));
});
