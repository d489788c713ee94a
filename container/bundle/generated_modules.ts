/**
 * Generated modules that a bundler need not read. All that they import is carried with known exports, or is such a module
 * itself. A check then reads little more than the author's code (contract 4.8).
 */
import type { GeneratedFile } from "../../shared/compiler/mod.ts";
import { KNOWN_MODULES } from "./known_modules.ts";
import { relativeTo } from "./paths.ts";

interface GeneratedModulesOptions {
  readonly files: ReadonlyMap<string, GeneratedFile>;
  /** Bare names that refer to files of the output. */
  readonly aliases: ReadonlyMap<string, string>;
}

type Names = ReadonlySet<string>;

const KNOWN: ReadonlyMap<string, Names> = new Map(
  Object.entries(KNOWN_MODULES).flatMap(([name, exports]) =>
    exports === null ? [] : [[name, new Set(exports)] as const]
  ),
);

/** An emitted JSON file, which exports one value. */
const JSON_VALUE: GeneratedText = { imports: [], exports: ["default"], stars: [] };

export class GeneratedModules {
  readonly #options: GeneratedModulesOptions;
  /** Exports by path; null: the bundler must read the module. */
  readonly #found = new Map<string, Names | null>();
  readonly #open = new Set<string>();

  constructor(options: GeneratedModulesOptions) {
    this.#options = options;
  }

  /** Returns the exports of a module; null: the bundler must read it. */
  exportsOf(path: string): Names | null {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const text = this.#textOf(path);
    // Two modules may import each other, so a module's own exports are recorded before its imports are followed.
    this.#found.set(path, text && new Set(text.exports));
    this.#open.add(path);
    const exports = text && this.#isTold(text, path) ? this.#allOf(text, path) : null;
    this.#open.delete(path);
    this.#found.set(path, exports);
    return exports;
  }

  /** Returns the texts that the bundler skipped, joined. */
  unread(): string {
    const { files } = this.#options;
    return [...this.#found].map(([path, names]) =>
      names === null ? "" : files.get(path)?.content ?? ""
    ).join("");
  }

  #textOf(path: string): GeneratedText | null {
    const file = this.#options.files.get(path);
    if (file === undefined || file.origin !== undefined) return null;
    if (path.endsWith(".json")) return JSON_VALUE;
    return path.endsWith(".ts") ? readGeneratedText(file.content) : null;
  }

  #isTold({ imports, stars }: GeneratedText, path: string): boolean {
    if (stars.some((star) => this.#open.has(this.#pathOf(star, path)))) return false;
    return imports.every(({ specifier, names }) => {
      const exports = this.#namesOf(specifier, path);
      return exports !== null && names.every((name) => exports.has(name));
    });
  }

  #allOf({ exports, stars }: GeneratedText, path: string): Names {
    const passedOn = stars.flatMap((star) => [...this.#namesOf(star, path) ?? []]);
    return new Set([...exports, ...passedOn.filter((name) => name !== "default")]);
  }

  #namesOf(specifier: string, importer: string): Names | null {
    const path = this.#pathOf(specifier, importer);
    const known = KNOWN.get(path);
    if (known !== undefined) return known;
    return this.#options.files.has(path) ? this.exportsOf(path) : null;
  }

  #pathOf(specifier: string, importer: string): string {
    return this.#options.aliases.get(specifier) ?? relativeTo(importer, specifier) ?? specifier;
  }
}

/** Imports and exports of a generated module, read from its lines, which the emitter formats uniformly. */

interface GeneratedText {
  readonly imports: readonly TextImport[];
  /** Names that its own lines export. */
  readonly exports: readonly string[];
  /** Modules that it exports completely. */
  readonly stars: readonly string[];
}

interface TextImport {
  readonly specifier: string;
  /** Imported names as the other module exports them; empty for an import without names. */
  readonly names: readonly string[];
}

const STATEMENT =
  /^(import|export) (?:(type )?(?:(\*)(?: as (\w+))?|\{([^{}]*)\}|(\w+)) from )?"([^"\\]+)"(?: with \{ type: "json" \})?;$/gm;
/** Matches imports that cannot be read from single lines. */
const UNTOLD = /\bimport\s*\(|\brequire\s*\(|^import\b/m;
/** Matches a template literal that continues on the next line, whose text may look like code. */
const OPEN_TEMPLATE = /^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$/m;
const TYPE = /^export (?:declare )?(?:type|interface) \w/;
const VALUE = /^export (?:const|(?:async )?function|class) ([\w$]+)/;

/** Reads a generated module; null if its imports cannot be read from single lines. */
export function readGeneratedText(text: string): GeneratedText | null {
  const statements = [...text.matchAll(STATEMENT)].flatMap(statementOf);
  const rest = text.replace(STATEMENT, "");
  if (UNTOLD.test(rest) || OPEN_TEMPLATE.test(text)) return null;
  if (statements.some(({ kind }) => kind === "untold")) return null;
  const exports = statements.flatMap((one) => one.exports);
  for (const [line] of rest.matchAll(/^export\b.*$/gm)) {
    const [, name] = VALUE.exec(line) ?? [];
    if (name !== undefined) exports.push(name);
    else if (!TYPE.test(line)) return null;
  }
  return {
    imports: statements.map(({ specifier, names }) => ({ specifier, names })),
    exports,
    stars: statements.flatMap(({ kind, specifier }) => kind === "star" ? [specifier] : []),
  };
}

interface Statement extends TextImport {
  readonly kind: "named" | "star" | "untold";
  readonly exports: readonly string[];
}

/** Reads a statement. An import of types only yields nothing, because it is removed before bundling. */
function statementOf(match: RegExpExecArray): readonly Statement[] {
  const [, keyword, type, star, namespace, clause, name, specifier = ""] = match;
  if (type !== undefined) return [];
  const isExport = keyword === "export";
  if (star !== undefined) {
    const kind = !isExport ? "untold" : namespace === undefined ? "star" : "named";
    return [{ kind, specifier, names: [], exports: namespace === undefined ? [] : [namespace] }];
  }
  if (name !== undefined) {
    return [{ kind: isExport ? "untold" : "named", specifier, names: ["default"], exports: [] }];
  }
  // `a, type B, c as d` gives pairs of the other module's name and this module's name, without types.
  const pairs = clause === undefined
    ? []
    : clause.split(",").map((one) => one.trim()).flatMap((one) => {
      if (one === "" || one.startsWith("type ")) return [];
      const [theirs = one, ours = theirs] = one.split(/\s+as\s+/);
      return [[theirs, ours] as const];
    });
  if (clause !== undefined && pairs.length === 0) return [];
  return [{
    kind: "named",
    specifier,
    names: pairs.map(([theirs]) => theirs),
    exports: isExport ? pairs.map(([, ours]) => ours) : [],
  }];
}
