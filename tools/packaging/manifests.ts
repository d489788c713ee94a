/** Makes `package.json` and `deno.json` of the published package from the repository's pins. */
import { RUNTIME_PACKAGES } from "../../container/package_entry.ts";
import { PACKAGE, VERSION } from "../../shared/contract/mod.ts";
import { packageExports } from "./library.ts";

interface RepositoryConfig {
  readonly imports: Readonly<Record<string, string>>;
  readonly compilerOptions: unknown;
  readonly allowScripts: unknown;
}

export function packageManifest({ imports }: RepositoryConfig) {
  return {
    name: PACKAGE,
    version: VERSION,
    description: "Compiles what your data is and who may do what with it into a multi-tenant API",
    license: "MIT",
    type: "module",
    bin: { quickback: "quickback.cjs" },
    exports: {
      ...packageExports(),
      "./package.json": "./package.json",
    },
    files: ["app", "lib", "quickback.cjs", "CHANGELOG.md"],
    engines: { node: ">=20" },
    dependencies: Object.fromEntries([
      ["deno", Deno.version.deno],
      ...RUNTIME_PACKAGES.map((name) => [name, versionOf(imports[name] ?? "")]),
    ]),
  };
}

/** Makes the configuration without the packages of tests, and with a lock that no start changes. */
export function runtimeConfig({ imports, compilerOptions, allowScripts }: RepositoryConfig) {
  const known = Object.entries(imports).filter(([, target]) => !target.startsWith("./tests/"));
  return {
    compilerOptions,
    quickback: { package: PACKAGE },
    nodeModulesDir: "none",
    allowScripts,
    lock: { frozen: true },
    imports: Object.fromEntries(known),
  };
}

/** Returns `4.6.7` for `npm:zod@4.6.7`. */
function versionOf(pin: string): string {
  const version = /^npm:@?[^@]+@([^/]+)/.exec(pin)?.[1];
  if (version === undefined) throw new Error(`"${pin}" is no pin of an npm package`);
  return version;
}
