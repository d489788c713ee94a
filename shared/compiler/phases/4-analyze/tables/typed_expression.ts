/**
 * Computes the types of computed columns' expressions: the operands that fit, the digits of the result, and the place of its
 * point (definitions 3).
 */
import { rulesOf } from "../../../../column_types/mod.ts";
import type { ColumnType, Expression } from "../../../../model/mod.ts";
import { BOOL, ExpressionMistake, type Kind, REAL, TEXT, type Typed, words } from "./typed.ts";
import {
  aligned,
  asReal,
  exact,
  greatest,
  INT_MAX,
  isNumber,
  least,
  requireRange,
  rescaled,
  scaled,
} from "./typed_numbers.ts";

/** Returns the operand of a column; null if expressions do not support its type. */
export function columnOperand(name: string, type: ColumnType): Typed | null {
  const expression = { op: "column", name } as const;
  switch (type.kind) {
    case "int": {
      const low = type.min === undefined ? -INT_MAX : BigInt(type.min);
      const high = type.max === undefined ? INT_MAX : BigInt(type.max);
      return { expression, kind: { is: "exact", scale: 0, low, high } };
    }
    case "revision":
      return { expression, kind: { is: "exact", scale: 0, low: 0n, high: INT_MAX } };
    case "decimal": {
      const all = 10n ** BigInt(type.precision) - 1n;
      const low = type.min === undefined ? -all : scaled(type.min, type.scale);
      const high = type.max === undefined ? all : scaled(type.max, type.scale);
      return { expression, kind: { is: "exact", scale: type.scale, low, high } };
    }
    case "text":
      return { expression, kind: TEXT, ...type.enum ? { members: type.enum } : {} };
    case "enum":
      return { expression, kind: TEXT, members: type.values };
    case "url":
    case "email":
    case "scope":
      return { expression, kind: TEXT };
    case "real":
    case "bool":
    case "date":
    case "timestamp":
      return { expression, kind: { is: type.kind } };
    default:
      return null;
  }
}

export function textOperand(value: string): Typed {
  return { expression: { op: "text", value }, kind: TEXT, literal: value };
}

export function boolOperand(value: boolean): Typed {
  return { expression: { op: "bool", value }, kind: BOOL };
}

export const NULL_OPERAND: Typed = { expression: { op: "null" }, kind: { is: "null" } };

export function arithmetic(op: "plus" | "minus" | "times", one: Typed, other: Typed): Typed {
  if (op === "plus" && one.kind.is === "text" && other.kind.is === "text") {
    return joined([one, other]);
  }
  if (!isNumber(one) || !isNumber(other)) {
    const text = op === "plus" && [one, other].some(({ kind }) => kind.is === "text");
    throw new ExpressionMistake(
      "type",
      `needs two numbers${op === "plus" ? ", or two texts" : ""}, not ${words(one)} and ${
        words(other)
      }`,
      text ? "Join a text and something else by a template: `${number} pieces`" : null,
    );
  }
  if (one.kind.is !== "exact" || other.kind.is !== "exact") {
    return {
      expression: { op, isReal: true, of: [asReal(one).expression, asReal(other).expression] },
      kind: REAL,
    };
  }
  const [a, b] = op === "times" ? [one, other] : aligned(one, other);
  const [left, right] = [exact(a), exact(b)];
  const bounds = op === "plus"
    ? [left.low + right.low, left.high + right.high]
    : op === "minus"
    ? [left.low - right.high, left.high - right.low]
    : [left.low, left.high].flatMap((x) => [x * right.low, x * right.high]);
  const range = { low: least(bounds), high: greatest(bounds) };
  requireRange(range);
  const scale = op === "times" ? left.scale + right.scale : left.scale;
  return {
    expression: { op, isReal: false, of: [a.expression, b.expression] },
    kind: { is: "exact", scale, ...range },
  };
}

