/** Chooses all names of drafts: each foreign name becomes one that the compiler accepts and that is unique at its place. */
import { parseExpression } from "@babel/parser";
import pluralize from "pluralize";
import { reservedSqlNames } from "../../shared/model/mod.ts";
import { camelCase, DEFINITION_NAME, kebabCase, snakeCase } from "../../shared/surface/names.ts";
import {
  isReservedColumn,
  isReservedSegment,
  isTruthValue,
  reasonAgainstTable,
} from "../../shared/surface/reserved_names.ts";

/** Maximum length of a name; longer ones are cut, because files and indexes are named after them. */
const NAME_MAX_LENGTH = 60;

/** Returns the key by which a table is recognized: `Order Items` and `order_item` give `order_items`. */
export function tableKey(foreign: string): string {
  return pluralize(snakeCase(lettersOf(lastPartOf(foreign))));
}

/**
 * Returns one name for each foreign name, in their order: in camel case, in the plural, and different from those that are
 * `present`. `s2.addr` is a table in the schema `s2`.
 */
export function tableNames(
  foreign: readonly string[],
  present: readonly string[],
): readonly string[] {
  const taken = new Set(present.map(keyOf));
  const reserved = reservedSqlNames();
  return foreign.map((name) =>
    firstFree(tableCandidates(name), taken, (candidate) => isTableName(candidate, reserved))
  );
}

/** Returns one name for each foreign name, in their order: in camel case, and different from those that are `taken`. */
export function columnNames(
  foreign: readonly string[],
  taken: readonly string[],
): readonly string[] {
  const keys = new Set(taken.map(keyOf));
  return foreign.map((name) => firstFree(columnCandidates(name), keys, isColumnName));
}

/** True when a person recognizes one name in the other at once. */
export function isSpelledAlike(foreign: string, ours: string): boolean {
  const letters = (name: string) => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  return letters(foreign) === letters(ours) ||
    letters(pluralize(snakeCase(foreign))) === letters(ours);
}

/** Returns the key of a name: two names with one key are the same name in SQL and in URLs. */
function keyOf(name: string): string {
  return snakeCase(name);
}

/** Returns the first candidate that is allowed and free, and marks it as taken. */
function firstFree(
  candidates: Iterable<string>,
  taken: Set<string>,
  isAllowed: (name: string) => boolean,
): string {
  for (const candidate of candidates) {
    if (!isAllowed(candidate) || taken.has(keyOf(candidate))) continue;
    taken.add(keyOf(candidate));
    return candidate;
  }
  throw new Error("Candidates of a name never end");
}

function* tableCandidates(foreign: string): Iterable<string> {
  const letters = lettersOf(lastPartOf(foreign)) || "table";
  const plural = cut(camelCase(pluralize(snakeCase(letters))));
  yield plural;
  yield cut(camelCase(pluralize(snakeCase(lettersOf(foreign)))));
  yield cut(camelCase(`${pluralize.singular(snakeCase(letters))} records`));
  yield* counted(`app${plural.charAt(0).toUpperCase()}${plural.slice(1)}`);
}

function* columnCandidates(foreign: string): Iterable<string> {
  const name = cut(camelCase(lettersOf(foreign) || "column"));
  yield name;
  yield `${name}Value`;
  yield* counted(/^[a-z]/.test(name) ? name : `x${name}`);
}

function* counted(name: string): Iterable<string> {
  yield name;
  for (let count = 2;; count++) yield `${name}${count}`;
}

function isTableName(name: string, reserved: ReturnType<typeof reservedSqlNames>): boolean {
  const sqlName = snakeCase(name);
  return DEFINITION_NAME.test(name) && isVariable(name) &&
    reasonAgainstTable(name, sqlName, reserved) === null && !isReservedSegment(kebabCase(name)) &&
    // A file with this name contains actions, and an index of another table could have this name.
    name !== "actions" && !/_(idx|unique)(_\d+)?$/.test(sqlName);
}

function isColumnName(name: string): boolean {
  return DEFINITION_NAME.test(name) && !isReservedColumn(name) && !isTruthValue(snakeCase(name));
}

/**
 * Reduces a name to letters from a to z and digits, separated by blanks. Signs that distinguish `+1` from `-1` become words.
 */
function lettersOf(foreign: string): string {
  const plain = foreign.normalize("NFKD").replace(/\p{M}/gu, "");
  const signed = plain.replace(/^\s*\+(?=\d)/, "plus ").replace(/^\s*-(?=\d)/, "minus ");
  return signed.replace(/[^A-Za-z0-9]+/g, " ").trim();
}

function lastPartOf(foreign: string): string {
  const last = foreign.slice(foreign.lastIndexOf(".") + 1);
  return lettersOf(last) === "" ? foreign : last;
}

function cut(name: string): string {
  return name.slice(0, NAME_MAX_LENGTH);
}

/** True when the name can be a variable: tables are imported by their names. */
function isVariable(name: string): boolean {
  try {
    parseExpression(`function (${name}) { "use strict"; }`, { sourceType: "module" });
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
