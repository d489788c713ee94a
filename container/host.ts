/** A compile host over this repository's files: the template, the vendored runtime and the pinned versions. */
import { isJsonObject } from "../shared/lib/json.ts";
import { PLATFORMS } from "../shared/contract/versions.ts";
import type { CompileHost, PlatformFiles, RawFiles, Stage } from "../shared/compiler/host.ts";
import type { DenoLock } from "../shared/compiler/front.ts";
import { readOutputLock } from "./output_lock.ts";
import { filesBelow, readText } from "./repository_files.ts";
import { vendor, type VendoredFiles } from "./vendor.ts";

const TEMPLATES = "generated-templates";
const VENDOR_FOLDER = "src/quickback";

/** Modules that a generated project imports by alias, and those that its generated modules import beside them. */
const ENTRIES = [
  "platform/mod.ts",
  "shared/accounts/mod.ts",
  "shared/authoring/mod.ts",
  "client/mod.ts",
  "client/tanstack.ts",
  "shared/model/access.ts",
  "shared/model/table_spec.ts",
  "shared/runtime/mod.ts",
  "shared/surface/action_implementation.ts",
];

/** Packages of the generated modules themselves, and those that are loaded by a name worked out at run time. */
const GENERATED_IMPORTS = ["drizzle-orm", "swagger-ui-dist"];

/** Pinned here alone: nothing of this repository loads it. */
const FOREIGN_PINS = { "@scalar/api-reference": "npm:@scalar/api-reference@1.72.1" };

/**
 * Outputs serve its finished browser, one file that imports nothing: the 267 packages that its other modules import are
 * left out, and with them 250 MB of a first start.
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

interface HostOptions {
  readonly version: string;
  readonly onProgress?: (stage: Stage, message: string) => void;
}

/** Reads everything afresh; a caller that compiles often keeps the host. */
export function readCompileHost(options: HostOptions): CompileHost {
  const vendored = vendor({ entries: ENTRIES, readText, targetOf: vendoredPath });
  const imports = { ...importsFor(vendored), ...FOREIGN_PINS };
  return {
    version: options.version,
    template: readServerTemplate(),
    vendored: vendored.files,
    platforms: platformFiles(),
    imports,
    lock: readOutputLock(imports, FOREIGN_LOCK),
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  };
}

/** Every output has what the first platform needs. */
function platformFiles(): PlatformFiles {
  return Object.fromEntries(
    PLATFORMS.slice(1).map((name) => {
      const entries = [`platform/${name}/mod.ts`];
      const { files } = vendor({ entries, readText, targetOf: vendoredPath });
      return [name, { template: readTemplate(name), vendored: files }];
    }),
  );
}

/** `shared/runtime/app.ts` → `src/quickback/runtime/app.ts`; other folders keep their own name there. */
function vendoredPath(path: string): string {
  return `${VENDOR_FOLDER}/${path.replace(/^shared\//, "")}`;
}

/** Servers run it as it is, or in a container. */
export function readServerTemplate(): RawFiles {
  return { ...readTemplate("deno"), ...readTemplate("container") };
}

export function readTemplate(name: string): RawFiles {
  const folder = `${TEMPLATES}/${name}`;
  const files: Record<string, string> = Object.create(null);
  for (const path of filesBelow(folder)) {
    files[outputPath(path.slice(folder.length + 1))] = readText(path);
  }
  return files;
}

/** npm keeps no `.gitignore` in a package. */
function outputPath(path: string): string {
  return path.replace(/(^|\/)gitignore$/, "$1.gitignore");
}

/** The repository's own pins for every package that the output imports. */
function importsFor(vendored: VendoredFiles): Readonly<Record<string, string>> {
  const pins = readPins();
  const imports: Record<string, string> = Object.create(null);
  for (const name of [...GENERATED_IMPORTS, ...vendored.bareImports]) {
    if (name.startsWith("node:")) continue;
    const key = [name, packageOf(name)].find((candidate) => pins.has(candidate));
    const pin = key === undefined ? undefined : pins.get(key);
    if (key === undefined || pin === undefined) {
      throw new Error(`Package '${name}' of the vendored runtime is not pinned in deno.json`);
    }
    imports[key] = pin;
  }
  return imports;
}

/** Pinned packages of `deno.json`, by bare name. */
export function readPins(): ReadonlyMap<string, string> {
  const config: unknown = JSON.parse(readText("deno.json"));
  const imports = isJsonObject(config) && isJsonObject(config.imports) ? config.imports : {};
  return new Map(
    Object.entries(imports).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string" && entry[1].startsWith("npm:")
    ),
  );
}

/** `hono/cors` → `hono`, `@libsql/client/web` → `@libsql/client`. */
function packageOf(name: string): string {
  return name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/");
}
