/** `.default(value)`, checked against the column it stands on (definitions 3). */
import { rulesOf, valuesOf } from "../../../../column_types/mod.ts";
import type { ColumnDefault, ColumnType, JsonValue } from "../../../../model/table.ts";
import type { Value } from "../../values.ts";
import { readJson } from "../read/literal.ts";
import { type At, described } from "../read/reader.ts";
import type { ColumnDraft } from "./draft.ts";
import { nearest } from "../../../../lib/nearest.ts";

/** Undefined when there is none, or when it is wrong and reported. */
export function readColumnDefault(
  value: Value,
  column: ColumnDraft,
  at: At,
): ColumnDefault | undefined {
  const { type } = column;
  const literal = readJson(value, at);
  if (literal === undefined || !type) return undefined;
  const expected = expectedInstead(literal, column);
  if (expected !== null) {
    const details = {
      column: column.name,
      found: described(value),
      expected,
      nearest: nearestMember(type, literal),
    };
    at.report.add("DEFAULT_INVALID", value.place, details);
    return undefined;
  }
  if (literal === null) return undefined;
  return { kind: "literal", value: valuesOf({ type }).normal(literal) };
}

function expectedInstead(literal: JsonValue, { type, required }: ColumnDraft): string | null {
  if (literal === null) return required ? "a value, because the column is required" : null;
  if (!type || rulesOf(type).isStructured) return null;
  return typeof literal === "object" ? "a single value" : valuesOf({ type }).mismatch(literal);
}

/** The member of a closed set that a text was probably meant to be. */
export function nearestMember(type: ColumnType, value: JsonValue): string | null {
  const members = valuesOf({ type }).enum;
  return typeof value === "string" && members !== null ? nearest(value, members) : null;
}
