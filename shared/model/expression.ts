/** The expression of a computed column (definitions 3): parsed from the author's function, typed and exact. */

/**
 * Values are in stored form: decimals are whole numbers without their point, booleans are 0 and 1. An operand that is null
 * makes the result null, except in `coalesce` and `isNull`.
 */
export type Expression =
  | { readonly op: "column"; readonly name: string }
  /** A whole number as digits, because it may be larger than a double can hold. */
  | { readonly op: "number"; readonly digits: string }
  | { readonly op: "real"; readonly value: number }
  | { readonly op: "text"; readonly value: string }
  | { readonly op: "bool"; readonly value: boolean }
  | { readonly op: "null" }
  /** Arithmetic of whole numbers. A multiplication by a power of ten moves a decimal's point. */
  | { readonly op: Arithmetic; readonly isReal: boolean; readonly of: Two }
  | { readonly op: "negate"; readonly of: One }
  /** Converts a whole number with this many digits behind its point to a double. */
  | { readonly op: "toReal"; readonly scale: number; readonly of: One }
  | { readonly op: "compare"; readonly by: Comparison; readonly of: Two }
  | { readonly op: "isNull" | "not" | "boolText"; readonly of: One }
  | { readonly op: "and" | "or" | "coalesce"; readonly of: Two }
  /** The condition, the value if true, the value if false. */
  | { readonly op: "choose"; readonly of: Three }
  | { readonly op: "join"; readonly of: readonly Expression[] }
  /** Converts a whole number with this many digits behind its point to text. */
  | { readonly op: "decimalText"; readonly scale: number; readonly of: One }
  | { readonly op: "datePart"; readonly part: DatePart; readonly of: One }
  /** The quotient of whole numbers, rounded half to even; null when the divisor is zero. */
  | { readonly op: "divide"; readonly of: Two };

export type Arithmetic = "plus" | "minus" | "times";
export type Comparison = "<" | "<=" | ">" | ">=" | "=" | "<>";

/** Parts of a date. For `weekday` 0 is Sunday. */
export const DATE_PARTS = ["year", "month", "day", "weekday"] as const;
export type DatePart = typeof DATE_PARTS[number];

type One = readonly [Expression];
type Two = readonly [Expression, Expression];
type Three = readonly [Expression, Expression, Expression];

/** Returns the direct operands of an expression. */
export function operandsOf(expression: Expression): readonly Expression[] {
  return "of" in expression ? expression.of : [];
}

/** Returns the columns that an expression names, without duplicates. */
export function columnsIn(expression: Expression): readonly string[] {
  const names = new Set<string>();
  const visit = (one: Expression) => {
    if (one.op === "column") names.add(one.name);
    operandsOf(one).forEach(visit);
  };
  visit(expression);
  return [...names];
}
