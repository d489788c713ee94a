/**
 * Defines the result of phase 3 for a file: inert values, each with its place (contract 4.8, definitions "Nothing here is ever
 * executed"). Phase 3 writes and phase 4 reads these types.
 */
import type { Place } from "../diagnostics/diagnostic.ts";

export interface ObjectEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Value;
  /**
   * First paragraph of the doc comment before the call or the object's entry, which is a column's or an action's description;
   * absent: none.
   */
  readonly doc?: string;
}

export interface CallLink {
  /** Name of the method: `required` in `q.text().required()`. */
  readonly name: string;
  readonly args: readonly Value[];
  readonly place: Place;
}

export type Value =
  | { readonly kind: "string"; readonly value: string; readonly place: Place }
  | { readonly kind: "number"; readonly value: number; readonly place: Place }
  | { readonly kind: "boolean"; readonly value: boolean; readonly place: Place }
  | { readonly kind: "null"; readonly place: Place }
  /** A regular expression of a schema. The compiler never runs it. */
  | {
    readonly kind: "regex";
    readonly source: string;
    readonly flags: string;
    readonly place: Place;
  }
  | { readonly kind: "array"; readonly items: readonly Value[]; readonly place: Place }
  /** An object. Spreads of readable objects are already merged; a repeated key was reported, and the last one is kept. */
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
  /** A top-level binding that cannot be inlined: a table of this or another file, or with `.member` a column of it. */
  | {
    readonly kind: "reference";
    readonly target: BindingTarget;
    readonly members: readonly string[];
    readonly place: Place;
  }
  /** An arrow function without parameters around one readable value: `() => other.id`. */
  | { readonly kind: "thunk"; readonly value: Value; readonly place: Place }
  /** A function that is kept as text. */
  | { readonly kind: "function"; readonly text: string; readonly place: Place }
  /** An expression that could not be read statically. It was reported unless the consumer allows it (handlers, Zod). */
  | {
    readonly kind: "unreadable";
    readonly construct: string;
    readonly text: string;
    readonly place: Place;
  };

/** Returns the values inside a value. */
export function partsOf(value: Value): readonly Value[] {
  switch (value.kind) {
    case "array":
      return value.items;
    case "object":
      return value.entries.map((entry) => entry.value);
    case "call":
      return [...value.args, ...value.chain.flatMap((link) => link.args)];
    case "thunk":
      return [value.value];
    default:
      return [];
  }
}

/** The project file and export of a binding; `default` is the default export. */
export interface BindingTarget {
  readonly file: string;
  readonly name: string;
}

/** One evaluated definition file. */
export interface Definition {
  readonly file: string;
  /** Named exports and non-exported top-level constants, by name, in source order. */
  readonly bindings: ReadonlyMap<string, Value>;
  /** The default export; null when there is none. */
  readonly defaultExport: Value | null;
  /** First paragraphs of the doc comments before its bindings, by name, and before its default export, by `default`. */
  readonly docs?: ReadonlyMap<string, string>;
  /** Whole text, for files that are copied unchanged. */
  readonly text: string;
}

/** Target of an import's specifier. */
export type ImportTarget =
  | { readonly kind: "file"; readonly file: string }
  /** The module `../schema`: all tables of a feature. */
  | { readonly kind: "schema"; readonly feature: string }
  /** The module `quickback`, or one of its aliases. */
  | { readonly kind: "authoring" }
  | { readonly kind: "package"; readonly name: string }
  /** A missing module, which was reported. */
  | { readonly kind: "missing" };

/** A part of a file's text. Offsets count UTF-16 units, as in JavaScript. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface CodeImport {
  /** Range of the specifier, quotes included. */
  readonly range: TextRange;
  readonly place: Place;
  readonly target: ImportTarget;
}

export interface RawSql {
  readonly construct: string;
  readonly place: Place;
  /** The action of a `defineActions` literal that contains the import; null: the whole file shares the code. */
  readonly member: string | null;
}

