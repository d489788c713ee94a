/**
 * Reads literals that fit a column, and values of the caller. They are operands of conditions, and defaults (definitions 3,
 * 4.1, 4.2).
 */
import { accountOf, rulesOf, storageOf, valuesOf } from "../../../../column_types/mod.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { type ColumnDefault, type ColumnType, CONTEXT_KEYS } from "../../../../model/mod.ts";
import { CONTEXT_LISTS, type JsonValue, type Operand, type Scalar } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { type At, described, readJson, wrongType } from "../read/mod.ts";
import type { ColumnDraft } from "./draft.ts";
import { readMadeDefault } from "./made_default.ts";

/** Matches `ctx.x` and `$ctx.x`, which are equal. */
const CONTEXT_VALUE = /^\$?ctx\.(.*)$/;

/** Reads one value. */
export function readOperand(value: Value, column: ColumnDraft, at: At): Operand | undefined {
  const key = contextName(value);
  if (key === null) {
    const literal = readScalar(value, column, at);
    if (literal === undefined) return undefined;
    return column.type && storageOf(column.type).decimal
      ? { kind: "literal", value: literal, isDecimal: true }
      : { kind: "literal", value: literal };
  }
  const known = CONTEXT_KEYS.find((name) => name === key);
  if (!known) return unknownContext(value, key, CONTEXT_KEYS, at);
  return holdsText(column, value, at) ? { kind: "context", key: known } : undefined;
}

/** Reads a list of values. */
export function readListOperand(value: Value, column: ColumnDraft, at: At): Operand | undefined {
  const key = contextName(value);
  if (key !== null) {
    const known = CONTEXT_LISTS.find((name) => name === key);
    if (!known) return unknownContext(value, key, CONTEXT_LISTS, at);
    return holdsText(column, value, at) ? { kind: "contextList", key: known } : undefined;
  }
  if (value.kind !== "array" || value.items.length === 0) {
    return wrongType(value, "a list with at least one value", at);
  }
  const values = value.items.map((item) => readScalar(item, column, at));
  const known = values.filter((item) => item !== undefined);
  return known.length === values.length ? { kind: "literals", values: known } : undefined;
}

function contextName(value: Value): string | null {
  return value.kind === "string" ? CONTEXT_VALUE.exec(value.value)?.[1] ?? null : null;
}

function readScalar(value: Value, column: ColumnDraft, at: At): Scalar | undefined {
  if (value.kind === "null") return null;
  if (value.kind !== "string" && value.kind !== "number" && value.kind !== "boolean") {
    return wrongType(value, "a literal or a value of ctx", at);
  }
  if (!column.type) return value.value;
  const values = valuesOf({ type: column.type });
  const expected = values.mismatch(value.value);
  return expected === null
    ? values.normal(value.value)
    : operandMismatch(value, column, expected, at);
}

/** Checks that a column is compared with the id of a user, organization or team only if it contains text. */
function holdsText(column: ColumnDraft, value: Value, at: At): boolean {
  if (!column.type || rulesOf(column.type).holdsIds) return true;
  operandMismatch(value, column, `a value of type ${column.type.kind}`, at);
  return false;
}

function operandMismatch(
  value: Value,
  column: ColumnDraft,
  expected: string,
  at: At,
): undefined {
  const found = described(value);
  const meant = column.type && value.kind === "string"
    ? nearestMember(column.type, value.value)
    : null;
  at.report.add("OPERAND_TYPE", value.place, {
    column: column.name,
    expected,
    found,
    nearest: meant,
  });
  return undefined;
}

function unknownContext(
  value: Value,
  key: string,
  known: readonly string[],
  at: At,
): undefined {
  at.report.add("CONTEXT_VALUE_UNKNOWN", value.place, {
    value: key,
    known: known.map((name) => `ctx.${name}`).join(", "),
    nearest: nearest(key, known),
  });
  return undefined;
}

/** Reads a default; undefined when there is none, or it is wrong, which is reported. */
export function readColumnDefault(
  value: Value,
  column: ColumnDraft,
  at: At,
): ColumnDefault | undefined {
  const { type } = column;
  const made = readMadeDefault(value, column, at);
  if (made !== null) return made;
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
  if (accountOf(type) !== null) return '"$ctx.userId", as no account is a member everywhere';
  if (literal === null) return required ? "a value, because the column is required" : null;
  if (!type) return null;
  const isSingle = typeof literal !== "object" || rulesOf(type).isStructured;
  return isSingle ? valuesOf({ type }).mismatch(literal) : "a single value";
}

/** Returns the member of a closed set that the text probably misspells. */
function nearestMember(type: ColumnType, value: JsonValue): string | null {
  const members = valuesOf({ type }).enum;
  return typeof value === "string" && members !== null ? nearest(value, members) : null;
}
