/** Collects the files that a generated project carries: the import closure of the runtime's entry points. */
import type { RawFiles } from "../shared/compiler/host.ts";

interface VendorOptions {
  /** Repository-relative entry points. */
  readonly entries: readonly string[];
  /** Text of a repository file. */
  readonly readText: (path: string) => string;
  /** Path of a repository file inside the output. */
  readonly targetOf: (path: string) => string;
}

export interface VendoredFiles {
  /** Path in the output → text. */
  readonly files: RawFiles;
  /** Bare names that they import, sorted: `hono/cors`, `zod`. */
  readonly bareImports: readonly string[];
}

// Statements start their line and quote modules with `"`: `deno fmt` sees to both.
const IMPORT = /^((?:import|export)\b(?:[^;"]*?\bfrom)?\s*"|.*?\bimport\(\s*")([^"]+)(")/gm;

/** Follows relative imports from the entries; keeps every text as it is but for paths that change with the layout. */
export function vendor(options: VendorOptions): VendoredFiles {
  const files: Record<string, string> = Object.create(null);
  const bareImports = new Set<string>();
  const pending = [...options.entries];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const target = options.targetOf(path);
    if (target in files) continue;
    const text = options.readText(path);
    const specifiers = importsOf(text);
    pending.push(...specifiers.filter(isRelative).map((specifier) => resolve(path, specifier)));
    specifiers.filter((specifier) => !isRelative(specifier)).forEach((name) =>
      bareImports.add(name)
    );
    files[target] = relocated(text, { path, targetOf: options.targetOf });
  }
  return { files, bareImports: [...bareImports].sort() };
}

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap((match) => match[2] ?? []);
}

/** The text with its relative imports as they must read from the file's place in the output. */
function relocated(
  text: string,
  place: { readonly path: string; readonly targetOf: (path: string) => string },
): string {
  const { path, targetOf } = place;
  return text.replace(IMPORT, (whole, before: string, specifier: string, after: string) => {
    if (!isRelative(specifier)) return whole;
    return before + relativePath(targetOf(path), targetOf(resolve(path, specifier))) + after;
  });
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../");
}

function resolve(from: string, specifier: string): string {
  return new URL(specifier, new URL(from, "file:///")).pathname.slice(1);
}

function relativePath(from: string, to: string): string {
  const source = from.split("/").slice(0, -1);
  const target = to.split("/");
  let shared = 0;
  while (shared < source.length && source[shared] === target[shared]) shared++;
  const up = source.slice(shared).map(() => "..");
  return [...(up.length === 0 ? ["."] : up), ...target.slice(shared)].join("/");
}
