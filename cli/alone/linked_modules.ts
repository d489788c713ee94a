/** Links an output's modules in a tab: CommonJS texts by their paths, with the packages that the tab itself contains. */

export type Exports = Readonly<Record<string, unknown>>;

export interface LinkOptions {
  /** JavaScript in CommonJS by its path in the output (`src/actions.ts`). */
  readonly texts: Readonly<Record<string, string>>;
  /** Known modules by path in the output, or by bare name. */
  readonly known: Readonly<Record<string, Exports>>;
  /** Output's import map: bare names, each with its `./path` in the output. */
  readonly imports: Readonly<Record<string, string>>;
}

/** Evaluates the module and its imports, each once. */
export function linked(entry: string, { texts, known, imports }: LinkOptions): Exports {
  const made = new Map<string, Exports>();
  return load(entry);

  function load(path: string): Exports {
    const own = Object.hasOwn(known, path) ? known[path] : made.get(path);
    if (own !== undefined) return own;
    const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
    if (text === undefined) {
      throw new Error(`"${path}" is not there: a tab has no packages of a project's own`);
    }
    const module: { exports: Exports } = { exports: {} };
    // Circular imports see the exports that exist so far.
    made.set(path, module.exports);
    const require = (specifier: string) => load(resolved(specifier, path));
    new Function("require", "module", "exports", text)(require, module, module.exports);
    made.set(path, module.exports);
    return module.exports;
  }

  function resolved(specifier: string, importer: string): string {
    if (specifier.startsWith(".")) {
      return new URL(specifier, `file:///${importer}`).pathname.slice(1);
    }
    const target = Object.hasOwn(imports, specifier) ? imports[specifier] ?? "" : "";
    return target.startsWith("./") ? target.slice(2) : specifier;
  }
}
