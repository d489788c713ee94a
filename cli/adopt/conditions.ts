/** Conditions and expressions from checks, policies and computed columns, independent of the source's language. */

export type Literal = string | number | boolean | null;

export type Comparison =
  | "equals"
  | "notEquals"
  | "lessThan"
  | "greaterThan"
  | "lessThanOrEqual"
  | "greaterThanOrEqual";

/** Other side of a comparison. */
export type Compared =
  | { readonly kind: "literal"; readonly value: Literal }
  /** Id of the caller. */
  | { readonly kind: "userId" };

export type Condition =
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | {
    readonly kind: "compare";
    readonly column: string;
    readonly by: Comparison;
    readonly with: Compared;
  }
  | { readonly kind: "in"; readonly column: string; readonly values: readonly Literal[] }
  /** Number of characters of a text. */
  | {
    readonly kind: "length";
    readonly column: string;
    readonly by: Comparison;
    readonly value: number;
  }
  /** Regular expression, with texts that match it. */
  | {
    readonly kind: "pattern";
    readonly column: string;
    readonly pattern: string;
    readonly examples: readonly string[];
  }
  /** True when another table has a matching row: `keys` are pairs of its column and the row's own. */
  | {
    readonly kind: "exists";
    readonly table: string;
    readonly keys: readonly { readonly theirs: string; readonly own: string }[];
    readonly of: Condition;
  }
  | { readonly kind: "always" | "never" }
  /** True for every signed-in caller. */
  | { readonly kind: "signedIn" };

/** Expression over columns of one row. */
export type Expression =
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | {
    readonly kind: "binary";
    readonly by: string;
    readonly left: Expression;
    readonly right: Expression;
  }
  | { readonly kind: "join"; readonly parts: readonly Expression[] }
  | { readonly kind: "fallback"; readonly of: Expression; readonly instead: Expression };

/** Returns the parts that must all be true: three parts of `a AND (b AND c)`. */
export function conjuncts(condition: Condition): readonly Condition[] {
  return condition.kind === "all" ? condition.of.flatMap(conjuncts) : [condition];
}