/** Facts about a code file besides its values. They are enough to copy it into the output, and to refuse forbidden code. */
export interface CodeFile {
  readonly file: string;
  readonly text: string;
  /** Static, dynamic and re-exporting imports, in source order. */
  readonly imports: readonly CodeImport[];
  /** Names that the file exports as values, `default` among them, without those of `export *`. */
  readonly exports: ReadonlySet<string>;
  /** Names declared at the top level of the file. */
  readonly locals: ReadonlySet<string>;
  /** Outermost calls at the top level that declare a table or a resource. */
  readonly tableCalls: readonly TextRange[];
  /** Places of SQL written by hand, each with the construct's name. */
  readonly rawSql: readonly RawSql[];
  /** Calls of `onWebhookEvent` in source order. */
  readonly webhookEvents: readonly WebhookEventCall[];
  /** Event types that the file passes to `emitWebhookEvent` as literals. */
  readonly emitted: readonly string[];
  /** Values of the library that the file imports. */
  readonly symbols: ReadonlySet<string>;
  /** True if the file uses a member `records`, as in `db.records`. */
  readonly namesRecords: boolean;
}

/** A use of `onWebhookEvent`. */
export interface WebhookEventCall {
  readonly place: Place;
  /** First argument of the call; null: there is none, or it is not a call that the output can collect. */
  readonly on: Value | null;
  readonly binding:
    /** A call that is a statement of its own; `range` is the whole statement. */
    | { readonly kind: "statement"; readonly range: TextRange }
    /** A call in `const name = onWebhookEvent(…)`. */
    | { readonly kind: "constant"; readonly name: string }
    | { readonly kind: "default" }
    /** A call inside of other code. */
    | { readonly kind: "elsewhere" };
}

/** Default export of a file outside of features. */
export type AuthoredExport =
  & { readonly place: Place }
  & (
    /** A call of the library: `defineService(…)`. Its value is read if it contains more than code. */
    | { readonly kind: "defined"; readonly callee: string; readonly value: Value | null }
    | { readonly kind: "function" }
    | { readonly kind: "object"; readonly value: Value }
    /** A call of another function, which may return anything. */
    | { readonly kind: "call"; readonly construct: string }
    | { readonly kind: "other"; readonly construct: string }
  );

/** A code file in `services/`, `middlewares/`, `hooks/`, `plugins/`, `jobs/` or `schedules/`. */
export interface AuthoredFile {
  readonly file: string;
  /** False if the file has syntax errors, which were reported: its exports are unknown. */
  readonly isParsed: boolean;
  /** The default export; null: there is none. */
  readonly exported: AuthoredExport | null;
}

/** Every file of the project by its role (definitions 1), phase 3's result. Paths are sorted. */
export interface Definitions {
  readonly config: Definition | null;
  /** Files `features/<feature>/<table>.ts`. */
  readonly tables: readonly (Definition & { readonly feature: string })[];
  /** Files `features/<feature>/actions/**` and `actions.ts`; `table` is the sibling-table folder, if any. */
  readonly actions:
    readonly (Definition & { readonly feature: string; readonly table: string | null })[];
  /** Code outside of features that acts by itself, by path. */
  readonly authored: readonly AuthoredFile[];
  /** Every code file but the configuration, by path, with the facts for copying it and following its imports. */
  readonly code: ReadonlyMap<string, CodeFile>;
  /** Texts of files that the output contains unchanged (handlers, lib, services, hooks, …), by path. */
  readonly carried: ReadonlyMap<string, string>;
  /** Texts of earlier compiles' journals and snapshots, by path. */
  readonly migrationState: ReadonlyMap<string, string>;
  /** Texts of `migrations/*.{sql,ts}`, by path. */
  readonly dataSteps: ReadonlyMap<string, string>;
  /** Text of `wrangler.toml`; null: there is none. */
  readonly wrangler: string | null;
  /** Code files with syntax errors. The lists above contain them with an `unreadable` default export. */
  readonly unparsed: ReadonlySet<string>;
}
