/**
 * Lists names that the service, the database or JavaScript reserves (definitions 1 and 3). The compiler and drafts share this
 * rule.
 */
import { isObjectMember } from "../lib/object_members.ts";
import { RESERVED_PREFIXES, reservedSqlNames } from "../model/mod.ts";

/** Segments of routes directly below the API base. */
const SEGMENTS = new Set(["token", "changeset", "auth"]);

/** SQLite's databases of one connection. With a table of that name, `main.id` would be ambiguous. */
const SCHEMAS = ["main", "temp"];

/** Names that responses and modules contain themselves, so that no column may have them. */
const CARRIED_NAMES = ["prototype", "included"];

const TRUTH_VALUES = ["true", "false"];

/** Reserved names for a table: its own names, and those that the service uses in SQL. */
export type ReservedSqlNames = ReturnType<typeof reservedSqlNames>;

/** Returns the reason why no table may have the name; null: a table may. `sqlName` is in lower case. */
export function reasonAgainstTable(
  name: string,
  sqlName: string,
  { tables, indexes }: ReservedSqlNames = reservedSqlNames(),
): string | null {
  if (tables.has(sqlName)) return "the service has a table of that name";
  if (indexes.has(sqlName)) return "an index of the service has that name";
  const prefix = RESERVED_PREFIXES.find((beginning) => sqlName.startsWith(beginning));
  if (prefix !== undefined) return `names that begin with "${prefix}" are kept`;
  if (SCHEMAS.includes(sqlName)) return "SQLite calls a whole database so";
  return isObjectMember(name) ? "every object in JavaScript has a member of that name" : null;
}

/** True for the URL segment of a route of the service (contract 4). */
export function isReservedSegment(segment: string): boolean {
  return SEGMENTS.has(segment);
}

/** True for a name that every object has, or that responses contain themselves. No column may have it. */
export function isReservedColumn(name: string): boolean {
  return CARRIED_NAMES.includes(name) || isObjectMember(name);
}

/** True for an SQL name that SQLite reads as a boolean. */
export function isTruthValue(sqlName: string): boolean {
  return TRUTH_VALUES.includes(sqlName.toLowerCase());
}
