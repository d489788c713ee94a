/** Each id has one spelling: another one of an id that could be there names no record (definitions 7). */
import type { IdStrategy } from "../contract/ids.ts";

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
