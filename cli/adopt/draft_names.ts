/** Names of drafts: foreign ones in the letters that definitions have, or a refusal. Nothing else of them is printed as code. */
import { parseExpression } from "@babel/parser";
import pluralize from "pluralize";
import { camelCase, DEFINITION_NAME, snakeCase } from "../../shared/surface/names.ts";
import { DraftError } from "./draft.ts";

/** `Order Items`, `order_item` → `order_items`: what a table is recognised by. */
export function tableKey(foreign: string): string {
  return pluralize(snakeCase(lettersOf(foreign)));
}

/** In camel case and in the plural. Throws `DraftError` where nothing of the name can be one of ours. */
export function tableName(foreign: string): string {
  return named(camelCase(tableKey(foreign)), "table", foreign);
}

/** In camel case. Throws `DraftError` where nothing of the name can be one of ours. */
export function columnName(foreign: string): string {
  return named(camelCase(lettersOf(foreign)), "column", foreign);
}

/** Throws `DraftError` when two foreign names become one. */
export function requireDistinct(
  names: readonly (readonly [foreign: string, ours: string])[],
  what: string,
): void {
  const taken = new Map<string, string>();
  for (const [foreign, ours] of names) {
    // SQL tells no letters apart by their case.
    const key = ours.toLowerCase();
    const other = taken.get(key);
    if (other !== undefined) {
      throw new DraftError(
        `The ${what} ${quoted(other)} and ${quoted(foreign)} would both be "${ours}": rename one`,
      );
    }
    taken.set(key, foreign);
  }
}

function lettersOf(foreign: string): string {
  return foreign.replace(/[^A-Za-z0-9]+/g, " ");
}

function named(name: string, what: string, foreign: string): string {
  if (DEFINITION_NAME.test(name) && (what === "column" || isVariable(name))) return name;
  throw new DraftError(
    `The ${what} ${
      quoted(foreign)
    } has no name that definitions can have: rename it, with a letter of a to z first`,
  );
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

function quoted(foreign: string): string {
  return JSON.stringify(foreign.slice(0, 80));
}
