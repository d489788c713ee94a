/** Reads a file's code without running it: imports, exports, table calls, SQL written by hand (definitions 5, 7). */
import type { MemberExpression, Node, StringLiteral } from "@babel/types";
import type { Module } from "../2-parse/parse.ts";
import type { CodeFile, ImportTarget, TextRange } from "../values.ts";
import { AUTHORING_MODULES } from "./authoring_symbols.ts";
import { type Evaluation, isTable } from "./evaluation.ts";
import { placeOf } from "./place.ts";
import { lookUp, type ProjectScope, targetOf } from "./project_scope.ts";
import type { Scope } from "./scope.ts";
import { withoutTypes } from "./syntax.ts";
import { nodesBelow } from "./walk.ts";
import { emittedEvents, webhookEventCalls } from "./webhook_event_calls.ts";

export function codeFileOf(module: Module, scope: Scope, evaluation: Evaluation): CodeFile {
  const { path: file, text } = module.source;
  const { nodes, uses } = nodesOf(module);
  const members = membersOf(scope);
  const constants = [...scope.declarations].flatMap(([name, declaration]) =>
    declaration.kind === "constant" ? [{ name, value: declaration.value }] : []
  );
  const exported = scope.exports.get("default");
  const all = exported?.kind === "default"
    ? [...constants, { name: "default", value: exported.value }]
    : constants;
  return {
    file,
    text,
    imports: nodes.flatMap((node) => {
      const literal = specifierOf(node);
      if (literal === null) return [];
      const target = importTarget(literal.value, scope, evaluation.project);
      return [{ range: rangeOf(literal), place: placeOf(literal, scope.source), target }];
    }),
    exports: new Set(scope.exports.keys()),
    locals: new Set(scope.declarations.keys()),
    tableCalls: all
      .filter(({ name, value }) => isTable(evaluation, { kind: "value", scope, name, value }))
      .map(({ value }) => rangeOf(withoutTypes(value))),
    rawSql: uses.flatMap((node) => {
      const construct = rawSqlOf(node, scope, evaluation.project);
      if (construct === null) return [];
      const { start } = rangeOf(node);
      const member = members.find(({ range }) => range.start <= start && start < range.end);
      return [{ construct, place: placeOf(node, scope.source), member: member?.name ?? null }];
    }),
    webhookEvents: webhookEventCalls(uses, scope, evaluation),
    emitted: emittedEvents(uses, scope, evaluation),
    namesRecords: uses.some(isRecordsMember),
    // Collects the names that the module imports from the library.
    symbols: new Set(
      [...scope.declarations.values()].flatMap((one) =>
        one.kind === "import" && AUTHORING_MODULES.has(one.specifier) ? [one.imported] : []
      ),
    ),
  };
}

/** True for `db.records`, or `records` that is destructured from a database. */
function isRecordsMember(node: Node): boolean {
  switch (node.type) {
    case "MemberExpression":
    case "OptionalMemberExpression":
      return node.property.type === "Identifier" && node.property.name === "records";
    case "ObjectProperty":
      return node.key.type === "Identifier" && node.key.name === "records";
    default:
      return false;
  }
}

/** Returns the members of `export default defineActions(table, { … })`. */
function membersOf(
  scope: Scope,
): readonly { readonly name: string; readonly range: TextRange }[] {
  const exported = scope.exports.get("default");
  const call = exported?.kind === "default" ? withoutTypes(exported.value) : null;
  const actions = call?.type === "CallExpression" ? call.arguments[1] : undefined;
  if (actions?.type !== "ObjectExpression") return [];
  return actions.properties.flatMap((property) => {
    if (property.type === "SpreadElement" || property.computed) return [];
    const { key } = property;
    const name = key.type === "Identifier"
      ? key.name
      : key.type === "StringLiteral"
      ? key.value
      : null;
    return name === null ? [] : [{ name, range: rangeOf(property) }];
  });
}

interface FileNodes {
  readonly nodes: readonly Node[];
  /** The code without statements that only declare names. */
  readonly uses: readonly Node[];
}

/** Returns the nodes in source order; a file is walked once. */
function nodesOf({ program }: Module): FileNodes {
  const nodes: Node[] = [];
  const uses: Node[] = [];
  for (const statement of program?.body ?? []) {
    const isUse = !(statement.type === "ImportDeclaration" ||
      (statement.type === "ExportNamedDeclaration" && Boolean(statement.source)));
    for (const node of nodesBelow(statement)) {
      nodes.push(node);
      if (isUse) uses.push(node);
    }
  }
  return { nodes, uses };
}

