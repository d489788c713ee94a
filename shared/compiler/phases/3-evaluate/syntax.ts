/** Small readings of the syntax tree that need no names. */
import type { Expression, Node } from "@babel/types";

/** Without what exists for the type checker only: `as const`, `satisfies T`, `x!`, parentheses. */
export function withoutTypes(node: Expression): Expression {
  let inner = node;
  while (
    inner.type === "TSAsExpression" || inner.type === "TSSatisfiesExpression" ||
    inner.type === "TSNonNullExpression" || inner.type === "TSTypeAssertion" ||
    inner.type === "TSInstantiationExpression" || inner.type === "ParenthesizedExpression"
  ) inner = inner.expression;
  return inner;
}

/** `q.table` for the callee of `q.table(…)`; null for anything but names joined by dots. */
export function calleeName(node: Node): string | null {
  const names: string[] = [];
  let current = node;
  while (current.type === "MemberExpression" && !current.computed) {
    if (current.property.type !== "Identifier") return null;
    names.unshift(current.property.name);
    current = current.object;
  }
  return current.type === "Identifier" ? [current.name, ...names].join(".") : null;
}
