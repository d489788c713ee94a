/** Formats a query: lists with commas, objects as JSON, undefined values omitted (contract 4.3). */

import { jsonText } from "./json_text.ts";

export function queryText(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = valueText(value);
    if (text !== null) parameters.append(name, text);
  }
  const search = parameters.toString();
  return search === "" ? "" : `?${search}`;
}

/** Formats a value; null: it is omitted. */
function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && !Array.isArray(value)) return jsonText(value);
  // A value with a comma or a quote is in quotes, as in CSV.
  return Array.isArray(value)
    ? value.map(String).map((value) =>
      /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
    ).join(",")
    : String(value);
}
