/** Reads small parts of the syntax tree that need no names. */
import type { Expression, Node, TSAsExpression } from "@babel/types";

/** Returns an expression without the parts for the type checker: `as const`, `satisfies T`, `x!`, parentheses. */
export function withoutTypes(node: Expression): Expression {
  let inner = node;
  while (
    inner.type === "TSAsExpression" || inner.type === "TSSatisfiesExpression" ||
    inner.type === "TSNonNullExpression" || inner.type === "TSTypeAssertion" ||
    inner.type === "TSInstantiationExpression" || inner.type === "ParenthesizedExpression"
  ) inner = inner.expression;
  return inner;
}

/**
 * Returns the first assertion that claims another type than the written value has, unlike `as const` and `satisfies`
 * (definitions 2).
 */
export function assertionIn(node: Expression): Expression | null {
  if (node.type === "ParenthesizedExpression" || node.type === "TSSatisfiesExpression") {
    return assertionIn(node.expression);
  }
  if (node.type === "TSAsExpression") return isConst(node) ? assertionIn(node.expression) : node;
  const isAssertion = node.type === "TSNonNullExpression" || node.type === "TSTypeAssertion" ||
    node.type === "TSInstantiationExpression";
  return isAssertion ? node : null;
}

function isConst({ typeAnnotation: type }: TSAsExpression): boolean {
  return type.type === "TSTypeReference" && type.typeName.type === "Identifier" &&
    type.typeName.name === "const";
}

/** Limit of the names in a callee, above the length of any callee that the compiler looks for. */
const NAMES_MAX = 8;

/** Returns `q.table` for the callee of `q.table(…)`; null unless it is a few names joined by dots. */
export function calleeName(node: Node): string | null {
  const names: string[] = [];
  let current = node;
  while (current.type === "MemberExpression" && !current.computed) {
    // This runs for every node. Walking each chain to its end would take too long.
    if (current.property.type !== "Identifier" || names.length === NAMES_MAX) return null;
    names.unshift(current.property.name);
    current = current.object;
  }
  return current.type === "Identifier" ? [current.name, ...names].join(".") : null;
}
