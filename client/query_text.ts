/** A query as the API reads it: lists with commas between, nothing for what is left out (contract 4.3). */

export function queryText(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = valueText(value);
    if (text !== null) parameters.append(name, text);
  }
  const search = parameters.toString();
  return search === "" ? "" : `?${search}`;
}

/** Null: left out. */
function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}
