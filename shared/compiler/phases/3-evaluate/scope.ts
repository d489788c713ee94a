/** Collects declarations, imports and exports of a module, before any value is read. */
import type * as t from "@babel/types";
import type { SourceFile } from "../1-read/layout.ts";
import type { Module } from "../2-parse/parse.ts";
import { constructOf } from "./constructs.ts";

export type Declaration =
  | { readonly kind: "constant"; readonly value: t.Expression; readonly node: t.Node }
  | { readonly kind: "function"; readonly node: t.Node }
  | {
    readonly kind: "import";
    readonly specifier: string;
    /** The imported name; `*` for a namespace. */
    readonly imported: string;
    readonly node: t.Node;
  }
  /** A declaration whose value is made when the code runs. */
  | { readonly kind: "unreadable"; readonly construct: string; readonly node: t.Node };

/** A name that a module exports. */
export type Export =
  | { readonly kind: "local"; readonly name: string; readonly node: t.Node }
  | {
    readonly kind: "from";
    readonly specifier: string;
    readonly imported: string;
    readonly node: t.Node;
  }
  /** An export `export default <expression>`. */
  | { readonly kind: "default"; readonly value: t.Expression }
  | { readonly kind: "defaultFunction"; readonly node: t.Node };

export interface Scope {
  readonly source: SourceFile;
  /** False for a file that could not be parsed, which may declare anything. */
  readonly known: boolean;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly exports: ReadonlyMap<string, Export>;
  /** Statements `export * from`: specifiers with their statement. */
  readonly stars: readonly { readonly specifier: string; readonly node: t.Node }[];
  /** Interfaces and type aliases, and names imported as types, which are not values. */
  readonly types: ReadonlySet<string>;
  /** Imports for effect only. */
  readonly effects: readonly { readonly specifier: string; readonly node: t.Node }[];
  /** Statements that do something when the module runs. */
  readonly statements: readonly t.Node[];
  /** Default exports after the first. */
  readonly repeatedDefaults: readonly t.Node[];
}

/** A scope that is filled while the statements of one program are walked. */
interface Draft {
  readonly source: SourceFile;
  readonly known: boolean;
  readonly declarations: Map<string, Declaration>;
  readonly exports: Map<string, Export>;
  readonly stars: { specifier: string; node: t.Node }[];
  readonly types: Set<string>;
  readonly effects: { specifier: string; node: t.Node }[];
  readonly statements: t.Node[];
  readonly repeatedDefaults: t.Node[];
}

export function scopeOf({ source, program }: Module): Scope {
  const draft: Draft = {
    source,
    known: program !== null,
    declarations: new Map(),
    exports: new Map(),
    stars: [],
    types: new Set(),
    effects: [],
    statements: [],
    repeatedDefaults: [],
  };
  if (program !== null) {
    for (const statement of program.body) readStatement(statement, draft);
  }
  return draft;
}

function readStatement(statement: t.Statement, draft: Draft): void {
  switch (statement.type) {
    case "ImportDeclaration":
      return readImport(statement, draft);
    case "ExportNamedDeclaration":
      return readNamedExport(statement, draft);
    case "ExportAllDeclaration":
      if (statement.exportKind !== "type") {
        draft.stars.push({ specifier: statement.source.value, node: statement });
      }
      return;
    case "ExportDefaultDeclaration":
      return readDefaultExport(statement.declaration, draft);
    case "EmptyStatement":
      return;
    default:
      readDeclaration(statement, draft);
  }
}

/** Returns the names that a statement declares. A statement that declares none is kept as one that runs. */
function readDeclaration(statement: t.Statement, draft: Draft): readonly string[] {
  switch (statement.type) {
    case "VariableDeclaration":
      return readVariables(statement, draft);
    case "FunctionDeclaration":
      return declare(statement.id?.name, { kind: "function", node: statement }, draft);
    case "TSDeclareFunction":
      return [];
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      return declare(statement.id?.name, {
        kind: "unreadable",
        construct: constructOf(statement, draft.source),
        node: statement,
      }, draft);
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      draft.types.add(statement.id.name);
      return [];
    default:
      draft.statements.push(statement);
      return [];
  }
}

