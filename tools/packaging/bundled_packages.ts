/**
 * Bundles small packages of the runtime into its modules, so that an output resolves few packages at each start
 * (docs/decisions/package.md).
 */
import type { OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from "esbuild";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { readPins } from "../../container/host.ts";
import { NpmPackages, packageName } from "../../container/bundle/npm_packages.ts";
import { RUNTIME_PACKAGES } from "../../container/package_entry.ts";
import { TARGETS } from "../../shared/compiler/front.ts";

const NAMESPACE = "npm";

/** The bundler plugin, by the platform that loads the modules. Packages in `RUNTIME_PACKAGES` stay imports. */
export class BundledPackages {
  readonly #packages = new NpmPackages({
    pins: Object.fromEntries(readPins()),
    conditions: TARGETS.deno.conditions,
  });
  /** Files of this machine's cache, by their names in the bundle. */
  readonly #files = new Map<string, string>();

  readonly plugin: Plugin = {
    name: "bundled-packages",
    setup: (build) => {
      build.onResolve({ filter: /.*/ }, (args) => this.#resolve(args));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => this.#load(path));
    },
  };

  /** Returns the licenses of all bundled packages, which are published with them. */
  async licenses(): Promise<string> {
    const folders = new Map(
      [...this.#files].map(([name, file]) => {
        const id = name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/");
        return [id, file.slice(0, file.length - name.length + id.length)];
      }),
    );
    const texts = [...folders].toSorted().map(async ([id, folder]) =>
      `${id}\n\n${await licenseIn(folder)}`
    );
    return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
  }

  #resolve({ path: specifier, importer, kind, namespace }: OnResolveArgs): OnResolveResult | null {
    const isOwn = namespace !== NAMESPACE;
    if (kind === "entry-point" || isOwn && specifier.startsWith(".")) return null;
    const isModule = isBuiltin(specifier);
    if (isModule || RUNTIME_PACKAGES.includes(packageName(specifier))) {
      // An ES module has no require(), which would fail only at run time.
      if (kind.startsWith("require")) return { errors: [{ text: requiring(importer, specifier) }] };
      return {
        path: isModule ? `node:${specifier.replace(/^node:/, "")}` : specifier,
        external: true,
      };
    }
    const found = this.#packages.resolve({
      specifier,
      importer: isOwn ? null : this.#files.get(importer) ?? null,
      isRequire: kind === "require-call" || kind === "require-resolve",
    });
    if (found === null) return { errors: [{ text: `Package '${specifier}' is not installed` }] };
    const name = nameOf(found.path);
    this.#files.set(name, found.path);
    return { path: name, namespace: NAMESPACE, sideEffects: found.hasSideEffects };
  }

  async #load(name: string): Promise<OnLoadResult> {
    const file = this.#files.get(name) ?? name;
    return {
      contents: await Deno.readTextFile(file),
      loader: name.endsWith(".json") ? "json" : "js",
    };
  }
}

function requiring(importer: string, specifier: string): string {
  return `"${importer}" requires "${specifier}", which no bundle can: name its package in RUNTIME_PACKAGES`;
}

const CACHED = /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/([^/]+)\/(.+)$/;

/** Returns a name such as `jose@6.2.17/dist/index.js`, which is the same on every machine. */
function nameOf(file: string): string {
  const [, name, version, path] = CACHED.exec(file) ?? [];
  if (path === undefined) throw new Error(`"${file}" is not in the cache of packages`);
  return `${name}@${version}/${path}`;
}

/** Returns the license text, or what the package's manifest says. */
async function licenseIn(folder: string): Promise<string> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  const file = names.find((name) => /^licen[cs]e(?:\.\w+)?$/i.test(name));
  if (file !== undefined) return await Deno.readTextFile(join(folder, file));
  const { license, author } = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
  if (typeof license !== "string") throw new Error(`"${folder}" names no license`);
  return `${license}, ${typeof author === "string" ? author : author?.name ?? "its authors"}\n`;
}
