/**
 * Generated modules that a bundler need not read: all that they import is carried, known and exported, or such a module
 * itself. Tables, resources and the model are, so a check reads little more than what an author wrote (contract 4.8).
 */
import type { GeneratedFile } from "../../shared/compiler/mod.ts";
import { type GeneratedText, readGeneratedText } from "./generated_text.ts";
import { KNOWN_MODULES } from "./known_modules.ts";
import { relativeTo } from "./paths.ts";

interface GeneratedModulesOptions {
  readonly files: ReadonlyMap<string, GeneratedFile>;
  /** Bare names that lead to files of the output. */
  readonly aliases: ReadonlyMap<string, string>;
}

type Names = ReadonlySet<string>;

const KNOWN: ReadonlyMap<string, Names> = new Map(
  Object.entries(KNOWN_MODULES).flatMap(([name, exports]) =>
    exports === null ? [] : [[name, new Set(exports)] as const]
  ),
);

/** The emitter's JSON is a value. */
const JSON_VALUE: GeneratedText = { imports: [], exports: ["default"], stars: [] };

export class GeneratedModules {
  readonly #options: GeneratedModulesOptions;
  /** By path, what a module exports; null: the bundler has to read it. */
  readonly #found = new Map<string, Names | null>();
  readonly #open = new Set<string>();

  constructor(options: GeneratedModulesOptions) {
    this.#options = options;
  }

  /** Null: the bundler has to read it. */
  exportsOf(path: string): Names | null {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const text = this.#textOf(path);
    // Two modules may import each other: what the first exports by itself is known while it is looked at.
    this.#found.set(path, text && new Set(text.exports));
    this.#open.add(path);
    const exports = text && this.#isTold(text, path) ? this.#allOf(text, path) : null;
    this.#open.delete(path);
    this.#found.set(path, exports);
    return exports;
  }

  /** Texts that the bundler did not read because of this, as one. */
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
