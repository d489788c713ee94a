/** Exports of modules beside the author's. Unknown ones are bundled on demand. */
import { isBuiltin } from "node:module";
import type { RawFiles, Target } from "../../shared/compiler/mod.ts";
import type { Bundle, BundleOptions, Metafile, OnResolveArgs } from "./bundler.ts";
import { type ExportedNames, KNOWN_MODULES } from "./known_modules.ts";
import { NpmPackages } from "./npm_packages.ts";
import { relativeTo } from "./paths.ts";
import type { ImportFinding, ModuleNames } from "./module_names.ts";

interface ModuleCatalogueOptions {
  readonly bundle: Bundle;
  readonly target: Target;
  readonly carried: RawFiles;
  readonly pins: Readonly<Record<string, string>>;
}

type Names = ModuleNames | ImportFinding;

export class ModuleCatalogue {
  readonly #options: ModuleCatalogueOptions;
  readonly #packages: NpmPackages;
  /** Known exports. The number of entries is bounded by the modules of this installation. */
  readonly #found = new Map<string, Promise<Names>>();

  constructor(options: ModuleCatalogueOptions) {
    this.#options = options;
    const { pins, target } = options;
    this.#packages = new NpmPackages({ pins, conditions: target.conditions });
  }

  /** Returns the exports of a carried module by its output path, or of a package by its name; null: it is neither. */
  names(name: string): Promise<Names> | null {
    const { carried } = this.#options;
    const exports = Object.hasOwn(KNOWN_MODULES, name) ? KNOWN_MODULES[name] : undefined;
    if (exports !== undefined) return Promise.resolve({ exports });
    const isCarried = Object.hasOwn(carried, name);
    if (!isCarried && !this.#packages.has(name)) return null;
    const import_ = { specifier: name, importer: null, isRequire: false };
    if (!isCarried && this.#packages.resolve(import_) === null) {
      return Promise.resolve({ kind: "unresolved", specifier: name, behind: [] });
    }
    const found = this.#found.get(name) ?? this.#bundled(name);
    this.#found.set(name, found);
    return found;
  }

  async #bundled(name: string): Promise<Names> {
    const { bundle, target, carried } = this.#options;
    const packages = this.#packages;
    const plugin = packagePlugin({ target, packages, carried, followsCarried: false });
    const { metafile, errors } = await bundle({ entries: { main: name }, plugin: plugin.plugin });
    const [problem] = plugin.problems;
    if (problem !== undefined) {
      return { kind: problem.kind, specifier: name, behind: [problem.specifier] };
    }
    if (metafile === null) {
      throw new Error(`Module '${name}' cannot be bundled: ${errors[0]?.text ?? "no reason"}`);
    }
    return { exports: exportsOf(metafile, plugin)[name] ?? null };
  }
}

/** Options for bundling npm packages of this installation, and carried files, for one platform. */
interface PackagePluginOptions {
  readonly target: Target;
  readonly packages: NpmPackages;
  /** Carried files by output path. */
  readonly carried: RawFiles;
  /** False when packages that carried files import only have to exist. */
  readonly followsCarried: boolean;
}

/** An import inside of a package that the platform cannot run. */
interface InnerProblem {
  readonly kind: "unresolved" | "hostModule" | "nativeAddon";
  readonly specifier: string;
  /** The importing file, by its path in the package or output. */
  readonly importer: string;
}

interface PackagePlugin {
  readonly plugin: BundleOptions["plugin"];
  readonly problems: readonly InnerProblem[];
  /** Returns the requested name of an entry of the metafile. */
  entryName(entryPoint: string): string | null;
}

const CARRIED = "carried";
const PACKAGE = "package";

export function packagePlugin(options: PackagePluginOptions): PackagePlugin {
  const problems: InnerProblem[] = [];
  const entries = new Map<string, string>();
  return {
    problems,
    entryName: (entryPoint) => entries.get(entryPoint) ?? null,
    plugin: {
      name: "packages",
      setup(build) {
        build.onResolve({ filter: /.*/ }, (args) => {
          const found = resolve(args, options);
          if (args.kind === "entry-point" && "namespace" in found) {
            entries.set(`${found.namespace}:${found.path}`, args.path);
          }
          if (!("problem" in found)) return found;
          problems.push(found.problem);
          return { path: args.path, external: true };
        });
        build.onLoad({ filter: /.*/, namespace: CARRIED }, ({ path }) => ({
          contents: options.carried[path] ?? "",
          loader: "ts",
        }));
        build.onLoad({ filter: /.*/, namespace: PACKAGE }, async ({ path }) => ({
          contents: await Deno.readTextFile(path),
          loader: path.endsWith(".json") ? "json" : "js",
        }));
      },
    },
  };
}

type Found =
  | { readonly path: string; readonly namespace: string; readonly sideEffects: boolean }
  | { readonly path: string; readonly external: true }
  | { readonly problem: InnerProblem };

function resolve(
  { path: specifier, importer, kind, namespace }: OnResolveArgs,
  { target, packages, carried, followsCarried }: PackagePluginOptions,
): Found {
  const carriedPath = namespace === PACKAGE ? null : relativeTo(importer, specifier);
  if (carriedPath !== null && Object.hasOwn(carried, carriedPath)) {
    return { path: carriedPath, namespace: CARRIED, sideEffects: true };
  }
  const problem = (kind: InnerProblem["kind"]): Found => ({
    problem: { kind, specifier, importer },
  });
  if (isBuiltin(specifier)) {
    const runs = target.runsNodeModule(specifier.replace(/^node:/, ""));
    return runs ? { path: specifier, external: true } : problem("hostModule");
  }
  if (specifier.endsWith(".node")) return problem("nativeAddon");
  const found = packages.resolve({
    specifier,
    importer: namespace === PACKAGE ? importer : null,
    isRequire: kind === "require-call" || kind === "require-resolve",
  });
  if (found === null) return problem("unresolved");
  if (namespace === CARRIED && !followsCarried) return { path: specifier, external: true };
  return { path: found.path, namespace: PACKAGE, sideEffects: found.hasSideEffects };
}

/**
 * Returns the exports of each entry by its requested name; null: a CommonJS module, whose exports are known only when it runs.
 */
export function exportsOf(
  { outputs, inputs }: Metafile,
  { entryName }: PackagePlugin,
): ExportedNames {
  const modules: Record<string, readonly string[] | null> = Object.create(null);
  for (const { entryPoint, exports } of Object.values(outputs)) {
    const name = entryPoint === undefined ? null : entryName(entryPoint);
    if (entryPoint === undefined || name === null) continue;
    modules[name] = inputs[entryPoint]?.format === "cjs" ? null : exports.toSorted();
  }
  return modules;
}
