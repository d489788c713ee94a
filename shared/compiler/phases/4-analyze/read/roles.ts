/** Role names in rules: hierarchy expanded, wildcards and near misses refused (definitions 4.2, contract 5.4). */
import * as principals from "../../../../contract/principals.ts";
import { editDistance, nearest } from "../../../../lib/nearest.ts";
import { isDelegatedRole } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Value } from "../../values.ts";
import { asRule, type At, invalidValue, type Token } from "./reader.ts";
import { readTokens } from "./scalars.ts";

/** Roles that the configuration knows; null when it could not be read, so that no rank can be judged. */
export type Hierarchy = RolesOfProject | null;

interface RolesOfProject {
  /** `auth.roleHierarchy`, lowest first. */
  readonly ranked: readonly string[];
  /** `<principal>/<variant>` of each delegated principal (contract 5.6). */
  readonly delegated: readonly string[];
  /** Every role that rules may name; null: the configuration lists none. */
  readonly known: readonly string[] | null;
  /** Names in rules that no list contains, each with its places. It grows while rules are read. */
  readonly unlisted: Map<string, Map<string, Place>>;
}

/** At least one role; each `role+` is that role and every later one of the hierarchy. */
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

/** The roles that one word stands for; none when it is wrong and reported. */
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
    // `<principal>/<variant>`, as `auth.principals` declares it.
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

/** False when the role was reported. Where nothing is listed any name goes that is no slip of a role with a meaning of ours. */
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

/** Letters in which a role may differ from one that every project has before it is one of its own. */
const SLIPS = 2;

/**
 * Warns of each name that occurs once and is similar to a role of every project. Without a list nothing else detects a typo.
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

/** The pseudo- or platform role that was meant, when this one is too close to it to be another. */
function reservedRole(role: string): string | null {
  const pseudo = principals.PSEUDO_ROLES.find((name) => isNear(role.toUpperCase(), name));
  // A role that differs from a pseudo-role only in case would silently admit nobody, or everybody.
  if (pseudo && (role === role.toUpperCase() || role.toUpperCase() === pseudo)) return pseudo;
  return principals.PLATFORM_ROLES.find((name) => isNear(role, name)) ?? null;
}

/** Short role names lie close to each other: none, one or two slips, by the length of the known one. */
function isNear(word: string, name: string): boolean {
  const slips = name.length < 5 ? 0 : name.length < 8 ? 1 : 2;
  return editDistance(word.toLowerCase(), name.toLowerCase()) <= slips;
}
