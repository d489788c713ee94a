/** A plausible value for a column, so that a demo row of any project reads well. */
import type { ColumnModel } from "../../../shared/model/column.ts";
import { wordsOf } from "../../../shared/surface/names.ts";

const BY_LAST_WORD: Readonly<Record<string, string>> = {
  email: "jane.doe@example.com",
  phone: "+1 555 010 4567",
  mobile: "+1 555 010 4567",
  name: "Jane Doe",
  company: "Example Ltd",
  city: "Lisbon",
  country: "PT",
  currency: "EUR",
  slug: "sample",
  code: "S-1",
  ssn: "123-45-6789",
};

/** Undefined where the column is better left out. */
export function sampleValue(column: ColumnModel, now: string): unknown {
  switch (column.type.kind) {
    case "text":
      if (column.type.enum) return column.type.enum[0];
      return clipped(sampleText(column), column.type.maxLength);
    case "enum":
      return column.type.values[0];
    case "url":
      return "https://example.com/sample";
    case "timestamp":
      return now;
    case "int":
    case "real":
      return 1;
    case "json":
      return {};
    default:
      return undefined;
  }
}

function sampleText(column: ColumnModel): string {
  const words = wordsOf(column.name);
  const last = words.at(-1) ?? "";
  if (Object.hasOwn(BY_LAST_WORD, last)) return BY_LAST_WORD[last] ?? "";
  return `Sample ${words.join(" ")}`;
}

function clipped(text: string, maxLength: number | null): string {
  return maxLength === null ? text : [...text].slice(0, maxLength).join("");
}
