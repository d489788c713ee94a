/** Connects all modules of a project: it resolves a name in one file to its declaration in another. */
import type { Expression, Node } from "@babel/types";
import type { SourceFile } from "../1-read/layout.ts";
import type { Module } from "../2-parse/parse.ts";
import { AUTHORING_VALUES, readableModule, suggestedModule } from "./authoring_symbols.ts";
import { nearest } from "../../../lib/nearest.ts";
import { joined } from "./module_paths.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { calleeName, withoutTypes } from "./syntax.ts";

export interface ProjectScope {
  /** Scopes of all files by path, parsed or not. */
  readonly scopes: ReadonlyMap<string, Scope>;
}

export type Found =
  /** A constant or a default export; `name` is its name in `scope`, `default` for the latter. */
  | {
    readonly kind: "value";
    readonly scope: Scope;
    readonly name: string;
    readonly value: Expression;
  }
  | { readonly kind: "function"; readonly scope: Scope; readonly node: Node }
  /** A name of a module whose calls are read; with an empty `path`, the module itself. */
  | { readonly kind: "library"; readonly module: string; readonly path: string }
  | { readonly kind: "namespace"; readonly scope: Scope }
  /** The module `../schema`: all tables of a feature (definitions 1). */
  | { readonly kind: "schema"; readonly feature: string }
  /** A name that cannot be read; a null `construct`: the report shows only the name. */
  | { readonly kind: "unreadable"; readonly construct: string | null }
  /** A name with an unknown value, whose cause is reported at its place. */
  | { readonly kind: "unknown" };

type Target =
  | { readonly kind: "file"; readonly scope: Scope }
  | { readonly kind: "schema"; readonly feature: string }
  | { readonly kind: "package" }
  | { readonly kind: "missing"; readonly nearest: string | null };

/** Limit of aliases that are followed. A cycle of imports ends here. */
const ALIASES_MAX = 50;

export function projectScopeOf(modules: readonly Module[]): ProjectScope {
  return { scopes: new Map(modules.map((module) => [module.source.path, scopeOf(module)])) };
}

/** Returns what a name refers to; null when the file declares no such name. */
export function lookUp(project: ProjectScope, scope: Scope, name: string, hops = 0): Found | null {
  const declaration = scope.declarations.get(name);
  if (declaration === undefined) return null;
  switch (declaration.kind) {
    case "constant":
      return followAlias(project, { kind: "value", scope, name, value: declaration.value }, hops);
    case "function":
      return { kind: "function", scope, node: declaration.node };
    case "unreadable":
      return declaration;
    case "import":
      return lookUpImport(project, scope, declaration.specifier, declaration.imported, hops);
  }
}

/** Follows `const b = a` and `export default a` to `a`. */
function followAlias(
  project: ProjectScope,
  found: Found & { readonly kind: "value" },
  hops: number,
): Found {
  const value = withoutTypes(found.value);
  if (value.type !== "Identifier" || hops >= ALIASES_MAX) return found;
  return lookUp(project, found.scope, value.name, hops + 1) ?? found;
}

function lookUpImport(
  project: ProjectScope,
  scope: Scope,
  specifier: string,
  imported: string,
  hops: number,
): Found {
  const target = targetOf(project, scope.source, specifier);
  if (target.kind === "missing") return { kind: "unknown" };
  if (target.kind === "package") {
    // A misspelt authoring name or module was reported at its import and is read as the suggested one.
    const isMeant = suggestedModule(specifier, imported) !== null;
    const module = isMeant ? "quickback" : readableModule(specifier);
    if (module === null) {
      const construct = `\`${imported}\` of the package ${JSON.stringify(specifier)}`;
      return { kind: "unreadable", construct };
    }
    if (module === "quickback" && imported === "z") {
      return { kind: "library", module: "zod", path: "z" };
    }
    if (module === "zod" && (imported === "*" || imported === "default")) {
      return { kind: "library", module, path: "z" };
    }
    if (imported === "*") return { kind: "library", module, path: "" };
    const isKnown = module !== "quickback" || AUTHORING_VALUES.includes(imported);
    const path = isKnown ? imported : nearest(imported, AUTHORING_VALUES);
    return path === null ? { kind: "unknown" } : { kind: "library", module, path };
  }
  if (target.kind === "schema") {
    if (imported === "*") return target;
    return schemaTable(project, target.feature, imported) ?? { kind: "unknown" };
  }
  if (imported === "*") return { kind: "namespace", scope: target.scope };
  return exportOf(project, target.scope, imported, hops + 1) ??
    likelyExport(project, target, imported) ?? { kind: "unknown" };
}

/** Returns the export that is nearest to a misspelt name, which was reported at its import. */
function likelyExport(
  project: ProjectScope,
  target: Target & { readonly kind: "file" },
  imported: string,
): Found | null {
  const meant = nearest(imported, exportedNames(project, target));
  return meant === null ? null : exportOf(project, target.scope, meant, ALIASES_MAX - 1);
}

