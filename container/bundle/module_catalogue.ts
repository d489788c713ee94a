/** Exports of modules beside an author's own; unknown ones are bundled on demand. */
import type { RawFiles, Target } from "../../shared/compiler/mod.ts";
import type { Bundle } from "./bundler.ts";
import { KNOWN_MODULES } from "./known_modules.ts";
import { NpmPackages } from "./npm_packages.ts";
import { exportsOf, packagePlugin } from "./package_plugin.ts";
import type { ImportFinding, ModuleNames } from "./project_plugin.ts";

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
  /** Grows no further than the modules of this installation. */
  readonly #found = new Map<string, Promise<Names>>();

  constructor(options: ModuleCatalogueOptions) {
    this.#options = options;
    const { pins, target } = options;
    this.#packages = new NpmPackages({ pins, conditions: target.conditions });
  }

  /** A carried module by its path in the output, a package by its name; null: it is neither. */
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