/** Compares two operands. A comparison with `null` tests whether there is a value. */
export function compared(
  by: "<" | "<=" | ">" | ">=" | "=" | "<>",
  one: Typed,
  other: Typed,
): Typed {
  const isEquality = by === "=" || by === "<>";
  const nulled = one.kind.is === "null" ? other : other.kind.is === "null" ? one : null;
  if (nulled !== null) {
    if (!isEquality) throw new ExpressionMistake("type", "compares with null only by == and !=");
    const isNull: Expression = { op: "isNull", of: [nulled.expression] };
    return { expression: by === "=" ? isNull : { op: "not", of: [isNull] }, kind: BOOL };
  }
  const [a, b] = alike(one, other, "compares");
  if (a.kind.is === "bool" && !isEquality) {
    throw new ExpressionMistake("type", "compares booleans only by === and !==");
  }
  return { expression: { op: "compare", by, of: [a.expression, b.expression] }, kind: BOOL };
}

/** Returns two operands of one kind. A literal text becomes a date or a timestamp if the other is one. */
function alike(one: Typed, other: Typed, verb: string): readonly [Typed, Typed] {
  if (isNumber(one) && isNumber(other)) {
    return one.kind.is === "exact" && other.kind.is === "exact"
      ? aligned(one, other)
      : [asReal(one), asReal(other)];
  }
  const [a, b] = [literalAs(one, other), literalAs(other, one)];
  if (a.kind.is !== b.kind.is) {
    throw new ExpressionMistake("type", `${verb} ${words(one)} with ${words(other)}`);
  }
  const members = a.members ?? b.members;
  const stranger = [a, b].find(({ literal }) =>
    literal !== undefined && members !== undefined && !members.includes(literal)
  );
  if (stranger && a.expression.op !== b.expression.op) {
    throw new ExpressionMistake(
      "type",
      `${verb} with ${JSON.stringify(stranger.literal)}, which the column never holds`,
      `Its values are ${(members ?? []).map((one) => JSON.stringify(one)).join(", ")}`,
    );
  }
  return [a, b];
}

const FORMS = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  timestamp: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
};

function literalAs(operand: Typed, { kind }: Typed): Typed {
  const { literal } = operand;
  if (literal === undefined || (kind.is !== "date" && kind.is !== "timestamp")) return operand;
  const time = new Date(kind.is === "date" ? `${literal}T00:00:00.000Z` : literal);
  const text = Number.isNaN(time.getTime()) ? "" : time.toISOString();
  if (FORMS[kind.is].test(literal) && text.startsWith(literal)) return { ...operand, kind };
  const form = kind.is === "date" ? "2026-01-31" : "2026-01-31T00:00:00.000Z";
  throw new ExpressionMistake("type", `needs ${words({ ...operand, kind })} such as "${form}"`);
}

export function both(op: "and" | "or", one: Typed, other: Typed): Typed {
  return { expression: { op, of: [condition(one), condition(other)] }, kind: BOOL };
}

export function not(operand: Typed): Typed {
  return { expression: { op: "not", of: [condition(operand)] }, kind: BOOL };
}

function condition(operand: Typed): Expression {
  if (operand.kind.is === "bool") return operand.expression;
  throw new ExpressionMistake(
    "type",
    `needs a boolean, not ${words(operand)}`,
    "Compare: a value is neither true nor false by itself",
  );
}

export function coalesced(one: Typed, other: Typed): Typed {
  const [a, b, kind] = unified(one, other);
  return { expression: { op: "coalesce", of: [a.expression, b.expression] }, kind };
}

export function chosen(test: Typed, one: Typed, other: Typed): Typed {
  const [a, b, kind] = unified(one, other);
  return {
    expression: { op: "choose", of: [condition(test), a.expression, b.expression] },
    kind,
  };
}

