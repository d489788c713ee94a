/**
 * Bundles the files of one output in memory. Carried files, packages and regular generated modules are replaced by stand-ins
 * with the same exports, so that a check reads little but the author's code.
 */
import { isBuiltin } from "node:module";
import type { GeneratedFile, Target } from "../../shared/compiler/mod.ts";
import type { BundleOptions, OnResolveArgs } from "./bundler.ts";
import type { GeneratedModules } from "./generated_modules.ts";
import type { ModuleCatalogue } from "./module_catalogue.ts";
import { packageName } from "./npm_packages.ts";
import { CARRIED_FOLDER, relativeTo } from "./paths.ts";
import { ImportFinding, ModuleNames } from "./module_names.ts";

interface ProjectPluginOptions {
  readonly files: ReadonlyMap<string, GeneratedFile>;
  readonly target: Target;
  /** Bare names that refer to files of the output. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Packages that the author lists. They are installed where the project is deployed. */
  readonly listed: ReadonlySet<string>;
  /** Returns true for a file of every project, whose imports need no check. */
  readonly isTemplate: (path: string) => boolean;
  readonly catalogue: Pick<ModuleCatalogue, "names">;
  /** Null: every module of the output is read. */
  readonly generated: Pick<GeneratedModules, "exportsOf"> | null;
  /** Receives the imports as they are followed. */
  readonly graph: ImportGraph;
}

const PROJECT = "project";
export const STAND_IN = "module";

export function projectPlugin(options: ProjectPluginOptions): BundleOptions["plugin"] {
  return {
    name: "project",
    setup(build) {
      build.onResolve({ filter: /.*/ }, async (args) => {
        const found = await resolve(args, options);
        if (!("kind" in found)) return found;
        return { errors: [{ text: found.kind, detail: found }] };
      });
      build.onLoad({ filter: /.*/, namespace: PROJECT }, ({ path }) => ({
        contents: options.files.get(path)?.content ?? "",
        loader: loaderOf(path) ?? "empty",
      }));
      build.onLoad({ filter: /.*/, namespace: STAND_IN }, ({ pluginData }) => ({
        contents: typeof pluginData === "string" ? pluginData : "",
        loader: "js",
      }));
    },
  };
}

type ResolvedModule =
  | { readonly path: string; readonly namespace: typeof PROJECT }
  | { readonly path: string; readonly namespace: typeof STAND_IN; readonly pluginData: string }
  | { readonly path: string; readonly external: true };

async function resolve(
  args: OnResolveArgs,
  options: ProjectPluginOptions,
): Promise<ResolvedModule | ImportFinding> {
  const { path: specifier, importer, kind } = args;
  const { aliases, graph, files, catalogue } = options;
  const path = aliases.get(specifier) ?? relativeTo(importer, specifier);
  graph.add(importer, path ?? specifier);
  const isAuthored = files.get(importer)?.origin !== undefined;
  if (isAuthored && kind.startsWith("require-")) return finding("require", specifier);
  if (path !== null && !path.startsWith(CARRIED_FOLDER)) {
    if (path.endsWith(".node")) return finding("nativeAddon", specifier);
    if (!files.has(path)) return finding("unresolved", specifier);
    const loader = loaderOf(path);
    // Both platforms accept JSON only with an import attribute.
    const isModule = loader === "json" ? args.with.type === "json" : loader !== null;
    if (!isModule) return finding("notCode", specifier);
    const exports = kind === "import-statement" && loader === "ts"
      ? options.generated?.exportsOf(path)
      : null;
    return exports ? standIn(path, { exports: [...exports] }) : { path, namespace: PROJECT };
  }
  if (options.isTemplate(importer)) return { path: path ?? specifier, external: true };
  if (isBuiltin(specifier)) {
    const runs = options.target.runsNodeModule(specifier.replace(/^node:/, ""));
    return runs ? { path: specifier, external: true } : finding("hostModule", specifier);
  }
  const names = await catalogue.names(path ?? specifier);
  if (names !== null) return "kind" in names ? names : standIn(path ?? specifier, names);
  if (options.listed.has(packageName(specifier))) return { path: specifier, external: true };
  return finding(specifier.endsWith(".node") ? "nativeAddon" : "unresolved", specifier);
}

function finding(kind: ImportFinding["kind"], specifier: string): ImportFinding {
  return { kind, specifier, behind: [] };
}

function standIn(path: string, { exports }: ModuleNames): ResolvedModule {
  const names = exports?.map((name) => `value as ${JSON.stringify(name)}`);
  const pluginData = names === undefined
    ? "module.exports = {};"
    : `let value; export { ${names.join(", ")} };`;
  return { path, namespace: STAND_IN, pluginData };
}

/** Returns the loader; null for a file that is no module. */
function loaderOf(path: string): "ts" | "tsx" | "js" | "jsx" | "json" | null {
  switch (/\.([cm]?[jt]s|[jt]sx|json)$/.exec(path)?.[1]) {
    case "ts":
    case "mts":
    case "cts":
      return "ts";
    case "tsx":
      return "tsx";
    case "jsx":
      return "jsx";
    case "json":
      return "json";
    case undefined:
      return null;
    default:
      return "js";
  }
}

/** The imports between files of one bundle, to explain how a file came into it. */
export class ImportGraph {
  readonly #importers = new Map<string, Set<string>>();

  add(importer: string, imported: string): void {
    const importers = this.#importers.get(imported) ?? new Set<string>();
    this.#importers.set(imported, importers.add(importer));
  }

  /**
   * Returns the shortest chain of imports that ends with the file and starts with one for which `isFirst` is true. Of equal
   * chains the first by name is returned.
   */
  chainTo(file: string, isFirst: (file: string) => boolean): readonly string[] {
    const next = new Map<string, string | null>([[file, null]]);
    let chain = [file];
    for (const current of next.keys()) {
      const outside = [...this.#importers.get(current) ?? []].toSorted();
      if (isFirst(current)) chain = way(current, next);
      if (isFirst(current) && !outside.some((one) => isFirst(one))) break;
      for (const importer of outside) if (!next.has(importer)) next.set(importer, current);
    }
    return chain;
  }
}

function way(from: string, next: ReadonlyMap<string, string | null>): string[] {
  const files: string[] = [];
  for (let at: string | null = from; at !== null; at = next.get(at) ?? null) files.push(at);
  return files;
}
