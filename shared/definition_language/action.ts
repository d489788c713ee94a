/** Actions: operations whose code the author writes (contract 2.11, definitions 5). */
import { ACTION_METHODS, RESPONSE_TYPES } from "../model/mod.ts";
import { RATE_LIMIT } from "./config.ts";
import type { SignalName, TableName } from "./register.ts";
import type { AccessDefinition, RecordDefinition } from "./rules.ts";
import * as s from "./shape.ts";

/** A move of a state field. The service makes it in one guarded UPDATE. */
export function transition<Name extends string>() {
  return s.object({
    /** The state field. */
    field: s.required(s.word<Name>("a column")),
    /** Allowed moves: from → to. */
    fromTo: s.required(s.map("states", s.words("states"))),
    /** State that the record moves to. */
    to: s.word("a state"),
    /** Input field with the new state, in place of `to`. */
    via: s.word("a field of the input"),
    /** Conditions that the record must meet for the move. */
    guard: s.ruled<RecordDefinition<Name>>("columns, each with a value or with operators"),
    /** Answer to a forbidden move. Default: 409 `ACCESS_ACTION_NOT_ALLOWED_FOR_STATE`. */
    onIllegal: s.object({
      /** Code of the answer. */
      code: s.required(s.matching(/^[A-Za-z][A-Za-z0-9_]*$/, "letters, digits and _")),
      /** Status of the answer. */
      status: s.byDefault(s.integer(400, 499), 409),
      /** Text of the answer. */
      message: s.required(s.text),
    }),
    /** `noop`: a record that is in the new state already gets the answer of a success. */
    idempotent: s.oneOf(["noop"]),
    /** Column that receives the time of the move. */
    stamp: s.word<Name>("a timestamp column"),
    /** Columns that the move sets to null. */
    clears: s.list(s.word<Name>("a column that may be null")),
  });
}
export const TRANSITION = transition<string>();

/** Permission to reach beyond the caller's own rows. */
export const UNSAFE = s.object({
  /** The reason. Every audit row contains it. */
  reason: s.required(s.text),
  /** Only `sysadmin` may call the action. */
  adminOnly: s.byDefault(s.boolean, false),
  /** The action may reach rows of other tenants. */
  crossTenant: s.byDefault(s.boolean, false),
  /** Scopes that `unsafeDb.scopeTo` may name. */
  targetScope: s.oneOf(["organization", "all"]),
});

/** The way to the tenant of an anonymous call. */
export const TENANT_OF = s.object({
  /** Table of the row whose organization the action runs in. */
  table: s.required(s.word<TableName>("a table")),
  /** Column of that table: a text with `.default({ random: n })`, `n` at least 22, that no guard names. */
  column: s.required(s.word("a column")),
  /** Field of the input that holds the column's value. */
  input: s.required(s.word("a field of the input")),
});

export interface TransitionDefinition<Name extends string = string>
  extends s.Written<typeof transition<Name>> {}

/** The members of an action. `Name` is a column of its table, `Input` its Zod schema, `Run` the type of its handler. */
export function action<Name extends string, Input, Output, Refs, Run>() {
  return s.object({
    /** Purpose of the action, for the API's description. Default: the action's doc comment. One of both is required. */
    description: s.text,
    /** Zod schema of the request's input. */
    input: s.required(s.ruled<Input>("`z.object({ … })`")),
    /** Zod schema of the answer. */
    output: s.ruled<Output>("a Zod schema"),
    /** Callers who may run the action. */
    access: s.required(s.ruled<AccessDefinition<Name>>("an access rule")),
    /** Makes the action standalone: it binds no record. `./name` is below the resource. */
    path: s.word<`/${string}` | `./${string}`>("a path such as `/reports/:year`"),
    /** HTTP method of its route. Default: `POST`. */
    method: s.oneOf(ACTION_METHODS),
    /** Kind of answer. Streams and files require a `path`. */
    responseType: s.byDefault(s.oneOf(RESPONSE_TYPES), "json"),
    /** Permission to reach beyond the caller's own rows. */
    unsafe: s.ruled<s.Written<typeof UNSAFE>>("an object with a reason"),
    /** Finds the tenant of a `PUBLIC` action with a `path` by a random text in its input, in place of `?organizationId=`. */
    tenantOf: s.ruled<s.Written<typeof TENANT_OF>>("`{ table, column, input }`"),
    /** Rate limit of a caller. Default: the resource's limit of `update`. */
    rateLimit: s.either([s.oneOf([false]), RATE_LIMIT]),
    /** Move of a state field, which the service makes. */
    transition: s.ruled<TransitionDefinition<Name>>("a move of a state field"),
    /**
     * Maps an input field to the table whose record it names. A record that the caller cannot read is a 400, before the handler
     * runs.
     */
    refs: s.ruled<Refs>("fields of the input, each with a table"),
    /** Signals that the action may send: `<binding>.<variant>` of the realtime registry. */
    invalidates: s.ruled<readonly SignalName[]>("signals"),
    /** Permission to use raw SQL. */
    allowRawSql: s.byDefault(s.boolean, false),
    /** The handler. */
    execute: s.ruled<Run>("a function"),
    /** File that exports the handler as `execute`. */
    handler: s.word<`./${string}` | `../${string}`>("a path such as `./handlers/close`"),
  });
}
export const ACTION = action<string, unknown, unknown, unknown, unknown>();
