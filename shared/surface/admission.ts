/**
 * Evaluates `Access` for the access layer and the conformance manifest (contract 5.4, definitions 4.2). It decides conditions
 * on roles; conditions on the row are returned as the remaining rule.
 */
import { PLATFORM_ROLES } from "../contract/mod.ts";
import type { Access, Principal, RowPredicate } from "../model/mod.ts";
import { isGranted, type Ruled } from "./grants.ts";

/** Roles that a route requires: in the active organization, and outside of any. */
export interface RoleRule {
  readonly roles: readonly string[];
  /** Roles outside of an organization. `account`: the route serves what belongs to the account itself. */
  readonly outside: readonly string[] | "account";
  /** True: only a session is admitted; with organizations, only one that has chosen one. */
  readonly isOfSession?: true;
  /** True: credentials with permissions are admitted too, though no permission names the route. */
  readonly takesNarrowed?: true;
  /** True: `operations.manifest.json` does not name its roles. */
  readonly isUnlisted?: true;
}

/** The part of an access rule that remains to be checked on the row, for a known caller. */
export type RowRule = RowPredicate;

type Admission =
  | { readonly kind: "granted" }
  | { readonly kind: "refused" }
  | { readonly kind: "conditional"; readonly rule: RowRule };

const GRANTED: Admission = { kind: "granted" };
const REFUSED: Admission = { kind: "refused" };

/** Evaluates every part of the rule that does not need the row. */
export function admissionOf({ access, grant }: Ruled, principal: Principal): Admission {
  if (!isGranted(grant, principal.grants)) return REFUSED;
  return principal.credential === "delegated"
    ? admissionByName(access, principal)
    : admissionOfAnyone(access, principal);
}

/**
 * Admits a delegated principal only if a rule names one of its roles, because a condition alone admits only accounts (contract
 * 5.6).
 */
function admissionByName(access: Access, principal: Principal): Admission {
  switch (access.kind) {
    case "roles":
      return admissionOfAnyone(access, principal);
    case "any":
      return admissionOfAny(access.of.map((part) => admissionByName(part, principal)));
    case "first":
      return firstAdmission(access.of.map((part) => admissionByName(part, principal)));
    case "all": {
      const named = access.of.find((part) => admissionByName(part, principal).kind !== "refused");
      if (!named) return REFUSED;
      return admissionOfAll(
        access.of.map((part) =>
          part === named ? admissionByName(part, principal) : admissionOfAnyone(part, principal)
        ),
      );
    }
    default:
      return REFUSED;
  }
}

function admissionOfAnyone(access: Access, principal: Principal): Admission {
  switch (access.kind) {
    case "nobody":
      return REFUSED;
    case "roles":
      return access.roles.some((role) => holdsRole(principal, role)) ? GRANTED : REFUSED;
    case "userRole":
      return principal.userRole !== null && access.roles.includes(principal.userRole)
        ? GRANTED
        : REFUSED;
    case "record":
      return { kind: "conditional", rule: { kind: "conditions", conditions: access.conditions } };
    case "row":
      return { kind: "conditional", rule: access.predicate };
    case "all":
      return admissionOfAll(access.of.map((part) => admissionOfAnyone(part, principal)));
    case "any":
      return admissionOfAny(access.of.map((part) => admissionOfAnyone(part, principal)));
    case "first":
      return firstAdmission(access.of.map((part) => admissionOfAnyone(part, principal)));
  }
}

function firstAdmission(parts: readonly Admission[]): Admission {
  return parts.find((part) => part.kind !== "refused") ?? REFUSED;
}

function admissionOfAll(parts: readonly Admission[]): Admission {
  if (parts.length === 0 || parts.some((part) => part.kind === "refused")) return REFUSED;
  const rules = parts.flatMap((part) => part.kind === "conditional" ? [part.rule] : []);
  return rules.length === 0 ? GRANTED : { kind: "conditional", rule: combined("all", rules) };
}

function admissionOfAny(parts: readonly Admission[]): Admission {
  if (parts.some((part) => part.kind === "granted")) return GRANTED;
  const rules = parts.flatMap((part) => part.kind === "conditional" ? [part.rule] : []);
  return rules.length === 0 ? REFUSED : { kind: "conditional", rule: combined("any", rules) };
}

function combined(kind: "all" | "any", rules: readonly RowRule[]): RowRule {
  const [only] = rules;
  return rules.length === 1 && only ? only : { kind, of: rules };
}

/**
 * True when the caller has the role. Platform roles come only from `userRole`, project roles only from `roles`, so that neither
 * can be mistaken for the other.
 */
export function holdsRole(principal: Principal, role: string): boolean {
  switch (role) {
    case "PUBLIC":
      return true;
    case "AUTHENTICATED":
      return principal.credential !== "none" && principal.credential !== "delegated";
    case "SESSION":
      return principal.credential === "session" || principal.credential === "token";
    case "SCOPED":
      return principal.credential === "scope";
    default:
      return (PLATFORM_ROLES as readonly string[]).includes(role)
        ? principal.userRole === role
        : principal.roles.includes(role);
  }
}

/** True when an anonymous caller passes the authentication gate of this rule. */
export function isPublic(access: Access): boolean {
  switch (access.kind) {
    case "roles":
      return access.roles.includes("PUBLIC");
    case "all":
      return access.of.some(isPublic) &&
        access.of.every((part) => part.kind === "record" || part.kind === "row" || isPublic(part));
    case "any":
    case "first":
      return access.of.some(isPublic);
    default:
      return false;
  }
}

/** True when any part of the rule has a condition on the record. */
export function dependsOnRecord(access: Access): boolean {
  return access.kind === "record" || access.kind === "row" ||
    ("of" in access && access.of.some(dependsOnRecord));
}

/** Returns every role that the rule names, in order, for `details.required` (contract 4.2). */
export function rolesNamedBy(access: Access): readonly string[] {
  switch (access.kind) {
    case "roles":
    case "userRole":
      return access.roles;
    case "all":
    case "any":
    case "first":
      return [...new Set(access.of.flatMap(rolesNamedBy))];
    default:
      return [];
  }
}

/** Returns the rule of one of the service's own routes, for this caller. */
export function accessOf({ roles, outside }: RoleRule, { organizationId }: Principal): Access {
  if (organizationId !== null) return { kind: "roles", roles };
  return { kind: "roles", roles: outside === "account" ? ["AUTHENTICATED"] : outside };
}

/** True when the rule admits the caller. No permission of a narrowed credential names such a route. */
export function isAdmittedBy(rule: RoleRule, principal: Principal): boolean {
  return admissionOf({ access: accessOf(rule, principal), grant: null }, principal).kind ===
    "granted";
}
