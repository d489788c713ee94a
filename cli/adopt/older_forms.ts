/**
 * Rewrites forms of the language's first implementation that have exactly one new form, and leaves the others to the compiler.
 */
import type { CallExpression, Node, ObjectExpression, ObjectProperty } from "@babel/types";
import type { Edit } from "./source_edits.ts";
import { indentAt, membersOf, nodesOf, removalOf, textOf, withEdits } from "./source_edits.ts";

export interface Rewritten {
  readonly text: string;
  /** Forms that were rewritten, each once. */
  readonly changes: readonly string[];
}

interface Change {
  readonly what: string;
  readonly edits: readonly Edit[];
}

/** Returns the rewritten file; its own text if nothing changes. */
export function rewriteOlderForms(path: string, text: string): Rewritten {
  const isConfig = path.endsWith("quickback.config.ts");
  const changes = nodesOf(path, text).flatMap((node): readonly Change[] => {
    const specifier = specifierOf(node);
    if (specifier) {
      if (!ALIASES.includes(specifier.value)) return [];
      const what = `"${specifier.value}" is "quickback"`;
      return [{ what, edits: [inside(specifier, "quickback")] }];
    }
    if (node.type === "ObjectExpression") return withoutStandalone(text, node);
    if (node.type === "ObjectProperty" && isConfig) return listedFeatures(node);
    if (node.type !== "CallExpression") return [];
    return [...renamedName(node), ...renamedBuilder(node), ...readKeys(text, node)];
  });
  return {
    text: withEdits(text, changes.flatMap(({ edits }) => edits)),
    changes: [...new Set(changes.map(({ what }) => what))],
  };
}

const ALIASES: readonly string[] = ["@quickback/compiler", "@quickback/types"];

/** Returns the module's name in an import, an export or a dynamic import. */
export function specifierOf(node: Node): (Node & { readonly value: string }) | null {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return node.source ?? null;
    case "ImportExpression":
      return node.source.type === "StringLiteral" ? node.source : null;
    case "TSImportType":
      return node.source.type === "StringLiteral" ? node.source : null;
    default:
      return null;
  }
}

/** Returns the range between the quotes that the author chose. */
function inside({ start, end }: Node, text: string): Edit {
  return { start: (start ?? 0) + 1, end: (end ?? 0) - 1, text };
}

/**
 * Removes `standalone` of an action with a path, which is standalone anyway. Without a path it stays, because the author must
 * add one.
 */
function withoutStandalone(text: string, object: ObjectExpression): readonly Change[] {
  const members = membersOf(object);
  const standalone = members.get("standalone");
  if (standalone?.value.type !== "BooleanLiteral" || !members.has("access")) return [];
  if (standalone.value.value && !members.has("path")) return [];
  return [{
    what: "standalone is said by the path alone",
    edits: [removalOf(text, standalone)],
  }];
}

function listedFeatures({ key, value }: ObjectProperty): readonly Change[] {
  if (key.type !== "Identifier" || key.name !== "features") return [];
  if (value.type !== "ArrayExpression" || value.elements.length !== 1) return [];
  const [only] = value.elements;
  if (only?.type !== "StringLiteral" || only.value !== "organizations") return [];
  const edit = {
    start: value.start ?? 0,
    end: value.end ?? 0,
    text: "{ organizations: true }",
  };
  return [{ what: "features is an object", edits: [edit] }];
}

/** Names of providers that have one new name. */
const PROVIDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  defineRuntime: { node: "deno", bun: "deno" },
  defineDatabase: {
    sqlite: "libsql",
    "better-sqlite3": "libsql",
    "bun-sqlite": "libsql",
    turso: "libsql",
  },
};

function renamedName({ callee, arguments: [first] }: CallExpression): readonly Change[] {
  if (callee.type !== "Identifier" || first?.type !== "StringLiteral") return [];
  const names = Object.hasOwn(PROVIDERS, callee.name) ? PROVIDERS[callee.name] : undefined;
  const name = names && Object.hasOwn(names, first.value) ? names[first.value] : undefined;
  if (name === undefined) return [];
  return [{
    what: `${callee.name}("${first.value}") is "${name}"`,
    edits: [inside(first, name)],
  }];
}

/** Builders with another name that store the same values. */
const BUILDERS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "int",
  float: "real",
  double: "real",
  object: "json",
  jsonb: "json",
  dateTime: "timestamp",
};