function specifierOf(node: Node): StringLiteral | null {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return node.source;
    case "ExportNamedDeclaration":
      return node.source ?? null;
    case "ImportExpression":
      return node.source.type === "StringLiteral" ? node.source : null;
    case "CallExpression": {
      const [first] = node.arguments;
      return node.callee.type === "Import" && first?.type === "StringLiteral" ? first : null;
    }
    case "TSImportType":
      return node.source;
    default:
      return null;
  }
}

function importTarget(specifier: string, scope: Scope, project: ProjectScope): ImportTarget {
  if (AUTHORING_MODULES.has(specifier)) return { kind: "authoring" };
  const target = targetOf(project, scope.source, specifier);
  switch (target.kind) {
    case "file":
      return { kind: "file", file: target.scope.source.path };
    case "schema":
      return target;
    case "package":
      return { kind: "package", name: specifier };
    case "missing":
      return { kind: "missing" };
  }
}

function rangeOf({ start, end }: Node): TextRange {
  return { start: start ?? 0, end: end ?? 0 };
}

/** Name of a parameter of older handlers, which no handler gets any more. */
const RAW_DB = "`rawDb`";

/** Methods of a database that accept a statement as text or as `sql`. */
const RUNNERS: ReadonlySet<string> = new Set(["run", "all", "get", "values"]);
const TEXT_RUNNERS: ReadonlySet<string> = new Set(["execute", "executeMultiple", "batch", "exec"]);

/** Returns the construct's name; null: it is no raw SQL. */
function rawSqlOf(node: Node, scope: Scope, project: ProjectScope): string | null {
  switch (node.type) {
    case "Identifier":
      if (node.name === "rawDb" && !scope.declarations.has("rawDb")) return RAW_DB;
      return isImportedSql(node.name, scope, project) ? "`sql`" : null;
    case "TaggedTemplateExpression":
      // An imported `sql` is reported at its own identifier.
      return nameOf(node.tag) === "sql" &&
          !(node.tag.type === "Identifier" && isImportedSql(node.tag.name, scope, project))
        ? "the tagged template `sql`"
        : null;
    case "MemberExpression":
      return propertyName(node) === "raw" && nameOf(node.object) === "sql" ? "`sql.raw`" : null;
    case "CallExpression": {
      // Finds `db.run(…)` and its like, and `.execute("…")`.
      const { callee, arguments: args } = node;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return null;
      const { name } = callee.property;
      const [first] = args;
      const isText = first?.type === "StringLiteral" || first?.type === "TemplateLiteral" ||
        (first?.type === "BinaryExpression" && first.operator === "+");
      if (TEXT_RUNNERS.has(name) && isText) return `\`.${name}\` with a text`;
      if (name === "run" && isDatabase(callee.object)) return "`db.run`";
      return RUNNERS.has(name) && isText && isDatabase(callee.object)
        ? `\`db.${name}\` with a text`
        : null;
    }
    default:
      return null;
  }
}

/** True for drizzle's `sql` under any name and through any file. A use that is no tag passes it on. */
function isImportedSql(name: string, scope: Scope, project: ProjectScope): boolean {
  const found = scope.declarations.has(name) ? lookUp(project, scope, name) : null;
  return found?.kind === "library" && found.module.startsWith("drizzle-orm") &&
    found.path === "sql";
}

/** Returns the last name of `sql`, `drizzle.sql`, `sql<number>` and `drizzle["sql"]`. */
function nameOf(node: Node): string | null {
  switch (node.type) {
    case "Identifier":
      return node.name;
    case "MemberExpression":
      return propertyName(node);
    case "TSInstantiationExpression":
    case "TSNonNullExpression":
    case "TSAsExpression":
    case "ParenthesizedExpression":
      return nameOf(node.expression);
    default:
      return null;
  }
}

function propertyName({ property, computed }: MemberExpression): string | null {
  if (computed) return property.type === "StringLiteral" ? property.value : null;
  return property.type === "Identifier" ? property.name : null;
}

/**
 * True for a name of a database: `db`, `unsafeDb`, `tx`, and any member or call that ends in such a name: `ctx.db`,
 * `unsafeDb.scopeTo(…)`.
 */
function isDatabase(node: Node): boolean {
  switch (node.type) {
    case "Identifier":
      return /^(tx|trx|transaction|database)$|db$/i.test(node.name);
    case "MemberExpression":
      return isDatabase(node.property);
    case "CallExpression":
      return node.callee.type === "MemberExpression" && isDatabase(node.callee.object);
    case "AwaitExpression":
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
    case "TSAsExpression":
      return isDatabase("argument" in node ? node.argument : node.expression);
    default:
      return false;
  }
}
