/** Small faults for a module: one change of one place each, at the author's line. */
import { parse } from "@babel/parser";
import { isNode, type Node } from "@babel/types";

export interface Mutant {
  readonly module: string;
  readonly line: number;
  /** The line as it stands, trimmed: names a mutant beyond one run. */
  readonly text: string;
  /** The change, such as "`===` → `!==`". */
  readonly change: string;
  /** The named function around the place; absent at the top of the module. */
  readonly inside: string | undefined;
  /** The module's whole text with the fault. */
  readonly source: string;
}

/** Text to put over `[start, end)`. */
interface Edit {
  readonly at: Node;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly change: string;
}

const FLIPPED: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
};
const SWAPPED_CALLS: Readonly<Record<string, string>> = { every: "some", some: "every" };

/** All mutants of a module, in the order of its text. */
export function mutantsOf(module: string, source: string): readonly Mutant[] {
  const tree = parse(source, { sourceType: "module", plugins: ["typescript"] });
  const lines = source.split("\n");
  const found: Mutant[] = [];
  visit(tree.program, undefined, (node, inside) => {
    for (const edit of editsOf(node, source)) {
      const line = edit.at.loc?.start.line ?? 0;
      found.push({
        module,
        line,
        text: (lines[line - 1] ?? "").trim(),
        change: edit.change,
        inside,
        source: source.slice(0, edit.start) + edit.text + source.slice(edit.end),
      });
    }
  });
  return found;
}

function visit(
  node: Node,
  inside: string | undefined,
  tell: (node: Node, inside: string | undefined) => void,
): void {
  if (node.type.startsWith("TS") && !node.type.endsWith("Expression")) return;
  if (node.type === "ImportDeclaration") return;
  const name = functionName(node) ?? inside;
  tell(node, name);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, name, tell);
    }
  }
}

function functionName(node: Node): string | undefined {
  if (node.type === "FunctionDeclaration") return node.id?.name;
  if (node.type === "ObjectMethod" || node.type === "ClassMethod") {
    return node.key.type === "Identifier" ? node.key.name : undefined;
  }
  return undefined;
}

function editsOf(node: Node, source: string): readonly Edit[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return ["true", "false"].map((value) =>
        over(node.test, value, `\`${shortText(node.test, source)}\` → \`${value}\``)
      );
    case "BinaryExpression":
    case "LogicalExpression":
      return flipped(node.left, node.right, node.operator, source);
    case "UnaryExpression":
      return node.operator === "!"
        ? [
          over(node, source.slice(node.argument.start ?? 0, node.argument.end ?? 0), "`!` dropped"),
        ]
        : [];
    case "BooleanLiteral":
      return [over(node, String(!node.value), `\`${node.value}\` → \`${!node.value}\``)];
    case "ThrowStatement":
      return [over(node, "{}", "`throw` dropped")];
    case "ExpressionStatement":
      return isCall(node.expression) ? [over(node, ";", "call dropped")] : [];
    case "SpreadElement":
      return [over(node, "...[]", `\`${shortText(node, source)}\` dropped`)];
    case "CallExpression":
      return changedCall(node, source);
    default:
      return [];
  }
}

function over(node: Node, text: string, change: string): Edit {
  return { at: node, start: node.start ?? 0, end: node.end ?? 0, text, change };
}

/** Its text on one line, without the end where it is long. */
function shortText(node: Node, source: string): string {
  const text = source.slice(node.start ?? 0, node.end ?? 0).replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** The operator between two operands, turned into its opposite or its neighbour. */
function flipped(left: Node, right: Node, operator: string, source: string): readonly Edit[] {
  const other = FLIPPED[operator];
  if (other === undefined) return [];
  const start = source.indexOf(operator, left.end ?? 0);
  if (start < 0 || start >= (right.start ?? 0)) return [];
  return [{
    at: left,
    start,
    end: start + operator.length,
    text: other,
    change: `\`${operator}\` → \`${other}\``,
  }];
}

function isCall(node: Node): boolean {
  return node.type === "CallExpression" ||
    (node.type === "AwaitExpression" && node.argument.type === "CallExpression");
}

/** `every` for `some`, and a `filter` that lets everything through. */
function changedCall(node: Node & { type: "CallExpression" }, source: string): readonly Edit[] {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  const { name } = callee.property;
  const swapped = SWAPPED_CALLS[name];
  if (swapped !== undefined) {
    return [over(callee.property, swapped, `\`${name}\` → \`${swapped}\``)];
  }
  if (name !== "filter") return [];
  return [
    over(node, source.slice(callee.object.start ?? 0, callee.object.end ?? 0), "`filter` dropped"),
  ];
}
