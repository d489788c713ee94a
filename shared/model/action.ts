/** An operation whose behaviour the author writes (contract 2.11, 4.4, definitions 5). */
import type { RateLimit } from "../contract/mod.ts";
import type { Access, Condition } from "./access.ts";
import type { JsonValue, Origin } from "./table.ts";

export const ACTION_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type ActionMethod = typeof ACTION_METHODS[number];

export const RESPONSE_TYPES = ["json", "stream", "file"] as const;
export type ResponseType = typeof RESPONSE_TYPES[number];

/** Operations that a resource may hand to an action (contract 4.1 rule 9). */
export const MAPPED_VERBS = ["create", "update", "delete"] as const;
export type MappedVerb = typeof MAPPED_VERBS[number];

/** Leave to look past the caller's own rows (contract 4.4 rule 3, definitions 7). */
export interface UnsafeModel {
  readonly reason: string;
  /** Only `sysadmin`. */
  readonly adminOnly: boolean;
  /** Other tenants too: authentication, `sysadmin` and audit rows are then required. */
  readonly crossTenant: boolean;
  /** Scopes that `scopeTo` may name. */
  readonly targetScope: "organization" | "all";
}

/** A move of a state field (contract 3.2, definitions 5). Columns are API names. */
export interface TransitionModel {
  readonly field: string;
  readonly fromTo: Readonly<Record<string, readonly string[]>>;
  /** The state itself, or the input field that names it. */
  readonly target:
    | { readonly kind: "to"; readonly state: string }
    | { readonly kind: "via"; readonly input: string };
  /** AND-ed conditions on the record; empty: none. */
  readonly guard: readonly Condition[];
  readonly onIllegal: {
    readonly code: string;
    readonly status: number;
    readonly message: string;
  } | null;
  /** A record that is in the target state already answers as a success does. */
  readonly idempotent: boolean;
  /** Takes the time of the move. */
  readonly stamp: string | null;
  /** Become null with the move. */
  readonly clears: readonly string[];
}

/** Position of the author's definition in the output: `default`, or a member of it, at run time. */
export interface ActionSource {
  /** Project path: `quickback/features/jobs/actions/close.ts`. */
  readonly module: string;
  /** The member of `defineActions`; null: the default export is the definition. */
  readonly member: string | null;
  /** Of an older file, `export default { actions: { … } }`: the member that holds them. */
  readonly group?: "actions";
}

/** The place of the definition in the default export, member by member. */
export function sourcePath({ group, member }: ActionSource): readonly string[] {
  return [...(group === undefined ? [] : [group]), ...(member === null ? [] : [member])];
}

export type HandlerModel =
  /** `execute` in the definition itself. */
  | { readonly kind: "inline" }
  /** `execute`, or the default export, of another file. */
  | {
    readonly kind: "module";
    readonly module: string;
    readonly export: "execute" | "default";
  };

export interface ActionModel {
  /** `<feature>.<name>`; with the table between the two where that would not be unique. */
  readonly key: string;
  readonly name: string;
  /** Last segment of a record action's URL, kebab-case. */
  readonly segment: string;
  readonly feature: string;
  /** The table that it stands for; null: none (a feature without tables, `defineActions(null, …)`). */
  readonly table: string | null;
  /** Its table where that has routes. */
  readonly resource: string | null;
  /** `record` binds `:id` and receives the record. */
  readonly kind: "record" | "standalone";
  readonly method: ActionMethod;
  /** Below the contract prefix, with a leading slash; parameters as `:name`: `/tickets/:id/close`. */
  readonly path: string;
  /** The operation of the resource that runs it; then it has no URL of its own, and `path` and `method` are the operation's. */
  readonly verb: MappedVerb | null;
  /** `POST /{resource}/batch/{action}` exists. */
  readonly bulk: boolean;
  readonly access: Access;
  readonly description: string;
  readonly input: SchemaModel;
  readonly output: SchemaModel | null;
  readonly responseType: ResponseType;
  readonly unsafe: UnsafeModel | null;
  /** Resolved (contract 8.1.5); null: no limit. */
  readonly rateLimit: RateLimit | null;
  readonly transition: TransitionModel | null;
  /** Input field → table whose record it names. */
  readonly refs: Readonly<Record<string, string>>;
  /** `<binding>.<variant>` of the realtime registry. */
  readonly invalidates: readonly string[];
  readonly allowRawSql: boolean;
  readonly source: ActionSource;
  /** Null: the service applies the transition. */
  readonly handler: HandlerModel | null;
  readonly origin: Origin;
}

const STRING_FORMATS = ["email", "url", "uuid", "datetime"] as const;
/**
 * Input and output schemas of actions as inert data: the constructs of Zod that the compiler reads (definitions 5). A
 * validator and JSON Schema are both made from it.
 */
export type StringFormat = typeof STRING_FORMATS[number];

export interface StringSchema {
  readonly kind: "string";
  /** UTF-16 units, as Zod counts; the range may be one length. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly format: StringFormat | null;
  /** Of `datetime`: whether `+02:00` and times without a zone are taken. */
  readonly offset: boolean;
  readonly local: boolean;
  /** ECMAScript patterns that all hold, vetted for linear time. */
  readonly patterns: readonly { readonly source: string; readonly flags: string }[];
  /** Other values are turned into text first. */
  readonly coerce: boolean;
}

export interface NumberSchema {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum: number | null;
  readonly exclusiveMinimum: number | null;
  readonly maximum: number | null;
  readonly exclusiveMaximum: number | null;
  readonly multipleOf: number | null;
  /** Texts are read as numbers first. */
  readonly coerce: boolean;
}

export interface ObjectSchema {
  readonly kind: "object";
  /** In declared order. */
  readonly members: readonly { readonly name: string; readonly schema: SchemaModel }[];
  /** Treatment of unknown members: dropped, refused or kept. */
  readonly unknown: "strip" | "strict" | "passthrough";
}

interface Described {
  readonly description?: string;
}

export type SchemaModel =
  & Described
  & (
    /** It could not be read: any JSON value. The author's own schema still validates at run time. */
    | { readonly kind: "open" }
    /** Given with the compile request instead (contract 4.8 rule 2). */
    | { readonly kind: "jsonSchema"; readonly schema: { readonly [key: string]: JsonValue } }
    | { readonly kind: "any" }
    | { readonly kind: "null" }
    | { readonly kind: "boolean"; readonly coerce: boolean }
    | StringSchema
    | NumberSchema
    | { readonly kind: "enum"; readonly values: readonly string[] }
    | { readonly kind: "literal"; readonly values: readonly (string | number | boolean | null)[] }
    | {
      readonly kind: "array";
      readonly of: SchemaModel;
      readonly minItems: number | null;
      readonly maxItems: number | null;
    }
    | ObjectSchema
    /** `keys` is a text schema or an enum. */
    | { readonly kind: "record"; readonly keys: SchemaModel; readonly values: SchemaModel }
    | { readonly kind: "union"; readonly of: readonly SchemaModel[] }
    | {
      readonly kind: "discriminatedUnion";
      readonly discriminator: string;
      readonly of: readonly SchemaModel[];
    }
    | { readonly kind: "optional"; readonly of: SchemaModel }
    | { readonly kind: "nullable"; readonly of: SchemaModel }
    | { readonly kind: "default"; readonly of: SchemaModel; readonly value: JsonValue }
  );
