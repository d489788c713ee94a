/**
 * Values separated by commas, as `.in` and `.nin` take them (contract 4.3). As in CSV, a value with a comma or a quote is in
 * quotes.
 */

const ITEM = /([^",]*|"(?:[^"]|"")*")(,|$)/y;

/** Parses a list; null when a quote is misplaced. */
export function valuesIn(text: string): readonly string[] | null {
  const values: string[] = [];
  const item = new RegExp(ITEM);
  for (;;) {
    const found = item.exec(text);
    if (!found) return null;
    const [, value = "", end] = found;
    values.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === "") return values;
  }
}

/** Formats values as a list that `valuesIn` parses back. */
export function listOf(values: readonly string[]): string {
  return values.map(listItem).join(",");
}

export function listItem(value: string): string {
  return /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
