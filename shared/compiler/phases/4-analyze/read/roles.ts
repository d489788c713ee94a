/** Reads role names in rules: expands the hierarchy, refuses wildcards and near misses (definitions 4.2, contract 5.4). */
import * as principals from "../../../../contract/principals.ts";
import { editDistance, nearest } from "../../../../lib/nearest.ts";
import { isDelegatedRole } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Value } from "../../values.ts";
import { asRule, type At, invalidValue, type Token } from "./reader.ts";
import { readTokens } from "./scalars.ts";

/** Roles that the configuration declares; null if it could not be read, so that ranks are not checked. */
export type Hierarchy = RolesOfProject | null;

interface RolesOfProject {
  /** Roles of `auth.roleHierarchy`, lowest first. */
  readonly ranked: readonly string[];
  /** Roles of delegated principals, each `<principal>/<variant>` (contract 5.6). */
  readonly delegated: readonly string[];
  /** Every role that rules may name; null if the configuration has no list. */
  readonly known: readonly string[] | null;
  /** Names in rules that are in no list, each with its places. It grows while rules are read. */
  readonly unlisted: Map<string, Map<string, Place>>;
}

/** Reads at least one role. Each `role+` becomes that role and every later one of the hierarchy. */
export function readRoles(
  value: Value,
  hierarchy: Hierarchy,
  at: At,
): readonly string[] | undefined {
  const tokens = readTokens(value, asRule(at, "roles"));
  if (tokens && value.kind === "array" && value.items.length === 0) {
    return invalidValue(value, "a list with at least one role", at);
  }
  if (!tokens || tokens.length === 0) return undefined;
  return [...new Set(tokens.flatMap((token) => expandedRole(token, hierarchy, at)))];
}

/** Returns the roles of one word; none if the word is wrong, which is reported. */
export function expandedRole(token: Token, hierarchy: Hierarchy, at: At): string[] {
  const { text, place } = token;
  if (text === "*") {
    at.report.add("ROLE_WILDCARD", place, { path: at.path });
    return [];
  }
  if (text.endsWith("+")) {
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
  if (isDelegatedRole(text)) {
    // This is a delegated role `<principal>/<variant>`, declared in `auth.principals`.
    if (hierarchy === null || hierarchy.delegated.includes(text)) return [text];
    const meant = nearest(text, hierarchy.delegated);
    at.report.add("PRINCIPAL_UNKNOWN", place, { role: text, nearest: meant });
    return [];
  }
  if (!principals.ROLE_NAME.test(text)) {
    at.report.add("ROLE_NAME", place, { role: text });
    return [];
  }
  return isKnown(token, hierarchy, at) ? [text] : [];
}

/** False when the role was reported. Without a list, any name is accepted that is not a misspelt built-in role. */
function isKnown({ text, place }: Token, hierarchy: Hierarchy, at: At): boolean {
  const known = hierarchy?.known ?? null;
  if ((known ?? principals.STANDING_ROLES).includes(text)) return true;
  const meant = known === null ? reservedRole(text) : nearest(text, known);
  if (known !== null || meant !== null) {
    at.report.add("ROLE_UNKNOWN", place, { role: text, nearest: meant, known: known ?? [] });
    return false;
  }
  const places = hierarchy?.unlisted.get(text) ?? new Map<string, Place>();
  hierarchy?.unlisted.set(text, places.set(`${place.file}:${place.line}:${place.column}`, place));
  return true;
}

/**
 * Limit of letters by which a misspelt role differs from a role of every project. A name that differs more is a role of its
 * own.
 */
const SLIPS = 2;

/**
 * Warns of each name that occurs once and is similar to a role of every project. Without a list no other check detects a typo.
 */
export function warnOfLoneRoles(hierarchy: Hierarchy, report: Report): void {
  for (const [role, places] of hierarchy?.unlisted ?? []) {
    const [place] = places.values();
    const meant = principals.STANDING_ROLES.find((name) =>
      editDistance(role.toLowerCase(), name.toLowerCase()) <= SLIPS
    );
    if (places.size === 1 && place && meant !== undefined) {
      report.add("ROLE_SUSPECT", place, { role, nearest: meant });
    }
  }
}

/** Returns the pseudo-role or platform role that this role probably misspells; null if it is different enough. */
function reservedRole(role: string): string | null {
  const pseudo = principals.PSEUDO_ROLES.find((name) => isNear(role.toUpperCase(), name));
  // A role that differs from a pseudo-role only in case would silently admit no one, or everyone.
  if (pseudo && (role === role.toUpperCase() || role.toUpperCase() === pseudo)) return pseudo;
  return principals.PLATFORM_ROLES.find((name) => isNear(role, name)) ?? null;
}

/**
 * True when a word is a slip of a name. Short names are close to each other, so the length of the known name allows none, one
 * or two slips.
 */
function isNear(word: string, name: string): boolean {
  const slips = name.length < 5 ? 0 : name.length < 8 ? 1 : 2;
  return editDistance(word.toLowerCase(), name.toLowerCase()) <= slips;
}
