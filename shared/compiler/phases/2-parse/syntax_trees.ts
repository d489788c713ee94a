/** Caches syntax trees between compiles, so that an unchanged file is not parsed again. No phase changes a tree. */
import type { Program } from "@babel/types";

/** Limit of the cached trees, in characters of their texts. A tree uses some fifty bytes for each character. */
const CHARACTERS_MAX = 1_000_000;

/** Syntax trees that may be cached. */
export interface KnownTrees {
  /**
   * Returns the tree of a text without errors, calling `parse` if it is not cached; null for a text with errors, which is never
   * cached.
   */
  get(path: string, text: string, parse: () => Program | null): Program | null;
}

export class SyntaxTrees implements KnownTrees {
  /** Cached trees by owner, path and text; the least recently used first. */
  readonly #kept = new Map<string, Program>();
  readonly #charactersMax: number;
  #characters = 0;

  constructor(charactersMax = CHARACTERS_MAX) {
    this.#charactersMax = charactersMax;
  }

  /** Returns the trees of one owner. The time of a compile must not reveal what others have compiled. */
  of(owner: string): KnownTrees {
    return {
      get: (path, text, parse) =>
        this.#get(
          `${owner}
${path}
${text}`,
          parse,
        ),
    };
  }

  get(path: string, text: string, parse: () => Program | null): Program | null {
    return this.#get(
      `
${path}
${text}`,
      parse,
    );
  }

  #get(key: string, parse: () => Program | null): Program | null {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const program = parse();
    if (program !== null && key.length <= this.#charactersMax) this.#keep(key, program);
    return program;
  }

  #keep(key: string, program: Program): void {
    this.#kept.set(key, program);
    this.#characters += key.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#charactersMax) return;
      this.#kept.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
