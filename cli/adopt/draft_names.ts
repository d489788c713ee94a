/** The one gate for names of drafts: each foreign name becomes one that the compiler takes, and that nothing beside it has. */
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

/** Longer names are cut: files and indexes are called after them. */
const NAME_MAX_LENGTH = 60;

/** `Order Items`, `order_item` → `order_items`: what a table is recognised by. */
export function tableKey(foreign: string): string {
  return pluralize(snakeCase(lettersOf(lastPartOf(foreign))));
}

/** In camel case and in the plural, one for each foreign name, in their order, apart from those that are `present`; `s2.addr` stands in the schema `s2`. */
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

/** In camel case, one for each foreign name, in their order, apart from those that are `taken`. */
export function columnNames(
  foreign: readonly string[],
  taken: readonly string[],
): readonly string[] {
  const keys = new Set(taken.map(keyOf));
  return foreign.map((name) => firstFree(columnCandidates(name), keys, isColumnName));
}

/** True where a person sees at once that one name is the other. */
export function isSpelledAlike(foreign: string, ours: string): boolean {
  const letters = (name: string) => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  return letters(foreign) === letters(ours) ||
    letters(pluralize(snakeCase(foreign))) === letters(ours);
}

/** Two names with one key are one name in SQL and in URLs. */
function keyOf(name: string): string {
  return snakeCase(name);
}

/** The first that is allowed and free; it is taken then. */
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
    // A file of this name holds actions, and an index of another table could be called so.
    name !== "actions" && !/_(idx|unique)(_\d+)?$/.test(sqlName);
}

function isColumnName(name: string): boolean {
  return DEFINITION_NAME.test(name) && !isReservedColumn(name) && !isTruthValue(snakeCase(name));
}

/** The letters of a to z, and digits, apart by blanks; signs that tell `+1` from `-1` are words. */
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

/** Tables are imported under their names. */
function isVariable(name: string): boolean {
  try {
    parseExpression(`function (${name}) { "use strict"; }`, { sourceType: "module" });
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
