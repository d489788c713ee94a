/**
 * Result of phase 3 for a file: inert values, each with its place (contract 4.8, definitions "Nothing here is ever
 * executed"). Phases 3 and 4 meet in these types.
 */
import type { Place } from "../diagnostics/diagnostic.ts";

export interface ObjectEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Value;
  /** First paragraph of the doc comment before it, of a call's or an object's entry: a column's, an action's; absent: none. */
  readonly doc?: string;
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
  /** A regular expression of a schema; never run here. */
  | {
    readonly kind: "regex";
    readonly source: string;
    readonly flags: string;
    readonly place: Place;
  }
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

/** The values that a value is made of. */
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

/** The project file and export that a binding stands for; `default` is the default export. */
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
  /** First paragraphs of the doc comments before its bindings, by name, and before its default export, by `default`. */
  readonly docs?: ReadonlyMap<string, string>;
  /** Whole text, for files that are carried through. */
  readonly text: string;
}

/** Target of an import's specifier. */
export type ImportTarget =
  | { readonly kind: "file"; readonly file: string }
  /** `../schema`: all tables of a feature. */
  | { readonly kind: "schema"; readonly feature: string }
  /** `quickback` or one of its aliases. */
  | { readonly kind: "authoring" }
  | { readonly kind: "package"; readonly name: string }
  /** Reported where it stands. */
  | { readonly kind: "missing" };

/** A piece of a file's text, offsets as JavaScript counts. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface CodeImport {
  /** Of the specifier, quotes included. */
  readonly range: TextRange;
  readonly place: Place;
  readonly target: ImportTarget;
}

export interface RawSql {
  readonly construct: string;
  readonly place: Place;
  /** The action of a `defineActions` literal in which it stands; null: in code that the whole file shares. */
  readonly member: string | null;
}

/** Facts about a code file besides its values: enough to carry it into the output, and to refuse forbidden code. */
export interface CodeFile {
  readonly file: string;
  readonly text: string;
  /** Static, dynamic and re-exporting ones, in source order. */
  readonly imports: readonly CodeImport[];
  /** Names that it exports as values, `default` among them; re-exports of everything left out. */
  readonly exports: ReadonlySet<string>;
  /** Names of its own top level. */
  readonly locals: ReadonlySet<string>;
  /** Outermost calls at the top level that declare a table or a resource. */
  readonly tableCalls: readonly TextRange[];
  /** Places of SQL written by hand, each with the construct's name. */
  readonly rawSql: readonly RawSql[];
  /** In source order. */
  readonly webhookEvents: readonly WebhookEventCall[];
  /** Types that it gives to `emitWebhookEvent` as literals. */
  readonly emitted: readonly string[];
  /** Values of the library that it imports. */
  readonly symbols: ReadonlySet<string>;
  /** It has a member `records`, as that of `db` is. */
  readonly namesRecords: boolean;
}

/** A use of `onWebhookEvent`. */
export interface WebhookEventCall {
  readonly place: Place;
  /** Its first argument; null: there is none, or it is no call that could be gathered. */
  readonly on: Value | null;
  readonly binding:
    /** A statement of its own: the whole of it. */
    | { readonly kind: "statement"; readonly range: TextRange }
    /** `const name = onWebhookEvent(…)` */
    | { readonly kind: "constant"; readonly name: string }
    | { readonly kind: "default" }
    /** Inside of other code. */
    | { readonly kind: "elsewhere" };
}

/** Default export of a file outside of features. */
export type AuthoredExport =
  & { readonly place: Place }
  & (
    /** A call of the library: `defineService(…)`. Its value is read where it says more than code. */
    | { readonly kind: "defined"; readonly callee: string; readonly value: Value | null }
    | { readonly kind: "function" }
    | { readonly kind: "object"; readonly value: Value }
    /** A call of something else: it may make anything. */
    | { readonly kind: "call"; readonly construct: string }
    | { readonly kind: "other"; readonly construct: string }
  );

/** A code file in `services/`, `middlewares/`, `hooks/`, `plugins/`, `jobs/` or `schedules/`. */
export interface AuthoredFile {
  readonly file: string;
  /** False: what it exports is unknown, and was reported. */
  readonly isParsed: boolean;
  /** Null: no default export. */
  readonly exported: AuthoredExport | null;
}

/** Phase 3's result: every file of the project by its role (definitions 1). Paths are sorted. */
export interface Definitions {
  readonly config: Definition | null;
  /** `features/<feature>/<table>.ts`. */
  readonly tables: readonly (Definition & { readonly feature: string })[];
  /** `features/<feature>/actions/**` and `actions.ts`; `table` is the sibling-table folder, if any. */
  readonly actions:
    readonly (Definition & { readonly feature: string; readonly table: string | null })[];
  /** Code outside of features that does something by itself, by path. */
  readonly authored: readonly AuthoredFile[];
  /** Every code file but the configuration, by path: what carrying and following imports need. */
  readonly code: ReadonlyMap<string, CodeFile>;
  /** Files that are carried into the output untouched: handlers, lib, services, hooks, … (path → text). */
  readonly carried: ReadonlyMap<string, string>;
  /** Migration state of earlier compiles: journals and snapshots (path → text). */
  readonly migrationState: ReadonlyMap<string, string>;
  /** `migrations/*.{sql,ts}` (path → text). */
  readonly dataSteps: ReadonlyMap<string, string>;
  /** `wrangler.toml`, if any. */
  readonly wrangler: string | null;
  /** Code files with syntax errors. They stand in the lists above with an `unreadable` default export. */
  readonly unparsed: ReadonlySet<string>;
}
