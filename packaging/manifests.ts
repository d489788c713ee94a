/** `package.json` and `deno.json` of the published package, made from the repository's own pins. */
import { VERSION } from "../shared/contract/version.ts";

interface RepositoryConfig {
  readonly imports: Readonly<Record<string, string>>;
  readonly compilerOptions: unknown;
  readonly allowScripts: unknown;
}

/** Packages that the bundled library and its declarations import. */
const LIBRARY_PACKAGES = ["drizzle-orm", "hono", "zod"];

export function packageManifest({ imports }: RepositoryConfig) {
  return {
    name: "quickback",
    version: VERSION,
    description: "Compiles what your data is and who may do what with it into a multi-tenant API",
    license: "MIT",
    type: "module",
    bin: { quickback: "quickback.cjs" },
    exports: {
      ".": { types: "./lib/types/shared/authoring/mod.d.ts", default: "./lib/authoring.js" },
      "./client": { types: "./lib/types/client/mod.d.ts", default: "./lib/client.js" },
      "./client/tanstack": {
        types: "./lib/types/client/tanstack.d.ts",
        default: "./lib/tanstack.js",
      },
      "./package.json": "./package.json",
    },
    files: ["app", "lib", "quickback.cjs", "CHANGELOG.md"],
    engines: { node: ">=20" },
    dependencies: Object.fromEntries([
      ["deno", Deno.version.deno],
      ...LIBRARY_PACKAGES.map((name) => [name, versionOf(imports[name] ?? "")]),
    ]),
  };
}

/** Names without the tests' own, and a lock that no start changes. */
export function runtimeConfig({ imports, compilerOptions, allowScripts }: RepositoryConfig) {
  const known = Object.entries(imports).filter(([, target]) => !target.startsWith("./tests/"));
  return {
    compilerOptions,
    nodeModulesDir: "none",
    allowScripts,
    lock: { frozen: true },
    imports: Object.fromEntries(known),
  };
}

/** `npm:zod@4.6.7` → `4.6.7`. */
function versionOf(pin: string): string {
  const version = /^npm:@?[^@]+@([^/]+)/.exec(pin)?.[1];
  if (version === undefined) throw new Error(`"${pin}" is no pin of an npm package`);
  return version;
}
