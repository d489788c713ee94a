/**
 * Ids: each has one spelling, and another one of an id that could be there names no record (definitions 7); some are the
 * client's to choose (contract 4.1 rules 3 and 5).
 */
import { idPattern, type IdStrategy } from "../contract/mod.ts";
import type { TableModel } from "../model/mod.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WHOLE = /^(?:0|-?[1-9]\d*)$/;

/** True where an id has spellings that name no record: those that `isOtherSpelling` tells. */
export function hasOtherSpellings(strategy: IdStrategy): boolean {
  return strategy === "uuid" || strategy === "serial";
}

/** A UUID in another case, and what reads as a whole number where rows are counted: `01`, `+1`, `1.0`, `1e0`. */
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

/** Rule for `id` in a create body. With `generateId: false` nobody else could make one; integers are always counted. */
export function clientIdRule(table: TableModel): ClientIdRule {
  if (table.idStrategy === false) return "required";
  if (table.idStrategy === "serial") return "refused";
  return table.allowClientIds ? "optional" : "refused";
}

/** True where a row may get the id that another one had: one that a client chose, or that each database counts by itself. */
export function canIdsRecur(table: TableModel): boolean {
  return table.idStrategy === "serial" || clientIdRule(table) !== "refused";
}

/** Anchored source of the pattern that a client's id matches; null where ids are integers. */
export function clientIdPattern(table: TableModel): string | null {
  return table.idStrategy === "serial" ? null : idPattern(table.idStrategy, table.idPrefix);
}
