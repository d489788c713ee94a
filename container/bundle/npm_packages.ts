/** The pinned npm packages of this installation, resolved as the platform resolves them. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exports as exportedPaths, imports as importedPaths } from "resolve.exports";
import { ifThereSync } from "../../library/platform/if_there.ts";

interface PackageFile {
  readonly path: string;
  /** False when unused parts of the package may be dropped. */
  readonly hasSideEffects: boolean;
}

interface NpmPackagesOptions {
  /** Maps bare names to npm specifiers, as an import map does. */
  readonly pins: Readonly<Record<string, string>>;
  /** Export conditions of the platform. */
  readonly conditions: readonly string[];
}

interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

export class NpmPackages {
  readonly #options: NpmPackagesOptions;
  readonly #packages = new Map<string, Package | null>();

  constructor(options: NpmPackagesOptions) {
    this.#options = options;
  }

  /** True for a package that a project has without listing it. */
  has(specifier: string): boolean {
    return pinOf(specifier, this.#options.pins) !== null;
  }

  /** Resolves an import; null: nothing is there. */
  resolve({ specifier, importer, isRequire }: {
    readonly specifier: string;
    /** Path of the importing file in a package; null: the project imports it. */
    readonly importer: string | null;
    readonly isRequire: boolean;
  }): PackageFile | null {
    const conditions = [...this.#options.conditions, isRequire ? "require" : "import"];
    const options = { unsafe: true, conditions };
    if (importer !== null && /^\.{1,2}(\/|$)/.test(specifier)) {
      return fileOf(this.#packageAround(importer), join(dirname(importer), specifier));
    }
    if (importer !== null && specifier.startsWith("#")) {
      const own = this.#packageAround(importer);
      const [path] = found(() => importedPaths(own.manifest, specifier, options));
      return path === undefined ? null : fileOf(own, join(own.folder, path));
    }
    const name = packageName(specifier);
    const target = this.#package(name, specifier, importer);
    if (target === null) return null;
    const { manifest, folder } = target;
    if (manifest.exports !== undefined) {
      const [path] = found(() => exportedPaths(manifest, specifier, options));
      return path === undefined ? null : fileOf(target, join(folder, path));
    }
    const inside = specifier.slice(name.length + 1);
    const main = typeof manifest.main === "string" ? manifest.main : "index.js";
    return fileOf(target, join(folder, inside === "" ? main : inside));
  }

  #packageAround(path: string): Package {
    for (const known of this.#packages.values()) {
      if (known !== null && path.startsWith(`${known.folder}/`)) return known;
    }
    throw new Error(`No package has the file '${path}'`);
  }

  /** Returns the package that the importer gets under this name. */
  #package(name: string, specifier: string, importer: string | null): Package | null {
    const key = importer === null ? name : `${this.#packageAround(importer).folder}\n${name}`;
    const known = this.#packages.get(key);
    if (known !== undefined) return known;
    const entry = importer === null
      ? pinnedEntry(specifier, this.#options.pins)
      : requiredEntry([specifier, name, `${name}/package.json`], importer);
    const target = entry === null ? null : packageOf(entry, name);
    this.#packages.set(key, target);
    return target;
  }
}

/** Maps `drizzle-orm/sqlite-core` to `drizzle-orm`, `@libsql/client/web` to `@libsql/client`. */
export function packageName(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Returns some file of the package that a name is pinned to. */
function pinnedEntry(
  specifier: string,
  pins: Readonly<Record<string, string>>,
): string | null {
  const pin = pinOf(specifier, pins);
  return pin === null ? null : resolved(() => fileURLToPath(import.meta.resolve(pin)));
}

function pinOf(specifier: string, pins: Readonly<Record<string, string>>): string | null {
  const key = [specifier, packageName(specifier)].find((name) => Object.hasOwn(pins, name));
  return key === undefined ? null : pins[key] ?? null;
}

/** Returns some file of a dependency of the importer's package. */
function requiredEntry(specifiers: readonly string[], importer: string): string | null {
  const { resolve } = createRequire(importer);
  for (const specifier of specifiers) {
    const entry = resolved(() => resolve(specifier));
    if (entry !== null) return entry;
  }
  return null;
}

/** Returns null when nothing is there, which both resolvers report by throwing. */
function resolved(resolve: () => string): string | null {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Returns the paths of a conditional map; none if no condition fits, which the library reports by throwing. */
function found(paths: () => readonly string[] | void): readonly string[] {
  try {
    return paths() ?? [];
  } catch (error) {
    if (error instanceof Error && /^(?:Missing|No known conditions) /.test(error.message)) {
      return [];
    }
    throw error;
  }
}

/**
 * Returns the outermost folder around a file whose manifest has the package's name. Some packages have manifests further down.
 */
function packageOf(file: string, name: string): Package | null {
  let outermost: Package | null = null;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    const text = isFile(path) ? Deno.readTextFileSync(path) : null;
    const manifest: unknown = text === null ? null : JSON.parse(text);
    if (isManifest(manifest) && manifest.name === name) outermost = { folder, manifest };
  }
  return outermost;
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === "object" && value !== null && "name" in value &&
    typeof value.name === "string";
}

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".json", "/index.js"];

function fileOf({ folder, manifest }: Package, path: string): PackageFile | null {
  // A package must not refer to files outside of it.
  if (!path.startsWith(`${folder}/`)) return null;
  const file = ENDINGS.map((ending) => path + ending).find(isFile);
  if (file === undefined) return null;
  return { path: file, hasSideEffects: manifest.sideEffects !== false };
}

function isFile(path: string): boolean {
  return ifThereSync(() => Deno.statSync(path).isFile) ?? false;
}
