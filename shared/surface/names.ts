/**
 * Converts one name between its spellings in URLs, SQL, types and ids. Digits stay with the word before them (definitions 1).
 */

/** Matches a name of a table or a column. The compiler and drafts share this rule. */
export const DEFINITION_NAME = /^[a-z][A-Za-z0-9_]*$/;

/** Splits a name into words: `atsImports` → `["ats", "imports"]`, `HTTPServer2_log` → `["http", "server2", "log"]`. */
export function wordsOf(name: string): readonly string[] {
  // Most names are one word.
  if (/^[a-z0-9]+$/.test(name)) return [name];
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

export function kebabCase(name: string): string {
  return wordsOf(name).join("-");
}

/**
 * Returns the known name of a written one: the same name, or the one with this spelling in URLs (`work-orders` is
 * `workOrders`); undefined: none. The API accepts either and answers with the known one (contract 2.1).
 */
export function nameMeant(written: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  return names.find((name) => name === written) ??
    names.find((name) => kebabCase(name) === written);
}

export function snakeCase(name: string): string {
  return wordsOf(name).join("_");
}

export function pascalCase(name: string): string {
  return wordsOf(name).map(capitalized).join("");
}

export function camelCase(name: string): string {
  const [first = "", ...rest] = wordsOf(name);
  return first + rest.map(capitalized).join("");
}

/** Capitalizes a word. An underscore separates one that begins with a digit, so that `a_1` and `a1` stay two names. */
function capitalized(word: string): string {
  return /^\d/.test(word) ? `_${word}` : word.charAt(0).toUpperCase() + word.slice(1);
}