function readVariables(statement: t.VariableDeclaration, draft: Draft): readonly string[] {
  if (statement.declare === true) return [];
  return statement.declarations.flatMap(({ id, init }) => {
    if (id.type !== "Identifier") {
      return namesIn(id).flatMap((name) =>
        declare(name, {
          kind: "unreadable",
          construct: `the destructured variable \`${name}\``,
          node: id,
        }, draft)
      );
    }
    if (statement.kind === "const" && init) {
      return declare(id.name, { kind: "constant", value: init, node: id }, draft);
    }
    const construct = `the \`${statement.kind}\` variable \`${id.name}\``;
    return declare(id.name, { kind: "unreadable", construct, node: id }, draft);
  });
}

/** Returns every name that a pattern binds. */
function namesIn(pattern: t.Node): readonly string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === "RestElement" ? property.argument : property.value)
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => element === null ? [] : namesIn(element));
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

function declare(
  name: string | undefined,
  declaration: Declaration,
  draft: Draft,
): readonly string[] {
  if (name === undefined) return [];
  draft.declarations.set(name, declaration);
  return [name];
}

function readImport(statement: t.ImportDeclaration, draft: Draft): void {
  const specifier = statement.source.value;
  if (statement.specifiers.length === 0 && statement.importKind !== "type") {
    draft.effects.push({ specifier, node: statement });
  }
  for (const node of statement.specifiers) {
    const imported = node.type === "ImportNamespaceSpecifier"
      ? "*"
      : node.type === "ImportDefaultSpecifier"
      ? "default"
      : nameOf(node.imported);
    const isType = statement.importKind === "type" ||
      (node.type === "ImportSpecifier" && node.importKind === "type");
    if (isType) draft.types.add(node.local.name);
    else declare(node.local.name, { kind: "import", specifier, imported, node }, draft);
  }
}

function nameOf(node: t.Node): string {
  if (node.type === "Identifier") return node.name;
  return node.type === "StringLiteral" ? node.value : "";
}

function readNamedExport(statement: t.ExportNamedDeclaration, draft: Draft): void {
  if (statement.declaration) {
    for (const name of readDeclaration(statement.declaration, draft)) {
      draft.exports.set(name, { kind: "local", name, node: statement });
    }
    return;
  }
  for (const node of statement.specifiers) {
    if (statement.exportKind === "type") {
      draft.types.add(nameOf(node.exported));
    } else if (node.type === "ExportSpecifier" && node.exportKind !== "type") {
      const name = nameOf(node.local);
      const exported: Export = statement.source
        ? { kind: "from", specifier: statement.source.value, imported: name, node }
        : { kind: "local", name, node };
      addExport(nameOf(node.exported), exported, draft);
    } else if (node.type === "ExportNamespaceSpecifier" && statement.source) {
      const specifier = statement.source.value;
      addExport(nameOf(node.exported), { kind: "from", specifier, imported: "*", node }, draft);
    }
  }
}

function addExport(name: string, exported: Export, draft: Draft): void {
  if (name === "default" && draft.exports.has("default")) {
    draft.repeatedDefaults.push("node" in exported ? exported.node : exported.value);
  } else draft.exports.set(name, exported);
}

function readDefaultExport(node: t.Node, draft: Draft): void {
  if (node.type === "TSInterfaceDeclaration") return;
  if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
    readDeclaration(node, draft);
    addExport("default", { kind: "defaultFunction", node }, draft);
  } else if (isExpression(node)) addExport("default", { kind: "default", value: node }, draft);
}

/** True for a default export that is no declaration. */
function isExpression(node: t.Node): node is t.Expression {
  return node.type !== "TSDeclareFunction" && !node.type.endsWith("Declaration");
}
