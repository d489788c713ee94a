/** Names each kind of syntax, for diagnostics that refuse it (contract 4.8: "naming the construct"). */
import type { Node } from "@babel/types";
import { shorten } from "../../diagnostics/wording.ts";
import type { SourceFile } from "../1-read/layout.ts";
import { textOf } from "./place.ts";

const WORDS: Partial<Record<Node["type"], string>> = {
  ArrowFunctionExpression: "a function",
  FunctionExpression: "a function",
  FunctionDeclaration: "a function",
  ObjectMethod: "a method",
  ClassExpression: "a class",
  ClassDeclaration: "a class",
  ConditionalExpression: "a conditional expression",
  TaggedTemplateExpression: "a tagged template",
  AssignmentExpression: "an assignment",
  SequenceExpression: "a comma expression",
  AwaitExpression: "`await`",
  YieldExpression: "`yield`",
  RegExpLiteral: "a regular expression",
  BigIntLiteral: "a bigint",
  ImportExpression: "a dynamic import",
  MetaProperty: "`import.meta`",
  ThisExpression: "`this`",
  Super: "`super`",
  JSXElement: "a JSX element",
  JSXFragment: "a JSX element",
  IfStatement: "an `if` statement",
  ForStatement: "a `for` loop",
  ForInStatement: "a `for` loop",
  ForOfStatement: "a `for` loop",
  WhileStatement: "a `while` loop",
  DoWhileStatement: "a `while` loop",
  TryStatement: "a `try` statement",
  ThrowStatement: "a `throw` statement",
  SwitchStatement: "a `switch` statement",
  BlockStatement: "a block",
  TSAsExpression: "a type assertion",
  TSTypeAssertion: "a type assertion",
  TSNonNullExpression: "a non-null assertion",
  TSInstantiationExpression: "type arguments",
  LabeledStatement: "a label",
  TSEnumDeclaration: "an enum",
  TSModuleDeclaration: "a namespace",
  TSImportEqualsDeclaration: "an `import =`",
  TSExportAssignment: "an `export =`",
};

/** Returns a noun phrase that fits after a colon: ``the variable `limit` ``. */
export function constructOf(node: Node, source: SourceFile): string {
  const code = () => `\`${shorten(textOf(node, source), 60)}\``;
  switch (node.type) {
    case "Identifier":
      return node.name === "undefined" ? "`undefined`" : `the variable \`${node.name}\``;
    case "MemberExpression":
    case "OptionalMemberExpression":
      return `the member access ${code()}`;
    case "CallExpression":
    case "OptionalCallExpression":
      return `the call of \`${shorten(textOf(node.callee, source), 60)}\``;
    case "NewExpression":
      return `the construction \`new ${shorten(textOf(node.callee, source), 60)}\``;
    case "SpreadElement":
      return `the spread ${code()}`;
    case "BinaryExpression":
    case "LogicalExpression":
      return `the computed value ${code()}`;
    case "UpdateExpression":
      return `the update ${code()}`;
    case "UnaryExpression":
      return `the operator \`${node.operator}\``;
    case "TemplateLiteral":
      return "a template literal with a substitution";
    case "VariableDeclaration":
      return `the variable declaration ${code()}`;
    case "ExpressionStatement":
      return `the statement ${code()}`;
    default:
      return WORDS[node.type] ?? `the construct ${code()}`;
  }
}
