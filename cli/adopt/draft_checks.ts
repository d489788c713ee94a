/** Applies checks that a column type can express: bounds, lengths, and closed sets of values. */
import { type ColumnType, valuesOf } from "../../shared/column_types/mod.ts";
import { type Comparison, type Condition, conjuncts, type Literal } from "./conditions.ts";
import type { DraftType } from "./foreign_schema.ts";

/** Column with the properties that checks change. */
export interface Checked {
  readonly type: DraftType;
  readonly isRequired: boolean;
}

/** Returns the columns with the check applied, by the source's names; null: no type can express the check. */
export function withCheck(
  condition: Condition,
  columns: ReadonlyMap<string, Checked>,
): ReadonlyMap<string, Checked> | null {
  const result = new Map(columns);
  for (const part of conjuncts(condition).map(withoutNull)) {
    const [name, bounded] = boundedBy(part, result) ?? [];
    if (name === undefined || !bounded) return null;
    result.set(name, bounded);
  }
  return result;
}

/** Removes a redundant null test: `a IS NULL OR a > 0` restricts values like `a > 0`, because null passes every check. */
function withoutNull(condition: Condition): Condition {
  if (condition.kind !== "any") return setOf(condition) ?? condition;
  const rest = condition.of.filter((one) => !isNullTest(one));
  const [only, ...others] = rest;
  if (only && others.length === 0) return withoutNull(only);
  return setOf({ kind: "any", of: rest }) ?? condition;
}

function isNullTest(condition: Condition): boolean {
  return condition.kind === "compare" && condition.by === "equals" &&
    condition.with.kind === "literal" && condition.with.value === null;
}

/** Reads `a = 'x' OR a = 'y'` as a set of values. */
function setOf(condition: Condition): Condition | null {
  const parts = condition.kind === "any" ? condition.of : [condition];
  const values: Literal[] = [];
  const columns = new Set<string>();
  for (const part of parts) {
    const one = part.kind === "any" ? setOf(part) : part;
    if (one?.kind === "in") values.push(...one.values);
    else if (one?.kind === "compare" && one.by === "equals" && one.with.kind === "literal") {
      values.push(one.with.value);
    } else return null;
    columns.add(one.column);
  }
  const [column, ...others] = columns;
  if (column === undefined || others.length > 0 || values.includes(null)) return null;
  return { kind: "in", column, values };
}

type Bounded = readonly [name: string, column: Checked];

function boundedBy(part: Condition, columns: ReadonlyMap<string, Checked>): Bounded | null {
  if (!("column" in part)) return null;
  const column = columns.get(part.column);
  if (!column) return null;
  const bounded = (type: DraftType | null): Bounded | null =>
    type === null ? null : [part.column, { ...column, type }];
  switch (part.kind) {
    case "in":
      return bounded(withValues(column.type, part.values));
    case "length":
      return bounded(withLength(column.type, part.by, part.value));
    case "pattern":
      return bounded(withPattern(column.type, part.pattern, part.examples));
    case "compare": {
      if (part.with.kind !== "literal") return null;
      const { value } = part.with;
      if (value === null) {
        return part.by === "notEquals" ? [part.column, { ...column, isRequired: true }] : null;
      }
      if (part.by === "notEquals" && value === "" && column.type.kind === "text") {
        return bounded(withLength(column.type, "greaterThan", 0));
      }
      return bounded(withBound(column.type, part.by, value));
    }
  }
}

function withValues(type: DraftType, values: readonly Literal[]): DraftType | null {
  if (type.kind === "text" || type.kind === "enum") {
    const texts = values.filter((value) => typeof value === "string");
    const known = type.kind === "enum" ? texts.filter((one) => type.values.includes(one)) : texts;
    const isSaid = known.length === values.length && known.length > 0 && !known.includes("");
    return isSaid ? { kind: "enum", values: [...new Set(known)] } : null;
  }
  if (type.kind === "bool") return values.length >= 2 ? type : null;
  if (type.kind !== "int") return null;
  const numbers = values.map(Number);
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const isWhole = max - min + 1 === new Set(numbers).size;
  return isWhole ? fitting({ ...type, min, max }) : null;
}

