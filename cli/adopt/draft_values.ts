/** The one gate for defaults and references of drafts: what the compiler takes is kept, the rest is told. */
import { type ColumnType, rulesOf, valuesOf } from "../../shared/column_types/mod.ts";
import type { DraftType, ForeignColumn, OnDelete } from "./draft.ts";

type Fallback = ForeignColumn["fallback"];

/** Null: no default of this column is that. */
export function fittingDefault(type: DraftType, fallback: Fallback): Fallback {
  if (fallback === null) return null;
  if (typeof fallback === "object") return type.kind === "timestamp" ? fallback : null;
  const column = columnTypeOf(type);
  // Such a text means whoever writes the row (definitions 3).
  if (fallback === "$ctx.userId" && rulesOf(column).holdsIds) return null;
  if (fallback === "now" && (rulesOf(column).isInstant || rulesOf(column).hasDay)) {
    return { kind: "now" };
  }
  const value = type.kind === "timestamp" ? instantOf(fallback) : fallback;
  return valuesOf({ type: column }).mismatch(value) === null ? value : null;
}

/** The rule of a foreign key, where its column can follow it. */
export function fittingOnDelete(onDelete: OnDelete | null, isRequired: boolean): OnDelete | null {
  return onDelete === "set null" && isRequired ? null : onDelete;
}

/** An enum has each of its values once, and a value at all; else it is a text. */
export function fittingType(type: DraftType): DraftType {
  if (type.kind !== "enum") return type;
  const values = [...new Set(type.values)];
  return values.length === 0 || values.includes("") ? { kind: "text" } : { kind: "enum", values };
}

/** `2020-01-02 03:04:05` as ISO 8601; anything else as it is. */
function instantOf(value: string | number | boolean): string | number | boolean {
  if (typeof value !== "string") return value;
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?$/.exec(value) ?? [];
  return day === undefined ? value : `${day}T${time}Z`;
}

function columnTypeOf(type: DraftType): ColumnType {
  switch (type.kind) {
    case "text":
      return { kind: "text", maxLength: null, enum: null };
    case "url":
      return { kind: "url", maxLength: null };
    default:
      return type;
  }
}
