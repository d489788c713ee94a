/** Chooses a plausible value for a column, so that the demo rows of any project are readable. */
import { rulesOf, valuesOf } from "../../../shared/column_types/mod.ts";
import type { ColumnModel, JsonValue } from "../../../shared/model/mod.ts";
import { wordsOf } from "../../../shared/surface/mod.ts";

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

export function sampleValue(column: ColumnModel, now: string): JsonValue {
  if (rulesOf(column.type).isInstant) return now;
  const { choices, example } = valuesOf(column);
  return choices === null ? example(sampleText(column)) : choices[0] ?? null;
}

function sampleText(column: ColumnModel): string {
  const words = wordsOf(column.name);
  const last = words.at(-1) ?? "";
  if (Object.hasOwn(BY_LAST_WORD, last)) return BY_LAST_WORD[last] ?? "";
  return `Sample ${words.join(" ")}`;
}