function withLength(type: DraftType, by: Comparison, value: number): DraftType | null {
  if (!Number.isSafeInteger(value)) return null;
  if (type.kind === "url" && (by === "lessThanOrEqual" || by === "lessThan")) {
    return { ...type, maxLength: Math.max(1, by === "lessThan" ? value - 1 : value) };
  }
  if (type.kind !== "text" || type.enum !== null) return null;
  const most = by === "lessThanOrEqual" || by === "equals"
    ? value
    : by === "lessThan"
    ? value - 1
    : null;
  const least = by === "greaterThanOrEqual" || by === "equals"
    ? value
    : by === "greaterThan"
    ? value + 1
    : null;
  if (most === null && least === null) return null;
  const maxLength = most === null ? type.maxLength : Math.min(most, type.maxLength ?? most);
  const minLength = Math.max(least ?? 0, type.minLength ?? 0);
  if (maxLength !== null && (maxLength < 1 || minLength > maxLength)) return null;
  return { ...type, maxLength, ...(minLength > 0 ? { minLength } : {}) };
}

/**
 * Adds a pattern. The compiler proves that it matches in linear time; the examples must match it and fit the column's length.
 */
function withPattern(
  type: DraftType,
  pattern: string,
  examples: readonly string[],
): DraftType | null {
  if (type.kind !== "text" || type.enum !== null || type.pattern !== undefined) return null;
  const expression = compiled(pattern);
  const met = examples.filter((example) =>
    expression?.test(example) && valuesOf({ type }).mismatch(example) === null
  );
  return met.length === 0 ? null : { ...type, pattern, examples: met };
}

function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function withBound(
  type: DraftType,
  by: Comparison,
  literal: string | number | boolean,
): DraftType | null {
  if (by === "equals" || by === "notEquals") return null;
  const isLower = by === "greaterThan" || by === "greaterThanOrEqual";
  const isStrict = by === "greaterThan" || by === "lessThan";
  switch (type.kind) {
    case "int": {
      const number = Number(literal);
      if (!Number.isFinite(number)) return null;
      const whole = isLower ? Math.ceil(number) : Math.floor(number);
      const value = isStrict && whole === number ? whole + (isLower ? 1 : -1) : whole;
      return fitting(narrowed(type, isLower, value, (one, other) => one - other));
    }
    case "real":
      return isStrict
        ? null
        : fitting(narrowed(type, isLower, Number(literal), (one, other) => one - other));
    case "decimal": {
      // A strict bound becomes an inclusive one, one smallest step of its scale away.
      const number = Number(literal) + (isStrict ? (isLower ? 1 : -1) * 10 ** -type.scale : 0);
      if (!Number.isFinite(number)) return null;
      const value = number.toFixed(type.scale);
      return fitting(narrowed(type, isLower, value, (one, other) => Number(one) - Number(other)));
    }
    case "date":
    case "timestamp":
      return isStrict || typeof literal !== "string" || type.kind === "timestamp"
        ? null
        : fitting(narrowed(type, isLower, literal, (one, other) => one < other ? -1 : 1));
    default:
      return null;
  }
}

function narrowed<Value, Type extends { readonly min?: Value; readonly max?: Value }>(
  type: Type,
  isLower: boolean,
  value: Value,
  compare: (one: Value, other: Value) => number,
): Type {
  const before = isLower ? type.min : type.max;
  const isNarrower = before === undefined || (compare(value, before) > 0) === isLower;
  return { ...type, [isLower ? "min" : "max"]: isNarrower ? value : before };
}

/** Returns the type; null: no value is between its bounds, or one of them is invalid. */
function fitting(type: Extract<DraftType, { readonly min?: unknown }>): DraftType | null {
  const plain: ColumnType = type.kind === "decimal"
    ? { kind: "decimal", precision: type.precision, scale: type.scale }
    : { kind: type.kind };
  const bounds = [type.min, type.max].filter((bound) => bound !== undefined);
  if (bounds.some((bound) => valuesOf({ type: plain }).mismatch(bound) !== null)) return null;
  return bounds.some((bound) => valuesOf({ type }).mismatch(bound) !== null) ? null : type;
}
