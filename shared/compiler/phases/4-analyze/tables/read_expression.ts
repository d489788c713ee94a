/**
 * Reads the function of a computed column as syntax; it never runs: `({ quantity, price }) => quantity * price` (definitions
 * 3).
 */
import type * as t from "@babel/types";
import { type Arithmetic, type Comparison, DATE_PARTS } from "../../../../model/mod.ts";
import { parseText } from "../../2-parse/parse_text.ts";
import { withoutTypes } from "../../3-evaluate/syntax.ts";
import * as typed from "./typed_expression.ts";
import * as numbers from "./typed_numbers.ts";
import { ExpressionMistake, type Typed } from "./typed.ts";

/** Mistake with its place within the function's text. */
export interface PlacedMistake {
  readonly mistake: ExpressionMistake;
  /** Line of the mistake, counted from the start of the text. Columns of its first line begin at 0. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Finds the operand for a name of the row; throws for one that an expression may not use. */
export type ColumnFinder = (name: string) => Typed;

/** Limit of the parts of an expression. */
const PARTS_MAX = 200;

export type ExpressionReading =
  | { readonly kind: "read"; readonly operand: Typed; readonly isNullable: boolean }
  | { readonly kind: "mistake"; readonly mistake: PlacedMistake };

/** Reads the text of an arrow function or of a function with one return. */
export function readExpression(text: string, columnOf: ColumnFinder): ExpressionReading {
  const parsed = parseText("expression.ts", `(${text})`, "stop");
  const [statement] = parsed.kind === "parsed" ? parsed.program.body : [];
  const node = statement?.type === "ExpressionStatement"
    ? withoutTypes(statement.expression)
    : null;
  const reading = new Reading(columnOf);
  try {
    if (node?.type !== "ArrowFunctionExpression" && node?.type !== "FunctionExpression") {
      throw new ExpressionMistake("construct", "must be a function of the row", FORM);
    }
    reading.at = node;
    const operand = reading.body(node);
    return { kind: "read", operand, isNullable: reading.mayBeNull };
  } catch (error) {
    if (!(error instanceof ExpressionMistake)) throw error;
    const start = reading.at?.loc?.start ?? { line: 1, column: 1 };
    const end = reading.at?.loc?.end ?? start;
    return {
      kind: "mistake",
      mistake: {
        mistake: error,
        line: start.line,
        // The parser's text begins with an added parenthesis.
        column: start.line === 1 ? start.column - 1 : start.column,
        length: end.line === start.line ? Math.max(1, end.column - start.column) : 1,
      },
    };
  }
}

const FORM = "Write ({ quantity, price }) => quantity * price";

type Function = t.ArrowFunctionExpression | t.FunctionExpression;

const ARITHMETIC: ReadonlyMap<string, Arithmetic> = new Map([
  ["+", "plus"],
  ["-", "minus"],
  ["*", "times"],
]);

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
  ["==", "="],
  ["===", "="],
  ["!=", "<>"],
  ["!==", "<>"],
]);

class Reading {
  /** The part that is being read. */
  at: t.Node | null = null;
  /** True when the expression divides, or one of its values may be null. */
  mayBeNull = false;
  readonly #columnOf: ColumnFinder;
  /** Columns by the function's own names for them; null: its parameter is the row. */
  readonly #names = new Map<string, string>();
  #row: string | null = null;
  #parts = 0;

  constructor(columnOf: ColumnFinder) {
    this.#columnOf = columnOf;
  }

  body(
    { params, body, async, generator = false }: Function & { generator?: boolean | null },
  ): Typed {
    const [row, ...others] = params;
    if (async || generator || !row || others.length > 0) {
      throw new ExpressionMistake("construct", "must be a plain function of the row alone", FORM);
    }
    this.at = row;
    this.#parameter(row);
    if (body.type !== "BlockStatement") return this.#read(body);
    const [statement, ...more] = body.body;
    this.at = more[0] ?? statement ?? body;
    if (statement?.type !== "ReturnStatement" || more.length > 0 || !statement.argument) {
      throw new ExpressionMistake("construct", "must be one expression, without statements", FORM);
    }
    return this.#read(statement.argument);
  }

