/** `.default(value)`, checked against the column it stands on (definitions 3). */
import { normalizedDateTime } from "../../../../lib/timestamps.ts";
import type { ColumnDefault, JsonValue } from "../../../../model/column.ts";
import type { Value } from "../../values.ts";
import { readJson } from "../read/literal.ts";
import { type At, described } from "../read/reader.ts";
import type { ColumnDraft } from "./draft.ts";
import { mismatchOf, nearestMember } from "./values_of_type.ts";

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
  return { kind: "literal", value: stored(literal, type.kind) };
}

function expectedInstead(literal: JsonValue, { type, required }: ColumnDraft): string | null {
  if (literal === null) return required ? "a value, because the column is required" : null;
  if (!type || type.kind === "json") return null;
  return typeof literal === "object" ? "a single value" : mismatchOf(type, literal);
}

function stored(literal: JsonValue, kind: string): JsonValue {
  return kind === "timestamp" && typeof literal === "string"
    ? normalizedDateTime(literal) ?? literal
    : literal;
}
