/** An operation whose behaviour the author writes (contract 2.11, 4.4, definitions 5). */
import type { RateLimit } from "../contract/limits.ts";
import type { Access, Condition } from "./access.ts";
import type { SchemaModel } from "./schema.ts";
import type { Origin } from "./table.ts";

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
