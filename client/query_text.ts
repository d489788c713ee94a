/** A query as the API reads it: lists with commas between, nothing for what is left out (contract 4.3). */

export function queryText(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const text = valueText(value);
    return text === null ? [] : [[name, text] as [string, string]];
  });
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** Null: left out. */
function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}
