/** Reads `access` into its one normal form (definitions 4.2). */
import { PLATFORM_ROLES } from "../../../../contract/mod.ts";
import { ACCESS } from "../../../../definition_language/rules.ts";
import type { Access } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { type Fields, readFields } from "../read/fields.ts";
import { ACCESS_FORMS, USER_ROLE_FORMS } from "../read/other_words.ts";
import { type At, below, described, invalidValue, type Reader, wrongType } from "../read/reader.ts";
import { asRule, itemAt } from "../read/reader.ts";
import { listOf, oneOf } from "../read/scalars.ts";
import type { RuleScope } from "../tables/predicates.ts";
import { readRecord } from "../tables/conditions.ts";
import { sizeOf } from "../tables/predicate_tree.ts";
import { requireSize } from "../tables/settled_firewall.ts";
import { readRoles } from "../read/roles.ts";

export const NOBODY: Access = { kind: "nobody" };

/** Returns a reader of an access rule. If any part is wrong, it reports that and returns a rule that admits no one. */
export function readAccess(scope: RuleScope): Reader<Access> {
  return (value, at) => readRule(value, scope, asRule(at, "access")) ?? NOBODY;
}

function readRule(value: Value, scope: RuleScope, at: At): Access | undefined {
  if (value.kind !== "object") return wrongType(value, "an object of rules", at, ruleForm(value));
  const fields = readFields(value, ACCESS, at, ACCESS_FORMS);
  if (!fields) return undefined;
  if (fields.entries.size === 0) {
    // The object is empty or has only unknown keys, which were reported.
    const isEmpty = value.kind === "object" && value.entries.length === 0;
    return isEmpty ? invalidValue(value, "roles, or another condition", at) : undefined;
  }
  // Reads one entry for each key of the rule; `undefined` if it is wrong.
  const readers: Record<keyof AccessFields["members"], Reader<Access>> = {
    roles: (value, at) => {
      // An empty list is a draft's rule that admits no one yet.
      if (value.kind === "array" && value.items.length === 0) return NOBODY;
      const roles = readRoles(value, scope.hierarchy, at);
      return roles && { kind: "roles", roles };
    },
    userRole: (value, at) => {
      const roles = readPlatformRoles(value, at);
      return roles && { kind: "userRole", roles };
    },
    record: (value, at) => {
      const predicate = readRecord(value, scope, at);
      if (!predicate) return undefined;
      if (predicate.kind === "conditions") {
        return { kind: "record", conditions: predicate.conditions };
      }
      const { name } = scope.table;
      const rule = { table: name, place: value.place, report: at.report };
      return requireSize(sizeOf(predicate), rule) ? { kind: "row", predicate } : undefined;
    },
    or: (value, at) => readRules(value, "any", scope, at),
    and: (value, at) => readRules(value, "all", scope, at),
  };
  const parts = Object.entries(readers).flatMap(([key, reader]) => {
    const entry = fields.entries.get(key);
    return entry ? [reader(entry.value, below(fields.at, key))] : [];
  });
  const known = parts.filter((part) => part !== undefined);
  if (known.length !== parts.length) return undefined;
  return combined("all", known);
}

/** Returns a suggestion for a role, or a list of roles, in place of a rule. */
function ruleForm(value: Value): string | null {
  const items = value.kind === "array" ? value.items : [value];
  const roles = items.flatMap((item) => item.kind === "string" ? [described(item)] : []);
  if (roles.length > 0) return `Write { roles: [${roles.join(", ")}] }`;
  if (value.kind !== "boolean") return null;
  return value.value ? 'Write { roles: ["PUBLIC"] }' : "Leave the operation out: nobody may";
}

type AccessFields = Fields<(typeof ACCESS)["members"]>;

function readRules(
  value: Value,
  kind: "all" | "any",
  scope: RuleScope,
  at: At,
): Access | undefined {
  if (value.kind !== "array" || value.items.length === 0) {
    return wrongType(value, "a list with at least one rule", at);
  }
  const rules = value.items.map((item, index) => readRule(item, scope, itemAt(at, index)));
  const known = rules.filter((rule) => rule !== undefined);
  return known.length === rules.length ? combined(kind, known) : undefined;
}

function combined(kind: "all" | "any", of: readonly Access[]): Access {
  const [only] = of;
  return of.length === 1 && only ? only : { kind, of };
}

/** Reads one platform role, or a list of them. */
function readPlatformRoles(value: Value, at: At): readonly string[] | undefined {
  const role = oneOf(PLATFORM_ROLES, USER_ROLE_FORMS);
  if (value.kind === "string") {
    const single = role(value, at);
    return single === undefined ? undefined : [single];
  }
  const roles = listOf(role)(value, at);
  if (value.kind === "array" && value.items.length === 0) {
    return invalidValue(value, "a list with at least one role", at);
  }
  return roles?.length === 0 ? undefined : roles;
}
