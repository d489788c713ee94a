/** Reads the repository's TypeScript sources and what each of them imports. */

export interface SourceFile {
  /** Repository-relative, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** As written, `./a.ts` or a bare name; type imports and dynamic imports included. */
  readonly imports: readonly string[];
}

const ROOT = new URL("../../", import.meta.url);
const SKIPPED = new Set([".git", ".quickback", "node_modules", "expected", "coverage"]);

// A statement starts its line and names its module in double quotes: `deno fmt` sees to both.
const STATIC_IMPORT = /^(?:import|export)\b(?:[^;"]*?\bfrom)?\s*"([^"]+)"/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*"([^"]+)"/g;

/** Every `.ts` file below the folders, sorted by path. A folder that does not exist is an error. */
export function sourcesBelow(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap(filesBelow).sort().map(readSource);
}

export function readText(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

/** The repository path that a relative import means; a bare name as it is. */
export function resolveImport(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return new URL(specifier, new URL(from, "file:///")).pathname.slice(1);
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, ROOT))].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return SKIPPED.has(entry.name) ? [] : filesBelow(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

function readSource(path: string): SourceFile {
  const text = readText(path);
  return { path, text, imports: importsOf(text) };
}

export function importsOf(text: string): readonly string[] {
  return [...staticImportsOf(text), ...matchesIn(text, DYNAMIC_IMPORT)];
}

/** What the head of a module names, type imports included. */
export function staticImportsOf(text: string): readonly string[] {
  return matchesIn(text, STATIC_IMPORT);
}

function matchesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

/** What must be loaded before the module is: neither types nor what it imports when it is asked to. */
export function valueImportsOf(text: string): readonly string[] {
  return [...text.matchAll(STATIC_IMPORT)].flatMap(([statement, specifier = ""]) => {
    const [, names] = /\{([^}]*)\}/.exec(statement) ?? [];
    const isType = /^(?:import|export) type\b/.test(statement) ||
      (names !== undefined && /^(?:import|export) \{/.test(statement) &&
        names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type ")));
    return isType ? [] : [specifier];
  });
}
