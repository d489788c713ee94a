/** A compile host over this repository's files: the template, the carried runtime and the pinned versions. */
import { dirname, join, relative } from "node:path/posix";
import { type DenoLock, lockOf, readDenoLock, RUNTIME_MODULES } from "../shared/compiler/front.ts";
import type { CompileHost, RawFiles, Stage } from "../shared/compiler/host.ts";
import { PLATFORMS } from "../shared/contract/mod.ts";
import { isJsonObject } from "../shared/lib/json.ts";
import { CARRIED_FOLDER } from "./bundle/paths.ts";
import { withPackage } from "./package_entry.ts";
import { filesBelow, readText } from "./repository_files.ts";

const TEMPLATES = "generated-templates";

/** Runtime modules that a generated project imports: repository paths by name. */
export const ENTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries(RUNTIME_MODULES).map(([name, path]) => [
    name,
    (/^(?:platform|client|testing)\//.test(path) ? "library/" : "shared/") + path,
  ]),
);

/** Packages that generated modules import, or that are loaded by a computed name. */
const GENERATED_IMPORTS = ["drizzle-orm", "swagger-ui-dist"];

/** Pins for outputs of packages that this repository does not load. */
const FOREIGN_PINS = { "@scalar/api-reference": "npm:@scalar/api-reference@1.72.1" };

/**
 * Lock entry of a package of which outputs serve one finished file without imports. Its 267 dependencies are left out, which
 * saves 250 MB on the first start.
 */
const FOREIGN_LOCK: DenoLock = {
  specifiers: new Map([["npm:@scalar/api-reference@1.72.1", "@scalar/api-reference@1.72.1"]]),
  packages: new Map([["@scalar/api-reference@1.72.1", {
    integrity:
      "sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==",
    dependencies: [],
    optionalDependencies: [],
    optionalPeers: [],
    facts: {},
  }]]),
};

/** Reads all files anew. A caller that compiles often should keep the result. */
export function readCompileHost(options: {
  readonly version: string;
  /** Integrity of the package's archive, for the locks of outputs that depend on it. Absent: unknown. */
  readonly integrity?: string | null;
  readonly onProgress?: (stage: Stage, message: string) => void;
}): CompileHost {
  const vendored = vendor({ entries: [...ENTRIES.values()], readText });
  const imports = { ...importsFor(vendored), ...FOREIGN_PINS };
  const own = readDenoLock(readText("deno.lock"));
  if (own === null) throw new Error("The repository's deno.lock cannot be read");
  const all = {
    specifiers: new Map([...own.specifiers, ...FOREIGN_LOCK.specifiers]),
    packages: new Map([...own.packages, ...FOREIGN_LOCK.packages]),
  };
  return {
    version: options.version,
    template: readServerTemplate(),
    vendored: vendored.files,
    platforms: Object.fromEntries(
      PLATFORMS.slice(1).map((name) => {
        const entries = [`library/platform/${name}/mod.ts`];
        const { files } = vendor({ entries, readText });
        return [name, { template: readTemplate(name), vendored: files }];
      }),
    ),
    imports,
    lock: withPackage(
      lockOf(Object.values(imports), all),
      readPins(),
      options.integrity ?? null,
    ),
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  };
}

/** Maps `shared/runtime/app.ts` to `src/quickback/runtime/app.ts`, `library/client/mod.ts` to `src/quickback/client/mod.ts`. */
export function vendoredPath(path: string): string {
  return CARRIED_FOLDER + path.replace(/^(?:shared|library)\//, "");
}

/** Reads the template of servers. It runs directly or in a container. */
export function readServerTemplate(): RawFiles {
  return { ...readTemplate("deno"), ...readTemplate("container") };
}

export function readTemplate(name: string): RawFiles {
  const folder = `${TEMPLATES}/${name}`;
  const files: Record<string, string> = Object.create(null);
  for (const path of filesBelow(folder)) {
    // npm leaves out files named `.gitignore`.
    const named = path.slice(folder.length + 1).replace(/(^|\/)gitignore$/, "$1.gitignore");
    files[named] = readText(path);
  }
  return files;
}

/** Returns the repository's pins of all packages that the output imports. */
function importsFor(vendored: VendoredFiles): Readonly<Record<string, string>> {
  const pins = readPins();
  const imports: Record<string, string> = Object.create(null);
  for (const name of [...GENERATED_IMPORTS, ...vendored.bareImports]) {
    if (name.startsWith("node:")) continue;
    // `hono/cors` becomes `hono`, `@libsql/client/web` becomes `@libsql/client`.
    const bare = name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/");
    const key = [name, bare].find((candidate) => pins.has(candidate));
    const pin = key === undefined ? undefined : pins.get(key);
    if (key === undefined || pin === undefined) {
      throw new Error(`Package '${name}' of the vendored runtime is not pinned in deno.json`);
    }
    imports[key] = pin;
  }
  return imports;
}

/** Reads the pinned packages of `deno.json` by bare name. */
export function readPins(): ReadonlyMap<string, string> {
  const config: unknown = JSON.parse(readText("deno.json"));
  const imports = isJsonObject(config) && isJsonObject(config.imports) ? config.imports : {};
  return new Map(
    Object.entries(imports).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string" && entry[1].startsWith("npm:")
    ),
  );
}

/** Options for collecting the carried files: the import closure of the runtime's entry points. */
interface VendorOptions {
  /** Entry points as repository paths. */
  readonly entries: readonly string[];
  /** Reads a repository file. */
  readonly readText: (path: string) => string;
}

interface VendoredFiles {
  /** Texts by output path. */
  readonly files: RawFiles;
  /** Bare names that the files import, sorted: `hono/cors`, `zod`. */
  readonly bareImports: readonly string[];
}

// A statement starts its line, and modules are quoted by `"`, because `deno fmt` formats the sources.
const IMPORT = /^((?:import|export)\b(?:[^;"]*?\bfrom)?\s*"|.*?\bimport\(\s*")([^"]+)(")/gm;

/** Joins an import to one line, as `deno fmt` does when its path became shorter. */
function onOneLineIfItFits(statement: string): string {
  const line = statement.replace(/\s*\n\s*/g, " ").replace(", }", " }");
  return `${line};`.length <= LINE_WIDTH ? line : statement;
}

/** Line width of outputs, in which `deno fmt --check` must pass. */
const LINE_WIDTH = 100;

/** Follows relative imports from the entries. It changes only paths that differ in the output's layout. */
export function vendor({ entries, readText }: VendorOptions): VendoredFiles {
  const files: Record<string, string> = Object.create(null);
  const bareImports = new Set<string>();
  const pending = [...entries];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const target = vendoredPath(path);
    if (target in files) continue;
    const folder = dirname(path);
    files[target] = readText(path).replace(
      IMPORT,
      (whole, before: string, specifier: string, after: string) => {
        if (!specifier.startsWith(".")) {
          bareImports.add(specifier);
          return whole;
        }
        const imported = join(folder, specifier);
        pending.push(imported);
        const path = relative(dirname(target), vendoredPath(imported)).replace(/^(?!\.)/, "./");
        return path === specifier ? whole : onOneLineIfItFits(before + path + after);
      },
    );
  }
  return { files, bareImports: [...bareImports].sort() };
}
