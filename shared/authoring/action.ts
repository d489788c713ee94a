/** `defineAction`: what an action takes, who may run it, and what it does (contract 2.11, definitions 5). */
import type { output as outputOf, ZodType } from "zod";
import type { AccessDefinition, RecordDefinition } from "./access.ts";
import type { ActionExecutor, ActionParameters } from "./handler.ts";
import type { RowOf, RowOfTable, UnknownRow } from "./register.ts";
import type { RateLimitDefinition } from "./resource.ts";

/** A move of a state field, applied by the service in one guarded UPDATE. */
export interface TransitionDefinition<Name extends string = string> {
  readonly field: Name;
  readonly fromTo: { readonly [from: string]: readonly string[] };
  readonly to?: string;
  /** The input field that names the target state. */
  readonly via?: string;
  readonly guard?: RecordDefinition<Name>;
  readonly onIllegal?: {
    readonly code: string;
    readonly status?: number;
    readonly message: string;
  };
  readonly idempotent?: "noop";
  /** The column that takes the time of the move. */
  readonly stamp?: Name;
  readonly clears?: readonly Name[];
}

export interface UnsafeDefinition {
  /** Stands in every audit row. */
  readonly reason: string;
  /** Only `sysadmin`. */
  readonly adminOnly?: boolean;
  /** Rows of other tenants, too. */
  readonly crossTenant?: boolean;
  /** Scopes that `unsafeDb.scopeTo` may name. */
  readonly targetScope?: "organization" | "all";
}

/** Input field → the table whose record it names. */
export type RefsDefinition = { readonly [inputField: string]: string };

type NoRefs = Readonly<Record<never, never>>;

/** The records that `refs` names, by input field. */
export type RefsOf<Refs extends RefsDefinition> = {
  readonly [Field in keyof Refs]: RowOfTable<Refs[Field]>;
};

type NameIn<Row> = keyof Row & string;

export interface ActionDefinition<
  Input extends ZodType = ZodType,
  Row = UnknownRow,
  Refs extends RefsDefinition = RefsDefinition,
> {
  readonly description: string;
  readonly input: Input;
  /** Schema of a success. */
  readonly output?: ZodType;
  readonly access: AccessDefinition<NameIn<Row>>;
  /** Makes it standalone: it binds no record. */
  readonly path?: `/${string}` | `./${string}`;
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Streams and files only with a `path`. */
  readonly responseType?: "json" | "stream" | "file";
  readonly unsafe?: UnsafeDefinition;
  readonly rateLimit?: RateLimitDefinition | false;
  readonly transition?: TransitionDefinition<NameIn<Row>>;
  readonly refs?: Refs;
  /** `<binding>.<variant>` of the realtime registry. */
  readonly invalidates?: readonly string[];
  /** Leave to write SQL by hand. */
  readonly allowRawSql?: boolean;
  /** The handler itself. */
  readonly execute?: (
    parameters: ActionParameters<Row, outputOf<Input>, RefsOf<Refs>>,
  ) => unknown;
  /** Path of a file that exports the handler as `execute`. */
  readonly handler?: `./${string}` | `../${string}`;
}

/** `defineAction` of one table's actions. */
export type DefineAction<Row> = <Input extends ZodType, const Refs extends RefsDefinition = NoRefs>(
  definition: ActionDefinition<Input, Row, Refs>,
) => ActionDefinition<Input, Row, Refs>;

/** Makes the `defineAction` that a generated project gives the actions of one table. */
export function defineActionOf<Row>(): DefineAction<Row> {
  return (definition) => definition;
}

/** One action, named after its file. */
export const defineAction: DefineAction<UnknownRow> = defineActionOf<UnknownRow>();

/** The handler of a definition: its record, input and refs. */
export type ExecutorOf<Definition> = Definition extends
  ActionDefinition<infer Input, infer Row, infer Refs>
  ? ActionExecutor<Row, outputOf<Input>, RefsOf<Refs>>
  : ActionExecutor;

type ActionInputs = { readonly [name: string]: ZodType };

/** The actions of a `defineActions`, each with its own input. */
export type ActionDefinitions<Inputs extends ActionInputs, Row> = {
  readonly [Name in keyof Inputs]: ActionDefinition<Inputs[Name], Row>;
};

/** Many actions of one table, or of none, in one file; the older form. */
export function defineActions<Of, const Inputs extends ActionInputs>(
  _table: Of,
  definitions: ActionDefinitions<Inputs, RowOf<Of>>,
): ActionDefinitions<Inputs, RowOf<Of>> {
  return definitions;
}
