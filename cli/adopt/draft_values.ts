/** Converts types, defaults and rules of deletion: what the compiler accepts is kept, and the rest is reported. */
import { rulesOf, valuesOf } from "../../shared/column_types/mod.ts";
import { type JsonValue, RANDOM_LENGTH, SEQUENCE_START_MAX } from "../../shared/contract/mod.ts";
import { isObjectMember } from "../../shared/lib/object_members.ts";
import type { DraftDefault } from "./draft.ts";
import { type DraftType, type ForeignDefault, type OnDelete, TEXT } from "./foreign_schema.ts";

/**
 * Returns the default; null: the type cannot have it. `made`: true for a value that the service generates in another way than
 * the source.
 */
export function fittingDefault(
  type: DraftType,
  value: ForeignDefault,
): { readonly fallback: DraftDefault; readonly made: string | null } | null {
  const rules = rulesOf(type);
  const as = (fallback: DraftDefault, made: string | null = null) => ({ fallback, made });
  switch (value.kind) {
    case "value": {
      const isNow = typeof value.value === "string" && /^now(\(\))?$/i.test(value.value);
      if (isNow && (rules.isInstant || rules.hasDay)) return as({ kind: "now" });
      const literal = converted(type, value.value);
      return literal === undefined ? null : as({ kind: "literal", value: literal });
    }
    case "now":
      return rules.isInstant || rules.hasDay ? as({ kind: "now" }) : null;
    case "userId":
      return type.kind === "text" && isPlainText(type) ? as({ kind: "userId" }) : null;
    case "random": {
      if (type.kind !== "text" || !isPlainText(type)) return null;
      const length = Math.min(type.maxLength ?? 32, 32);
      if (length < Math.max(RANDOM_LENGTH.min, type.minLength ?? 0)) return null;
      return as({ kind: "random", length }, "made ids became random texts");
    }
    case "sequence": {
      if (type.kind !== "int" || type.max !== undefined) return null;
      const start = Math.max(value.start, type.min ?? 0);
      if (!Number.isInteger(start) || start < 0 || start > SEQUENCE_START_MAX) return null;
      return as({ kind: "sequence", start }, "numbers are counted for each organization");
    }
    case "unknown":
      return null;
  }
}

function isPlainText(type: Extract<DraftType, { readonly kind: "text" }>): boolean {
  return type.enum === null && type.pattern === undefined;
}

/** Converts a literal to a value of the type, such as `'0'` of a flag or `'{}'` of JSON; undefined: it is not one. */
function converted(type: DraftType, literal: JsonValue): JsonValue | undefined {
  const value = spelled(type, literal);
  if (value === undefined || value === null || !isWritable(value)) return undefined;
  // This text stands for the caller who writes the row (definitions 3).
  if (value === "$ctx.userId" && rulesOf(type).holdsIds) return undefined;
  if (type.kind === "json") return value;
  return valuesOf({ type }).mismatch(value) === null ? value : undefined;
}

function spelled(type: DraftType, literal: JsonValue): JsonValue | undefined {
  const text = typeof literal === "string" ? literal.trim() : null;
  switch (type.kind) {
    case "bool":
      return FLAGS.get(String(literal).toLowerCase());
    case "int":
    case "real":
      return text === null
        ? literal
        : /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)
        ? Number(text)
        : undefined;
    case "decimal":
      return typeof literal === "number" ? String(literal) : text?.replace(/^\+/, "");
    case "text":
    case "enum":
      return typeof literal === "number" ? String(literal) : literal;
    case "timestamp":
      return text === null ? undefined : instantOf(text);
    case "date":
      return text?.replace(/^(\d{4}-\d\d-\d\d)[ T].*$/, "$1");
    case "json":
      return text === null ? literal : parsedJson(text);
    case "list":
      return text === null ? literal : text === "{}" || text === "[]" ? [] : undefined;
    default:
      return literal;
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "1", "t", "y", "yes", "on"].map((word) => [word, true] as const),
  ...["false", "0", "f", "n", "no", "off"].map((word) => [word, false] as const),
]);

/** Converts `2020-01-02 03:04:05` to ISO 8601; any other text stays unchanged. */
function instantOf(text: string): string {
  const [, day, time = "00:00:00"] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.\d+)?)?(?:Z|\+00(?::?00)?)?$/.exec(text) ?? [];
  return day === undefined ? text : `${day}T${time}Z`;
}

function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * True for a value that a definition can contain: it has no key reserved by JavaScript, and no text that a file cannot contain.
 */
function isWritable(value: JsonValue, depth = 0): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return value !== null || depth > 0;
  if (depth > 5) return false;
  if (Array.isArray(value)) return value.every((one) => isWritable(one, depth + 1));
  return Object.entries(value).every(([key, one]) =>
    /^[A-Za-z]\w*$/.test(key) && !isObjectMember(key) && key !== "prototype" &&
    one !== undefined && isWritable(one, depth + 1)
  );
}

/** Returns the deletion rule of a foreign key, if its column can have it. */
export function fittingOnDelete(onDelete: OnDelete | null, isRequired: boolean): OnDelete | null {
  return onDelete === "set null" && isRequired ? null : onDelete;
}

/** Returns the type. An enum must have at least one value and no repeats; otherwise it becomes a text. */
export function fittingType(type: DraftType): DraftType {
  if (type.kind === "list") {
    const of = fittingType(type.of);
    return of.kind === "json" || of.kind === "list" ? { kind: "json" } : { ...type, of };
  }
  if (type.kind !== "enum") return type;
  const values = [...new Set(type.values)];
  const isSaid = values.length > 0 && values.every((value) => value !== "" && isWritable(value));
  return isSaid ? { kind: "enum", values } : TEXT;
}