/** Returns an export of a file; null when the file exports no such name. */
export function exportOf(
  project: ProjectScope,
  scope: Scope,
  name: string,
  hops = 0,
): Found | null {
  if (!scope.known || hops >= ALIASES_MAX) return { kind: "unknown" };
  const exported = scope.exports.get(name);
  if (exported !== undefined) {
    switch (exported.kind) {
      case "local":
        return lookUp(project, scope, exported.name, hops + 1) ?? { kind: "unknown" };
      case "from":
        return lookUpImport(project, scope, exported.specifier, exported.imported, hops);
      case "default": {
        const found: Found = { kind: "value", scope, name: "default", value: exported.value };
        return followAlias(project, found, hops);
      }
      case "defaultFunction":
        return { kind: "function", scope, node: exported.node };
    }
  }
  for (const { specifier } of name === "default" ? [] : scope.stars) {
    const target = targetOf(project, scope.source, specifier);
    if (target.kind !== "file") continue;
    const found = exportOf(project, target.scope, name, hops + 1);
    if (found !== null) return found;
  }
  return tableByName(project, scope, name);
}

/** True when the target exports the name, as a value or as a type. */
export function isExported(project: ProjectScope, target: Target, name: string): boolean {
  if (target.kind === "schema") return schemaTable(project, target.feature, name) !== null;
  if (target.kind !== "file") return true;
  return exportOf(project, target.scope, name) !== null ||
    exportsType(project, target.scope, name, 0);
}

function exportsType(project: ProjectScope, scope: Scope, name: string, hops: number): boolean {
  if (scope.types.has(name) || hops >= ALIASES_MAX) return true;
  return scope.stars.some(({ specifier }) => {
    const target = targetOf(project, scope.source, specifier);
    return target.kind === "file" && exportsType(project, target.scope, name, hops + 1);
  });
}

/** Returns the table under its own name. A table file exports it, as the generated schema does (definitions 1). */
function tableByName(project: ProjectScope, scope: Scope, name: string): Found | null {
  if (scope.source.role.kind !== "table" || name === "default") return null;
  const exported = exportOf(project, scope, "default");
  if (exported?.kind !== "value" || exported.scope !== scope) return null;
  return tableNamesOf(exported.value, scope).includes(name) ? exported : null;
}

/**
 * Returns the names of a table: `jobs` for `feature("jobs", …)`; for `defineTable(table, …)` the constant's name and the one
 * that it gives the table.
 */
function tableNamesOf(value: Expression, scope: Scope): readonly string[] {
  const call = withoutTypes(value);
  if (call.type !== "CallExpression" || calleeName(call.callee) === null) return [];
  const [first] = call.arguments;
  if (first?.type === "StringLiteral") return [first.value];
  if (first?.type !== "Identifier") {
    // The file `internal-notes` is named after the table `internalNotes`.
    return [
      scope.source.path.replace(/^.*\//, "").replace(/\.ts$/, "").replace(
        /[-_]+([A-Za-z0-9])/g,
        (_, next: string) => next.toUpperCase(),
      ),
    ];
  }
  const declared = scope.declarations.get(first.name);
  const own = declared?.kind === "constant" ? tableNamesOf(declared.value, scope) : [];
  return [first.name, ...own];
}

function defaultTableNames(scope: Scope): readonly string[] {
  const exported = scope.exports.get("default");
  return exported?.kind === "default" ? tableNamesOf(exported.value, scope) : [];
}

function schemaTable(project: ProjectScope, feature: string, name: string): Found | null {
  for (const scope of project.scopes.values()) {
    const { role } = scope.source;
    if (role.kind !== "table" || role.feature !== feature) continue;
    const found = exportOf(project, scope, name);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the names that an import from the target may use, for suggestions. */
export function exportedNames(project: ProjectScope, target: Target): readonly string[] {
  if (target.kind === "file") return [...target.scope.exports.keys()];
  if (target.kind !== "schema") return [];
  return [...project.scopes.values()].flatMap((scope) => {
    const { role } = scope.source;
    return role.kind === "table" && role.feature === target.feature
      ? [...scope.exports.keys(), ...defaultTableNames(scope)]
      : [];
  });
}

/** Returns the file, package or schema that an import's specifier refers to in a file. */
export function targetOf(project: ProjectScope, from: SourceFile, specifier: string): Target {
  if (!specifier.startsWith(".") && !specifier.startsWith("/")) return { kind: "package" };
  const path = specifier.startsWith("/") ? null : joined(from.path, specifier);
  if (path === null) return { kind: "missing", nearest: null };
  // Imports may end in `.ts` or not, or in the `.js` that the file becomes (definitions 7).
  const asSource = path.replace(/\.js(x?)$/, ".ts$1");
  for (const candidate of [path, `${path}.ts`, `${path}.tsx`, asSource, `${path}/index.ts`]) {
    const scope = project.scopes.get(candidate);
    if (scope !== undefined) return { kind: "file", scope };
  }
  const feature = /^quickback\/features\/([^/]+)\/schema(\.ts)?$/.exec(path)?.[1];
  return feature === undefined
    ? { kind: "missing", nearest: likelyFile(project, path) }
    : { kind: "schema", feature };
}

/** Returns the project's file with the nearest path, in the written folder if a near one is there. */
function likelyFile(project: ProjectScope, path: string): string | null {
  const wanted = path.endsWith(".ts") ? path : `${path}.ts`;
  const paths = [...project.scopes.keys()];
  const folder = wanted.slice(0, wanted.lastIndexOf("/") + 1);
  const siblings = paths.filter((one) => one.startsWith(folder)).map((one) =>
    one.slice(folder.length)
  );
  const sibling = nearest(wanted.slice(folder.length), siblings);
  return sibling === null ? nearest(wanted, paths) : folder + sibling;
}
