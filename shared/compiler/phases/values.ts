/**
 * What phase 3 reads out of a file: inert values, each with its place (contract 4.8, definitions "Nothing here is ever
 * executed"). Phases 3 and 4 meet in these types.
 */
import type { Place } from "../diagnostics/diagnostic.ts";

export interface ObjectEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Value;
}

export interface CallLink {
  /** Method name, `required` in `q.text().required()`. */
  readonly name: string;
  readonly args: readonly Value[];
  readonly place: Place;
}

export type Value =
  | { readonly kind: "string"; readonly value: string; readonly place: Place }
  | { readonly kind: "number"; readonly value: number; readonly place: Place }
  | { readonly kind: "boolean"; readonly value: boolean; readonly place: Place }
  | { readonly kind: "null"; readonly place: Place }
  | { readonly kind: "array"; readonly items: readonly Value[]; readonly place: Place }
  /** Spreads of readable objects are already merged; a repeated key was reported and the last one stands. */
  | { readonly kind: "object"; readonly entries: readonly ObjectEntry[]; readonly place: Place }
  /** A call of an imported authoring function: `feature(…)`, `q.text({…}).required()`, `z.object(…)`. */
  | {
    readonly kind: "call";
    /** Dotted name with the import's own name: `feature`, `q.text`, `sqliteTable`, `integer`, `z.object`. */
    readonly callee: string;
    readonly module: string;
    readonly args: readonly Value[];
    readonly chain: readonly CallLink[];
    readonly place: Place;
  }
  /** A top-level binding that cannot be inlined: a table of this or another file, perhaps `.member` of it. */
  | {
    readonly kind: "reference";
    readonly target: BindingTarget;
    readonly members: readonly string[];
    readonly place: Place;
  }
  /** `() => other.id`: an arrow without parameters around one readable value. */
  | { readonly kind: "thunk"; readonly value: Value; readonly place: Place }
  /** A function that is carried through as text. */
  | { readonly kind: "function"; readonly text: string; readonly place: Place }
  /** Could not be read statically; already reported unless the consumer allows it (handlers, Zod). */
  | {
    readonly kind: "unreadable";
    readonly construct: string;
    readonly text: string;
    readonly place: Place;
  };

/** Which export of which project file a binding is; `default` is the default export. */
export interface BindingTarget {
  readonly file: string;
  readonly name: string;
}

/** One evaluated definition file. */
export interface Definition {
  readonly file: string;
  /** Named exports and non-exported top-level constants, by name, in source order. */
  readonly bindings: ReadonlyMap<string, Value>;
  /** The default export, null when there is none. */
  readonly defaultExport: Value | null;
  /** Whole text, for files that are carried through. */
  readonly text: string;
}

/** Phase 3's result: every file of the project by its role (definitions 1). Paths are sorted. */
export interface Definitions {
  readonly config: Definition | null;
  /** `features/<feature>/<table>.ts`. */
  readonly tables: readonly (Definition & { readonly feature: string })[];
  /** `features/<feature>/actions/**` and `actions.ts`; `table` is the sibling-table folder, if any. */
  readonly actions:
    readonly (Definition & { readonly feature: string; readonly table: string | null })[];
  /** Files that are carried into the output untouched: handlers, lib, services, hooks, … (path → text). */
  readonly carried: ReadonlyMap<string, string>;
  /** Migration state of earlier compiles: journals and snapshots (path → text). */
  readonly migrationState: ReadonlyMap<string, string>;
  /** `wrangler.toml`, if any. */
  readonly wrangler: string | null;
  /** Code files with syntax errors. They stand in the lists above with an `unreadable` default export. */
  readonly unparsed: ReadonlySet<string>;
}
