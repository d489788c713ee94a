/** The expression of a computed column (definitions 3): read from its author's function, typed, and exact. */

/**
 * Values are in stored form: decimals are whole numbers without their point, booleans 0 and 1. Null in, null out, but for
 * `coalesce` and `isNull`.
 */
export type Expression =
  | { readonly op: "column"; readonly name: string }
  /** A whole number, whose digits may be more than a double holds. */
  | { readonly op: "number"; readonly digits: string }
  | { readonly op: "real"; readonly value: number }
  | { readonly op: "text"; readonly value: string }
  | { readonly op: "bool"; readonly value: boolean }
  | { readonly op: "null" }
  /** Whole numbers, of which `times` ten to a power moves the point. */
  | { readonly op: Arithmetic; readonly isReal: boolean; readonly of: Two }
  | { readonly op: "negate"; readonly of: One }
  /** A whole number with so many digits behind its point, as a double. */
  | { readonly op: "toReal"; readonly scale: number; readonly of: One }
  | { readonly op: "compare"; readonly by: Comparison; readonly of: Two }
  | { readonly op: "isNull" | "not" | "boolText"; readonly of: One }
  | { readonly op: "and" | "or" | "coalesce"; readonly of: Two }
  /** Condition, then, else. */
  | { readonly op: "choose"; readonly of: Three }
  | { readonly op: "join"; readonly of: readonly Expression[] }
  /** A whole number with so many digits behind its point, as text. */
  | { readonly op: "decimalText"; readonly scale: number; readonly of: One }
  | { readonly op: "datePart"; readonly part: DatePart; readonly of: One }
  /** The quotient of whole numbers, rounded half to even; null by zero. */
  | { readonly op: "divide"; readonly of: Two };

export type Arithmetic = "plus" | "minus" | "times";
export type Comparison = "<" | "<=" | ">" | ">=" | "=" | "<>";

/** `weekday`: 0 is Sunday. */
export const DATE_PARTS = ["year", "month", "day", "weekday"] as const;
export type DatePart = typeof DATE_PARTS[number];

type One = readonly [Expression];
type Two = readonly [Expression, Expression];
type Three = readonly [Expression, Expression, Expression];

/** The expressions that it is made of. */
export function operandsOf(expression: Expression): readonly Expression[] {
  return "of" in expression ? expression.of : [];
}

/** Columns that it names, each once. */
export function columnsIn(expression: Expression): readonly string[] {
  const names = new Set<string>();
  const visit = (one: Expression) => {
    if (one.op === "column") names.add(one.name);
    operandsOf(one).forEach(visit);
  };
  visit(expression);
  return [...names];
}
