/** Defines the operands of typed expressions, and the mistakes that an author can make with them. */
import type { Expression } from "../../../../model/mod.ts";

/** Bounds of an exact number, as an integer without its decimal point. */
export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

export type Kind =
  /** An exact number with `scale` digits after its point. */
  | ({ readonly is: "exact"; readonly scale: number } & Range)
  | { readonly is: "real" | "text" | "bool" | "date" | "timestamp" | "null" };

export interface Typed {
  readonly expression: Expression;
  readonly kind: Kind;
  /** Value of a literal, or of a column with a closed set of values; absent: any value. */
  readonly literal?: string;
  readonly members?: readonly string[];
}

/** A mistake of the author's; `overflow` is the number of digits that the result needs. */
export class ExpressionMistake extends Error {
  constructor(
    readonly fault: "type" | "overflow" | "division" | "construct",
    message: string,
    readonly hint: string | null = null,
  ) {
    super(message);
  }
}

export function words({ kind, literal }: Typed): string {
  switch (kind.is) {
    case "exact":
      return kind.scale === 0 ? "a whole number" : "a decimal";
    case "real":
      return "a real number";
    case "text":
      return literal === undefined ? "a text" : `the text ${JSON.stringify(literal)}`;
    case "bool":
      return "a boolean";
    case "date":
      return "a day";
    case "timestamp":
      return "an instant";
    case "null":
      return "null";
  }
}

export const TEXT = { is: "text" } as const;
export const BOOL = { is: "bool" } as const;
export const REAL = { is: "real" } as const;
