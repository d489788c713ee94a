/** Role names in rules: hierarchy expanded, wildcards and near misses refused (definitions 4.2, contract 5.4). */
import {
  ORGANIZATION_ROLES,
  PLATFORM_ROLES,
  PSEUDO_ROLES,
  ROLE_NAME,
} from "../../../../contract/principals.ts";
import { isDelegatedRole } from "../../../../model/principal.ts";
import type { Value } from "../../values.ts";
import { editDistance, nearest } from "../../../../lib/nearest.ts";
import { type At, invalidValue, type Token } from "./reader.ts";
import { readTokens } from "./scalars.ts";

/** Roles that the configuration knows; null when it could not be read, so that no rank can be judged. */
export type Hierarchy = KnownRoles | null;

interface KnownRoles {
  /** `auth.roleHierarchy`, lowest first. */
  readonly ranked: readonly string[];
  /** `<principal>/<variant>` of each delegated principal (contract 5.6). */
  readonly delegated: readonly string[];
}

/** At least one role; each `role+` is that role and every later one of the hierarchy. */
export function readRoles(
  value: Value,
  hierarchy: Hierarchy,
  at: At,
): readonly string[] | undefined {
  const tokens = readTokens(value, at);
  if (tokens && value.kind === "array" && value.items.length === 0) {
    return invalidValue(value, "a list with at least one role", at);
  }
  if (!tokens || tokens.length === 0) return undefined;
  return [...new Set(tokens.flatMap((token) => expandedRole(token, hierarchy, at)))];
}

/** The roles that one word stands for; none when it is wrong and reported. */
export function expandedRole(token: Token, hierarchy: Hierarchy, at: At): string[] {
  const { text, place } = token;
  if (text === "*") {
    at.report.add("ROLE_WILDCARD", place, { path: at.path });
    return [];
  }
  if (text.endsWith("+")) return fromHierarchy(token, hierarchy, at);
  if (isDelegatedRole(text)) return delegatedRole(token, hierarchy, at);
  const meant = ROLE_NAME.test(text) ? misspelt(text, hierarchy?.ranked ?? []) : null;
  if (meant !== null) {
    at.report.add("ROLE_UNKNOWN", place, { role: text, nearest: meant });
    return [];
  }
  if (!ROLE_NAME.test(text)) {
    at.report.add("ROLE_NAME", place, { role: text });
    return [];
  }
  return [text];
}

function fromHierarchy({ text, place }: Token, hierarchy: Hierarchy, at: At): string[] {
  const role = text.slice(0, -1);
  if (hierarchy === null) return [role];
  const rank = hierarchy.ranked.indexOf(role);
  if (rank < 0) {
    const meant = nearest(role, hierarchy.ranked);
    at.report.add("ROLE_OUTSIDE_HIERARCHY", place, { role, nearest: meant });
    return [];
  }
  return [...hierarchy.ranked.slice(rank)];
}

/** `<principal>/<variant>`, as `auth.principals` declares it. */
function delegatedRole({ text, place }: Token, hierarchy: Hierarchy, at: At): string[] {
  if (hierarchy === null || hierarchy.delegated.includes(text)) return [text];
  const meant = nearest(text, hierarchy.delegated);
  at.report.add("PRINCIPAL_UNKNOWN", place, { role: text, nearest: meant });
  return [];
}

/** The role that was meant, when this one is too close to it to be another. */
function misspelt(role: string, hierarchy: readonly string[]): string | null {
  const known = [...PSEUDO_ROLES, ...PLATFORM_ROLES, ...ORGANIZATION_ROLES, ...hierarchy];
  if (known.includes(role)) return null;
  const pseudo = PSEUDO_ROLES.find((name) => isNear(role.toUpperCase(), name));
  // A role that differs from a pseudo-role only in case would silently admit nobody, or everybody.
  if (pseudo && (role === role.toUpperCase() || role.toUpperCase() === pseudo)) return pseudo;
  const named = hierarchy.length > 0
    ? [...PLATFORM_ROLES, ...ORGANIZATION_ROLES, ...hierarchy]
    : PLATFORM_ROLES;
  return named.find((name) => isNear(role, name)) ?? null;
}

/** Short role names lie close to each other: none, one or two slips, by the length of the known one. */
function isNear(word: string, name: string): boolean {
  const slips = name.length < 5 ? 0 : name.length < 8 ? 1 : 2;
  return editDistance(word.toLowerCase(), name.toLowerCase()) <= slips;
}
