/** Compares a value of a row with the value of a condition. */
import type { Condition } from "../model/mod.ts";
import type { Scalar } from "../model/mod.ts";

export function isMet(
  { operator, operand }: Condition,
  actual: unknown,
  wanted: Scalar | readonly Scalar[],
): boolean {
  const list = isList(wanted) ? wanted : [wanted];
  switch (operator) {
    case "equals":
    case "in":
      return list.some((one) => one === actual);
    case "notEquals":
    case "notIn":
      return !list.some((one) => one === actual);
    default:
      return isOrdered(operator, actual, list[0] ?? null, "isDecimal" in operand);
  }
}

/** True for two values in order. Null is neither before nor after any value (definitions 4.2). */
function isOrdered(
  operator: Condition["operator"],
  actual: unknown,
  wanted: Scalar,
  isDecimal: boolean,
): boolean {
  if (actual === null || wanted === null) return false;
  const order = isDecimal ? decimalOrder(String(actual), String(wanted)) : orderOf(actual, wanted);
  switch (operator) {
    case "lessThan":
      return order < 0;
    case "lessThanOrEqual":
      return order <= 0;
    case "greaterThan":
      return order > 0;
    default:
      return order >= 0;
  }
}

/** Compares two decimals with equally many digits after the point. */
function decimalOrder(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => BigInt(text.replace(".", "")));
  return a === b ? 0 : (a ?? 0n) < (b ?? 0n) ? -1 : 1;
}

/** Compares two values: texts by their UTF-8 bytes, as SQLite does, and truth values as the integers that are stored. */
function orderOf(actual: unknown, wanted: Scalar): number {
  if (typeof actual === "string" && typeof wanted === "string") {
    const [a, b] = [new TextEncoder().encode(actual), new TextEncoder().encode(wanted)];
    const at = a.findIndex((byte, index) => byte !== b[index]);
    return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
  }
  return Number(actual) - Number(wanted);
}

function isList(value: Scalar | readonly Scalar[]): value is readonly Scalar[] {
  return Array.isArray(value);
}
