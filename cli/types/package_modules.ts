/**
 * Resolves modules that definitions import, for a project without its own installation: to this package's own modules and pins.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import config from "../../deno.json" with { type: "json" };

export const AUTHORING = fileURLToPath(new URL("../../shared/authoring/mod.ts", import.meta.url));

export const AUTHORING_NAMES = ["quickback", "@quickback/compiler", "@quickback/types"];

/** Packages whose types authors use, at the versions of outputs. */
export const AUTHOR_PACKAGES = ["drizzle-orm", "hono", "zod"] as const;

export const TYPESCRIPT_VERSION = config.imports.typescript.slice("npm:typescript@".length);

export function pinOf(name: typeof AUTHOR_PACKAGES[number]): string {
  return config.imports[name];
}

/** Resolves a module; null for one that this package does not provide. */
export function packageModule(
  specifier: string,
  options: ts.CompilerOptions,
  host: ts.ModuleResolutionHost,
): ts.ResolvedModuleWithFailedLookupLocations | null {
  if (AUTHORING_NAMES.includes(specifier)) {
    return ts.resolveModuleName(AUTHORING, AUTHORING, options, host);
  }
  const name = AUTHOR_PACKAGES.find((candidate) =>
    specifier === candidate || specifier.startsWith(`${candidate}/`)
  );
  if (name === undefined) return null;
  // A package can import itself by its own name.
  return ts.resolveModuleName(specifier, join(packageFolder(name), "index.ts"), options, host);
}

/** Returns the absolute path of the package at its pinned version. */
export function packageFolder(name: typeof AUTHOR_PACKAGES[number]): string {
  const entry = fileURLToPath(import.meta.resolve(pinOf(name)));
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const text = ts.sys.readFile(join(folder, "package.json"));
    if (text !== undefined && JSON.parse(text).name === name) return folder;
  }
  throw new Error(`Package '${name}' has no folder`);
}
