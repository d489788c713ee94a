/** Computes numbers in typed expressions: their range, their scale and their rounding. */
import { ExpressionMistake, type Kind, type Range, REAL, type Typed, words } from "./typed.ts";

/**
 * Limit of an exact number's digits. More than a decimal's 18 digits come close to 64 bits, where SQLite changes to doubles
 * without an error.
 */
const DIGITS_MAX = 18;
export const LIMIT = 10n ** BigInt(DIGITS_MAX) - 1n;
export const INT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns a decimal's text as a whole number, without its point. */
export function scaled(text: string, scale: number): bigint {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const digits = BigInt(`${whole}${fraction.padEnd(scale, "0").slice(0, scale)}`);
  return text.startsWith("-") ? -digits : digits;
}

export function requireRange({ low, high }: Range): void {
  if (low >= -LIMIT && high <= LIMIT) return;
  const widest = high > -low ? high : -low;
  throw new ExpressionMistake(
    "overflow",
    `may have ${String(widest).length} digits, and ${DIGITS_MAX} are exact`,
    "Give the columns a smaller precision or a max, or take fewer digits by round(…, scale)",
  );
}

/** Returns the operand of a written number: `0.19` has two digits after its point. */
export function numberOperand(text: string): Typed {
  const [whole = "", fraction = ""] = text.split(".");
  const value = BigInt(`${whole}${fraction}`);
  requireRange({ low: value, high: value });
  return {
    expression: { op: "number", digits: String(value) },
    kind: { is: "exact", scale: fraction.length, low: value, high: value },
  };
}

/** Returns the same number with more digits after its point. */
export function rescaled(operand: Typed, scale: number): Typed {
  const { kind, expression } = operand;
  if (kind.is !== "exact" || kind.scale === scale) return operand;
  const factor = 10n ** BigInt(scale - kind.scale);
  const range = { low: kind.low * factor, high: kind.high * factor };
  requireRange(range);
  return {
    expression: expression.op === "number"
      ? { op: "number", digits: String(BigInt(expression.digits) * factor) }
      : {
        op: "times",
        isReal: false,
        of: [expression, { op: "number", digits: String(factor) }],
      },
    kind: { is: "exact", scale, ...range },
  };
}

export function asReal({ kind, expression }: Typed): Typed {
  return kind.is === "exact"
    ? { expression: { op: "toReal", scale: kind.scale, of: [expression] }, kind: REAL }
    : { kind, expression };
}

export function isNumber({ kind }: Typed): boolean {
  return kind.is === "exact" || kind.is === "real";
}

export type Exact = Extract<Kind, { readonly is: "exact" }>;

export function exact({ kind }: Typed): Exact {
  if (kind.is === "exact") return kind;
  throw new TypeError("Only exact numbers have digits");
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function least(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => one < other ? one : other);
}

export function greatest(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => one > other ? one : other);
}

/** Returns both numbers with the larger of their scales. */
export function aligned(one: Typed, other: Typed): readonly [Typed, Typed] {
  const scale = Math.max(exact(one).scale, exact(other).scale);
  return [rescaled(one, scale), rescaled(other, scale)];
}

export function negated(operand: Typed): Typed {
  const { kind, expression } = operand;
  if (kind.is === "exact") {
    const { scale, low, high } = kind;
    return {
      expression: { op: "negate", of: [expression] },
      kind: { is: "exact", scale, low: -high, high: -low },
    };
  }
  if (kind.is === "real") return { expression: { op: "negate", of: [expression] }, kind };
  throw new ExpressionMistake("type", `needs a number, not ${words(operand)}`);
}

/** Returns `round(a / b, scale)`, rounded half to even; null for a division by zero. */
export function quotient(one: Typed, other: Typed, scale: number): Typed {
  if (one.kind.is !== "exact" || other.kind.is !== "exact") {
    throw new ExpressionMistake(
      "type",
      `rounds whole numbers and decimals, not ${words(one.kind.is === "exact" ? other : one)}`,
    );
  }
  // (a / 10^s) / (b / 10^t) at a scale is a × 10^(t + scale) / (b × 10^s).
  const shift = other.kind.scale + scale - one.kind.scale;
  const dividend = rescaled(one, one.kind.scale + Math.max(0, shift));
  const divisor = rescaled(other, other.kind.scale + Math.max(0, -shift));
  const { low, high } = exact(dividend);
  const greatestDividend = greatest([magnitude(low), magnitude(high)]);
  const { low: from, high: to } = exact(divisor);
  // A divisor that may be zero may also be one. Rounding up may add one to the quotient.
  const leastDivisor = from > 0n || to < 0n ? least([magnitude(from), magnitude(to)]) : 1n;
  const widest = leastDivisor === 1n ? greatestDividend : greatestDividend / leastDivisor + 1n;
  return {
    expression: { op: "divide", of: [dividend.expression, divisor.expression] },
    kind: { is: "exact", scale, low: -widest, high: widest },
  };
}

/** Returns `round(a, scale)`. */
export function rounded(operand: Typed, scale: number): Typed {
  if (operand.kind.is === "exact" && operand.kind.scale <= scale) return rescaled(operand, scale);
  return quotient(operand, numberOperand("1"), scale);
}