/** Returns two operands of one kind, with the kind of a result that may be either of them. */
function unified(one: Typed, other: Typed): readonly [Typed, Typed, Kind] {
  if (one.kind.is === "null") return [one, other, other.kind];
  if (other.kind.is === "null") return [one, other, one.kind];
  const [a, b] = alike({ ...one }, { ...other, ...noMembers(other) }, "chooses between");
  if (a.kind.is !== "exact" || b.kind.is !== "exact") return [a, b, a.kind];
  const low = least([a.kind.low, b.kind.low]);
  const high = greatest([a.kind.high, b.kind.high]);
  return [a, b, { is: "exact", scale: a.kind.scale, low, high }];
}

/** Returns the same operand as a text without a closed set of values. */
function noMembers({ expression, kind }: Typed): Typed {
  return { expression, kind };
}

/** Concatenates texts; an operand that is no text is written as one. */
export function joined(parts: readonly Typed[]): Typed {
  return { expression: { op: "join", of: parts.map(asText) }, kind: TEXT };
}

function asText(operand: Typed): Expression {
  const { expression, kind } = operand;
  switch (kind.is) {
    case "text":
    case "date":
    case "timestamp":
      return expression;
    case "exact":
      return { op: "decimalText", scale: kind.scale, of: [expression] };
    case "bool":
      return { op: "boolText", of: [expression] };
    case "real":
    case "null":
      throw new ExpressionMistake(
        "type",
        `has no text for ${words(operand)}`,
        "Use q.decimal() for digits that are shown",
      );
  }
}

export function datePart(part: "year" | "month" | "day" | "weekday", operand: Typed): Typed {
  if (operand.kind.is !== "date" && operand.kind.is !== "timestamp") {
    throw new ExpressionMistake("type", `needs a day or an instant, not ${words(operand)}`);
  }
  const [low, high] =
    ({ year: [0n, 9999n], month: [1n, 12n], day: [1n, 31n], weekday: [0n, 6n] } as const)[part];
  return {
    expression: { op: "datePart", part, of: [operand.expression] },
    kind: { is: "exact", scale: 0, low, high },
  };
}

/** Returns the value in the stored form of the declared type, with the bounds that follow from its operands. */
export function declared(operand: Typed, type: ColumnType): Typed {
  const { kind } = operand;
  const isWhole = rulesOf(type).key === "int";
  if (kind.is === "null") throw new ExpressionMistake("type", "is always null");
  switch (type.kind) {
    case "int":
    case "decimal": {
      if (kind.is !== "exact") break;
      const scale = "scale" in type ? type.scale : 0;
      if (kind.scale > scale) {
        throw new ExpressionMistake(
          "type",
          `has ${kind.scale} digits behind its point, and the column ${scale}`,
          isWhole
            ? "Declare q.decimal({ precision, scale }), or write round(…, 0)"
            : `Declare a scale of ${kind.scale}, or write round(…, ${scale})`,
        );
      }
      const fitting = rescaled(operand, scale);
      const { low, high } = exact(fitting);
      const limit = "scale" in type ? 10n ** BigInt(type.precision) - 1n : INT_MAX;
      if (low >= -limit && high <= limit) return fitting;
      const needed = String(greatest([high, -low])).length;
      throw new ExpressionMistake(
        "overflow",
        isWhole
          ? `may have ${needed} digits, more than a whole number takes exactly`
          : `may have ${needed} digits, and the column ${"scale" in type ? type.precision : 0}`,
        isWhole
          ? "Give the columns a max, or declare q.decimal({ precision: 18, scale: 0 })"
          : `Declare q.decimal({ precision: ${needed}, scale: ${scale} }), or give the columns a max`,
      );
    }
    case "real":
      if (isNumber(operand)) return asReal(operand);
      break;
    case "text":
      if (kind.is === "text") return operand;
      break;
    case "date":
    case "timestamp": {
      const fitting = literalAs(operand, { ...operand, kind: { is: type.kind } });
      if (fitting.kind.is === type.kind) return fitting;
      break;
    }
    default:
      if (type.kind === kind.is) return operand;
  }
  throw new ExpressionMistake(
    "type",
    `is ${words(operand)}, and the column is declared ${type.kind}`,
  );
}
