/** Writes expressions of generated columns as `q.computed` expects them. */
import { typescriptString } from "../../shared/lib/typescript_text.ts";
import type { Expression } from "./conditions.ts";

/**
 * Writes the expression. `names`: the draft's names by those of the source. Null: it uses a column that the draft does not
 * have.
 */
export function expressionText(
  expression: Expression,
  names: ReadonlyMap<string, string>,
): { readonly text: string; readonly sources: readonly string[] } | null {
  const sources = new Set<string>();
  const text = textOf(expression, (name) => {
    const ours = names.get(name);
    if (ours !== undefined) sources.add(ours);
    return ours ?? null;
  });
  return text === null || sources.size === 0 ? null : { text, sources: [...sources] };
}

function textOf(
  expression: Expression,
  nameOf: (name: string) => string | null,
): string | null {
  const inner = (part: Expression) => {
    const text = textOf(part, nameOf);
    return text !== null && NEEDS_PARENTHESES.has(part.kind) ? `(${text})` : text;
  };
  const both = (left: Expression, by: string, right: Expression) => {
    const [one, other] = [inner(left), inner(right)];
    return one === null || other === null ? null : `${one} ${by} ${other}`;
  };
  switch (expression.kind) {
    case "column":
      return nameOf(expression.name);
    case "literal":
      return typeof expression.value === "string"
        ? typescriptString(expression.value)
        : String(expression.value);
    case "binary":
      return both(expression.left, expression.by, expression.right);
    case "fallback":
      return both(expression.of, "??", expression.instead);
    case "join": {
      const parts = expression.parts.map((part) =>
        part.kind === "literal"
          ? String(part.value).replace(/[`\\$]/g, "\\$&")
          : placeholder(textOf(part, nameOf))
      );
      const known = parts.filter((part) => part !== null);
      return known.length < parts.length ? null : `\`${known.join("")}\``;
    }
  }
}

const NEEDS_PARENTHESES = new Set(["binary", "fallback"]);

function placeholder(text: string | null): string | null {
  return text === null ? null : /^`.*`$/.test(text) ? text.slice(1, -1) : `\${${text}}`;
}