  #parameter(row: t.Node): void {
    if (row.type === "Identifier") {
      this.#row = row.name;
      return;
    }
    const properties = row.type === "ObjectPattern" ? row.properties : null;
    if (properties === null) throw new ExpressionMistake("construct", "must take the row", FORM);
    for (const property of properties) {
      this.at = property;
      const isPlain = property.type === "ObjectProperty" && !property.computed &&
        property.key.type === "Identifier" && property.value.type === "Identifier";
      if (!isPlain || property.key.type !== "Identifier" || property.value.type !== "Identifier") {
        throw new ExpressionMistake("construct", "takes columns by their names alone", FORM);
      }
      this.#columnOf(property.key.name);
      this.#names.set(property.value.name, property.key.name);
    }
  }

  #read(expression: t.Node): Typed {
    const node = isExpression(expression) ? withoutTypes(expression) : expression;
    this.at = node;
    this.#parts += 1;
    if (this.#parts > PARTS_MAX) {
      throw new ExpressionMistake("construct", `has more than ${PARTS_MAX} parts`, SPLIT);
    }
    const read = this.#part(node);
    this.at = node;
    return read;
  }

  /** Makes the node's expression after its parts are read, so that a mistake belongs to this node. */
  #made(node: t.Node, make: () => Typed): Typed {
    this.at = node;
    return make();
  }

  #part(node: t.Node): Typed {
    switch (node.type) {
      case "Identifier":
        return this.#name(node.name);
      case "MemberExpression":
        return this.#member(node);
      case "NumericLiteral":
        return this.#number(node);
      case "StringLiteral":
        return textOf(node.value);
      case "BooleanLiteral":
        return typed.boolOperand(node.value);
      case "NullLiteral":
        this.mayBeNull = true;
        return typed.NULL_OPERAND;
      case "TemplateLiteral":
        return this.#template(node);
      case "UnaryExpression":
        return this.#unary(node);
      case "BinaryExpression":
        return this.#binary(node);
      case "LogicalExpression": {
        const [one, other] = [this.#read(node.left), this.#read(node.right)];
        const { operator } = node;
        return this.#made(
          node,
          () =>
            operator === "??"
              ? typed.coalesced(one, other)
              : typed.both(operator === "&&" ? "and" : "or", one, other),
        );
      }
      case "ConditionalExpression": {
        const [test, one, other] = [node.test, node.consequent, node.alternate]
          .map((part) => this.#read(part));
        if (!test || !one || !other) throw new TypeError("A choice has three parts");
        return this.#made(node, () => typed.chosen(test, one, other));
      }
      case "CallExpression":
        return this.#call(node);
      default:
        throw new ExpressionMistake("construct", "is not read in an expression", READ);
    }
  }

  #name(name: string): Typed {
    const column = this.#names.get(name);
    if (column !== undefined) return this.#columnOf(column);
    throw new ExpressionMistake(
      "construct",
      `knows no name ${JSON.stringify(name)}`,
      name === "undefined" ? "Write null" : "Take it from the row: ({ name }) => …",
    );
  }

  #member({ object, property, computed }: t.MemberExpression): Typed {
    if (object.type === "Identifier" && object.name === this.#row && !computed) {
      if (property.type === "Identifier") return this.#columnOf(property.name);
    }
    throw new ExpressionMistake("construct", "reads no members of values", READ);
  }

  #number({ extra, value }: t.NumericLiteral): Typed {
    const raw = typeof extra?.["raw"] === "string"
      ? extra["raw"].replaceAll("_", "")
      : String(value);
    if (/^\d+(\.\d+)?$/.test(raw)) return numbers.numberOperand(raw);
    throw new ExpressionMistake("construct", "takes numbers by their plain digits, such as 0.19");
  }

  #template(node: t.TemplateLiteral): Typed {
    const parts = node.quasis.flatMap((quasi, at): Typed[] => {
      const text = quasi.value.cooked ?? "";
      const expression = node.expressions[at];
      return [
        ...(text === "" ? [] : [textOf(text)]),
        ...(expression ? [this.#read(expression)] : []),
      ];
    });
    if (node.expressions.length === 0) return textOf(node.quasis[0]?.value.cooked ?? "");
    return this.#made(node, () => typed.joined(parts));
  }

  #unary(node: t.UnaryExpression): Typed {
    const { operator } = node;
    if (operator !== "-" && operator !== "!") {
      throw new ExpressionMistake("construct", `does not know the operator ${operator}`, READ);
    }
    const operand = this.#read(node.argument);
    return this.#made(
      node,
      () => operator === "-" ? numbers.negated(operand) : typed.not(operand),
    );
  }

  #binary(node: t.BinaryExpression): Typed {
    const { operator } = node;
    const op = ARITHMETIC.get(operator);
    const by = COMPARISONS.get(operator) ?? null;
    if (operator === "/") {
      throw new ExpressionMistake("division", "divides, and does not say how it rounds", ROUND);
    }
    if (op === undefined && by === null) {
      throw new ExpressionMistake("construct", `does not know the operator ${operator}`, READ);
    }
    // A comparison with null is never null itself.
    const side = (part: t.Node) =>
      by !== null && part.type === "NullLiteral" ? typed.NULL_OPERAND : this.#read(part);
    const [one, other] = [side(node.left), side(node.right)];
    return this.#made(
      node,
      () =>
        op === undefined ? typed.compared(by ?? "=", one, other) : typed.arithmetic(op, one, other),
    );
  }

  #call(node: t.CallExpression): Typed {
    const { callee } = node;
    if (
      callee.type === "MemberExpression" && callee.object.type === "Identifier" &&
      callee.object.name === "date" && callee.property.type === "Identifier" && !callee.computed
    ) {
      const { name } = callee.property;
      const part = DATE_PARTS.find((one) => one === name);
      const [of, ...others] = node.arguments;
      if (!part || !of || others.length > 0) {
        const known = DATE_PARTS.map((one) => `date.${one}(x)`).join(", ");
        throw new ExpressionMistake("construct", `knows of days ${known}`);
      }
      const operand = this.#read(of);
      return this.#made(node, () => typed.datePart(part, operand));
    }
    if (callee.type !== "Identifier" || callee.name !== "round") {
      throw new ExpressionMistake("construct", "calls only round(…) and date.…(…)", READ);
    }
    return this.#round(node);
  }

  #round(node: t.CallExpression): Typed {
    const [value, digits, ...others] = node.arguments;
    const scale = digits?.type === "NumericLiteral" ? digits.value : -1;
    if (!value || others.length > 0 || !Number.isInteger(scale) || scale < 0 || scale > 18) {
      throw new ExpressionMistake("construct", "rounds by round(a / b, scale)", ROUND);
    }
    const inner = isExpression(value) ? withoutTypes(value) : value;
    if (inner.type === "BinaryExpression" && inner.operator === "/") {
      this.mayBeNull = true;
      const [one, other] = [this.#read(inner.left), this.#read(inner.right)];
      return this.#made(node, () => numbers.quotient(one, other, scale));
    }
    const operand = this.#read(value);
    return this.#made(node, () => numbers.rounded(operand, scale));
  }
}

const SPLIT = "Compute a part of it in a column of its own";
const ROUND = "Write round(a / b, scale), which rounds half to even and is null by zero";
const READ =
  "An expression has + - *, comparisons, && || !, ??, ? :, literals, templates, round(…) and date.…(…)";

function textOf(value: string): Typed {
  if (!value.includes("\0")) return typed.textOperand(value);
  throw new ExpressionMistake("construct", "holds no text with a NUL character");
}

/** True for an expression. Arguments may be spreads, and the left of `in` a private name: the reader supports neither. */
function isExpression(node: t.Node): node is t.Expression {
  return node.type !== "SpreadElement" && node.type !== "PrivateName" &&
    node.type !== "ArgumentPlaceholder" && !node.type.startsWith("TSType");
}
