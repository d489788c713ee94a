/** Values parted by commas, as `.in` and `.nin` take them (contract 4.3): a value that holds a comma or a quote stands in quotes, as in CSV. */

const ITEM = /([^",]*|"(?:[^"]|"")*")(,|$)/y;

/** The values of a list; null: a quote stands where none may. */
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

/** The list that `valuesIn` reads back as these values. */
export function listOf(values: readonly string[]): string {
  return values.map(listItem).join(",");
}

export function listItem(value: string): string {
  return /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
