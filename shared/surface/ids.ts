/**
 * Defines the spellings of ids. Each id has one spelling, and another one identifies no record (definitions 7). A client may
 * choose some ids (contract 4.1 rules 3 and 5).
 */
import { idPattern, type IdStrategy } from "../contract/mod.ts";
import type { TableModel } from "../model/mod.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WHOLE = /^(?:0|-?[1-9]\d*)$/;

/** True for ids with spellings that identify no record, which `isOtherSpelling` recognizes. */
export function hasOtherSpellings(strategy: IdStrategy): boolean {
  return strategy === "uuid" || strategy === "serial";
}

/** True for a UUID in another case, and for another spelling of a counted id's whole number: `01`, `+1`, `1.0`, `1e0`. */
export function isOtherSpelling(text: string, strategy: IdStrategy): boolean {
  switch (strategy) {
    case "uuid":
      return UUID.test(text) && text !== text.toLowerCase();
    case "serial":
      return !WHOLE.test(text) && text.trim() !== "" && Number.isInteger(Number(text));
    default:
      return false;
  }
}

type ClientIdRule = "required" | "optional" | "refused";

/**
 * Returns the rule for `id` in a create body. With `generateId: false` the client must send it; integers are always counted.
 */
export function clientIdRule(table: TableModel): ClientIdRule {
  if (table.idStrategy === false) return "required";
  if (table.idStrategy === "serial") return "refused";
  return table.allowClientIds ? "optional" : "refused";
}

/** True when a row may get the id of a former row: one that a client chose, or that each database counts by itself. */
export function canIdsRecur(table: TableModel): boolean {
  return table.idStrategy === "serial" || clientIdRule(table) !== "refused";
}

/** Returns the anchored source of the pattern that a client's id matches; null for integers. */
export function clientIdPattern(table: TableModel): string | null {
  return table.idStrategy === "serial" ? null : idPattern(table.idStrategy, table.idPrefix);
}
