/** An operation whose behaviour is the author's code (contract 2.11, 4.4, definitions 5). */
import type { RateLimit } from "../contract/mod.ts";
import type { Access, Condition } from "./access.ts";
import type { JsonValue, Origin } from "./table.ts";

export const ACTION_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type ActionMethod = typeof ACTION_METHODS[number];

export const RESPONSE_TYPES = ["json", "stream", "file"] as const;
export type ResponseType = typeof RESPONSE_TYPES[number];

/** Operations of a resource that an action may run instead (contract 4.1 rule 9). */
export const MAPPED_VERBS = ["create", "update", "delete"] as const;
export type MappedVerb = typeof MAPPED_VERBS[number];

/** A permission to read beyond the caller's own rows (contract 4.4 rule 3, definitions 7). */
export interface UnsafeModel {
  readonly reason: string;
  /** True when only `sysadmin` may call the action. */
  readonly adminOnly: boolean;
  /** True when the action may reach other tenants. It then requires authentication, `sysadmin` and audit rows. */
  readonly crossTenant: boolean;
  /** Scopes that `scopeTo` may name. */
  readonly targetScope: "organization" | "all";
}

/** A move of a state field (contract 3.2, definitions 5). Columns are API names. */
export interface TransitionModel {
  readonly field: string;
  readonly fromTo: Readonly<Record<string, readonly string[]>>;
  /** The new state itself, or the input field that has it. */
  readonly target:
    | { readonly kind: "to"; readonly state: string }
    | { readonly kind: "via"; readonly input: string };
  /** Conditions on the record that must all hold; empty: there are none. */
  readonly guard: readonly Condition[];
  readonly onIllegal: {
    readonly code: string;
    readonly status: number;
    readonly message: string;
  } | null;
  /** True when a record that is in the target state already gets the answer of a success. */
  readonly idempotent: boolean;
  /** Column that receives the time of the move; null: there is none. */
  readonly stamp: string | null;
  /** Columns that the move sets to null. */
  readonly clears: readonly string[];
}

/** Place of the author's definition in the output at run time: `default`, or a member of it. */
export interface ActionSource {
  /** Project path: `quickback/features/jobs/actions/close.ts`. */
  readonly module: string;
  /** The member of `defineActions`; null: the default export is the definition. */
  readonly member: string | null;
  /** The member that holds the actions of an older file, `export default { actions: { … } }`. */
  readonly group?: "actions";
}

/** Returns the members to follow from the default export to the definition. */
export function sourcePath({ group, member }: ActionSource): readonly string[] {
  return [...(group === undefined ? [] : [group]), ...(member === null ? [] : [member])];
}

export type HandlerModel =
  /** `execute` is in the definition itself. */
  | { readonly kind: "inline" }
  /** `execute`, or the default export, of another file. */
  | {
    readonly kind: "module";
    readonly module: string;
    readonly export: "execute" | "default";
  };

/**
 * The way to the tenant of an anonymous call: `column` of some row of `table` has the value of the input's field, and the row's
 * organization is the one that the action runs in.
 */
export interface TenantOfModel {
  readonly table: string;
  readonly column: string;
  readonly input: string;
}

export interface ActionModel {
  /** `<feature>.<name>`; with the table between the two where that would not be unique. */
  readonly key: string;
  readonly name: string;
  /** Last segment of a record action's URL, kebab-case. */
  readonly segment: string;
  readonly feature: string;
  /** The table that the action belongs to; null: there is none (a feature without tables, `defineActions(null, …)`). */
  readonly table: string | null;
  /** The resource of that table; null when the table has no routes. */
  readonly resource: string | null;
  /** `record` binds `:id` and receives the record. */
  readonly kind: "record" | "standalone";
  readonly method: ActionMethod;
  /** Below the contract prefix, with a leading slash; parameters as `:name`: `/tickets/:id/close`. */
  readonly path: string;
  /**
   * The operation that this action runs in place of; `path` and `method` are then that operation's. Null: the action has a
   * route of its own.
   */
  readonly verb: MappedVerb | null;
  /** True when `POST /{resource}/batch/{action}` exists. */
  readonly bulk: boolean;
  readonly access: Access;
  readonly description: string;
  readonly input: SchemaModel;
  readonly output: SchemaModel | null;
  readonly responseType: ResponseType;
  readonly unsafe: UnsafeModel | null;
  /** Absent: the caller says in which organization it runs. */
  readonly tenantOf?: TenantOfModel;
  /** The rate limit, resolved (contract 8.1.5); null: there is none. */
  readonly rateLimit: RateLimit | null;
  readonly transition: TransitionModel | null;
  /** Maps an input field to the table whose record it names. */
  readonly refs: Readonly<Record<string, string>>;
  /** Signals of the realtime registry that the action sends, as `<binding>.<variant>`. */
  readonly invalidates: readonly string[];
  readonly allowRawSql: boolean;
  readonly source: ActionSource;
  /** Null: the service applies the transition itself. */
  readonly handler: HandlerModel | null;
  /** Its code may write by `db.records`, whose refusals are then its own; absent: it does not. */
  readonly writesRecords?: true;
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
  /** Length in UTF-16 units, as Zod counts; both bounds may be equal. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly format: StringFormat | null;
  /** For `datetime`: true when `+02:00` and times without a zone are accepted. */
  readonly offset: boolean;
  readonly local: boolean;
  /** ECMAScript patterns that must all match, checked to run in linear time. */
  readonly patterns: readonly { readonly source: string; readonly flags: string }[];
  /** True when other values are converted to text first. */
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
  /** True when texts are converted to numbers first. */
  readonly coerce: boolean;
}

export interface ObjectSchema {
  readonly kind: "object";
  /** The members in declared order. */
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
    /**
     * The compiler could not read this schema: it accepts any JSON value. The author's own schema still validates at run time.
     */
    | { readonly kind: "open" }
    /** A JSON Schema that came with the compile request (contract 4.8 rule 2). */
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