function renamedBuilder({ callee, arguments: given }: CallExpression): readonly Change[] {
  if (callee.type !== "MemberExpression" || callee.computed) return [];
  const { object, property } = callee;
  if (object.type !== "Identifier" || object.name !== "q") return [];
  if (property.type !== "Identifier" || !Object.hasOwn(BUILDERS, property.name)) return [];
  if (!given.every(({ type }) => type === "ObjectExpression")) return [];
  const name = BUILDERS[property.name] ?? property.name;
  const edit = { start: property.start ?? 0, end: property.end ?? 0, text: name };
  return [{ what: `q.${property.name}() is q.${name}()`, edits: [edit] }];
}

/**
 * Replaces `crud.list` and `crud.get` with the same rule, and views beside them, by `read`; with two different rules a person
 * decides.
 */
function readKeys(text: string, call: CallExpression): readonly Change[] {
  const { callee, arguments: [, options] } = call;
  const isResource = callee.type === "Identifier" &&
    (callee.name === "feature" || callee.name === "defineTable");
  if (!isResource || options?.type !== "ObjectExpression") return [];
  const members = membersOf(options);
  const crud = members.get("crud");
  if (members.has("read") || crud?.value.type !== "ObjectExpression") return [];
  const operations = membersOf(crud.value);
  const read = readText(text, operations, members.get("views"));
  if (read === null) return [];
  const moved = ["read", "list", "get"].flatMap((key) => operations.get(key) ?? []);
  const views = members.get("views");
  const isEmpty = moved.length === crud.value.properties.length;
  const start = crud.start ?? 0;
  const indent = indentAt(text, start);
  const written = `read: ${read.replaceAll("\n", `\n${indent}`)}`;
  return [{
    what: "crud.list, crud.get and views are read",
    edits: [
      ...(views ? [removalOf(text, views)] : []),
      ...(isEmpty ? [{ start, end: crud.end ?? 0, text: written }] : [
        { start, end: start, text: `${written},\n${indent}` },
        ...removalsOf(text, moved),
      ]),
    ],
  }];
}

/** Returns the removals of several members. A comma that two neighbouring removals share is removed once. */
function removalsOf(text: string, members: readonly ObjectProperty[]): readonly Edit[] {
  const edits = members.map((member) => removalOf(text, member))
    .toSorted((a, b) => a.start - b.start);
  return edits.map((edit, at) => ({
    ...edit,
    start: Math.max(edit.start, edits[at - 1]?.end ?? 0),
  }));
}

/** Writes the value of `read`, with the indent of its first line removed from the others; null: there is not one rule. */
function readText(
  text: string,
  operations: ReadonlyMap<string, ObjectProperty>,
  views: ObjectProperty | undefined,
): string | null {
  const [list, get, read] = ["list", "get", "read"].map((key) => operations.get(key));
  const main = read ?? list;
  if (main?.value.type !== "ObjectExpression" || (read && (list || get))) return null;
  if (!read && !isSameAccess(text, main.value, get)) return null;
  const known = ["access", "pageSize", "maxPageSize", "include", "defaultView", "views"];
  const names = [...membersOf(main.value).keys()];
  if (names.length !== main.value.properties.length) return null;
  if (names.some((name) => !known.includes(name))) return null;
  const body = unindented(text, main.value);
  if (!views) return body;
  if (names.includes("views") || views.value.type !== "ObjectExpression") return null;
  const inner = unindented(text, views.value).replaceAll("\n", "\n  ");
  const head = body.slice(0, body.lastIndexOf("}")).trimEnd();
  const start = body.includes("\n") ? head : `{\n  ${head.slice(1).trim()}`;
  return `${start.endsWith(",") ? start : `${start},`}\n  views: ${inner},\n}`;
}

/**
 * False when single reads have another rule than the list, or the author's own members: such a rule must be neither opened nor
 * lost.
 */
function isSameAccess(
  text: string,
  list: ObjectExpression,
  get: ObjectProperty | undefined,
): boolean {
  if (get?.value.type !== "ObjectExpression" || get.value.properties.length !== 1) return false;
  const [own, other] = [membersOf(list).get("access"), membersOf(get.value).get("access")];
  if (!own || !other || /\/[/*]/.test(textOf(text, get))) return false;
  return plain(textOf(text, own.value)) === plain(textOf(text, other.value));
}

function plain(source: string): string {
  return source.replace(/\s+/g, "").replace(/,([}\]])/g, "$1").replaceAll("'", '"');
}

function unindented(text: string, node: Node): string {
  const indent = indentAt(text, node.start ?? 0);
  return textOf(text, node).replaceAll(`\n${indent}`, "\n");
}
