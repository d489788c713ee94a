/** A bundler's finding in an output, before it is translated into the author's terms (contract 4.8, the bundle check). */

/** As bundlers count: lines from 1, columns and lengths in UTF-8 bytes, columns from 0. */
export interface OutputPlace {
  /** Path in the output. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export type BundleProblem =
  | ImportProblem
  /** A file that no bundler reads as a module. */
  | { readonly kind: "notCode"; readonly specifier: string; readonly place: OutputPlace }
  /** A named import, or a member of `import * as x`, that its module does not export. */
  | {
    readonly kind: "noExport" | "noMember";
    readonly name: string;
    readonly module: string;
    /** The module's known exports. */
    readonly available: readonly string[];
    readonly place: OutputPlace;
  }
  /** Anything else that bundlers refuse, in their words. */
  | { readonly kind: "invalid"; readonly problem: string; readonly place: OutputPlace };

export interface ImportProblem {
  /** Nothing is there; the target does not have it; it is a native addon; it is asked for by `require()`. */
  readonly kind: "unresolved" | "hostModule" | "nativeAddon" | "require";
  readonly specifier: string;
  /** Paths in the output and names of modules, from the first file of the author to what is refused. */
  readonly chain: readonly string[];
  readonly place: OutputPlace;
}
