/** Actions: operations whose behaviour the author writes (contract 2.11, definitions 5). */
import { ACTION_METHODS, RESPONSE_TYPES } from "../model/mod.ts";
import { RATE_LIMIT } from "./config.ts";
import type { SignalName } from "./register.ts";
import type { AccessDefinition, RecordDefinition } from "./rules.ts";
import * as s from "./shape.ts";

/** A move of a state field, applied by the service in one guarded UPDATE. */
export function transition<Name extends string>() {
  return s.object({
    /** The state field. */
    field: s.required(s.word<Name>("a column")),
    /** Moves that it makes: from → to. */
    fromTo: s.required(s.map("states", s.words("states"))),
    /** State that the record moves to. */
    to: s.word("a state"),
    /** Input field that names the state, in place of `to`. */
    via: s.word("a field of the input"),
    /** Conditions on the record that bind the move. */
    guard: s.ruled<RecordDefinition<Name>>("columns, each with a value or with operators"),
    /** Answer to a move that may not be made; by default 409 `ACCESS_ACTION_NOT_ALLOWED_FOR_STATE`. */
    onIllegal: s.object({
      /** Code of the answer. */
      code: s.required(s.matching(/^[A-Za-z][A-Za-z0-9_]*$/, "letters, digits and _")),
      /** Status of the answer. */
      status: s.byDefault(s.integer(400, 499), 409),
      /** Text of the answer. */
      message: s.required(s.text),
    }),
    /** `noop`: a record that is there already answers as a success. */
    idempotent: s.oneOf(["noop"]),
    /** Column that takes the time of the move. */
    stamp: s.word<Name>("a timestamp column"),
    /** Columns that become null with the move. */
    clears: s.list(s.word<Name>("a column that may be null")),
  });
}
export const TRANSITION = transition<string>();

/** Leave to look past the caller's own rows. */
export const UNSAFE = s.object({
  /** Stands in every audit row. */
  reason: s.required(s.text),
  /** Only `sysadmin`. */
  adminOnly: s.byDefault(s.boolean, false),
  /** Rows of other tenants, too. */
  crossTenant: s.byDefault(s.boolean, false),
  /** Scopes that `unsafeDb.scopeTo` may name. */
  targetScope: s.oneOf(["organization", "all"]),
});

export interface TransitionDefinition<Name extends string = string>
  extends s.Written<typeof transition<Name>> {}

/** `Name` is a column of the action's table, `Input` its Zod schema, `Run` the type of its handler. */
export function action<Name extends string, Input, Output, Refs, Run>() {
  return s.object({
    /** Purpose of the action, for the API's description; without it, the action's doc comment. One of both stands. */
    description: s.text,
    /** Zod schema of the body. */
    input: s.required(s.ruled<Input>("`z.object({ … })`")),
    /** Zod schema of a success. */
    output: s.ruled<Output>("a Zod schema"),
    /** Callers who may. */
    access: s.required(s.ruled<AccessDefinition<Name>>("an access rule")),
    /** Makes it standalone: it binds no record. `./name` is below the resource. */
    path: s.word<`/${string}` | `./${string}`>("a path such as `/reports/:year`"),
    /** Method of its route; by default `POST`. */
    method: s.oneOf(ACTION_METHODS),
    /** Streams and files only with a `path`. */
    responseType: s.byDefault(s.oneOf(RESPONSE_TYPES), "json"),
    /** Leave to look past the caller's own rows. */
    unsafe: s.ruled<s.Written<typeof UNSAFE>>("an object with a reason"),
    /** Limit of a caller; by default the `update` limit of the resource. */
    rateLimit: s.either([s.oneOf([false]), RATE_LIMIT]),
    /** Move of a state field that the service makes. */
    transition: s.ruled<TransitionDefinition<Name>>("a move of a state field"),
    /** Input field → table whose record it names. One that the caller does not see is 400 before the handler runs. */
    refs: s.ruled<Refs>("fields of the input, each with a table"),
    /** Signals that it may send: `<binding>.<variant>` of the realtime registry. */
    invalidates: s.ruled<readonly SignalName[]>("signals"),
    /** Leave to write SQL by hand. */
    allowRawSql: s.byDefault(s.boolean, false),
    /** The handler itself. */
    execute: s.ruled<Run>("a function"),
    /** File that exports the handler as `execute`. */
    handler: s.word<`./${string}` | `../${string}`>("a path such as `./handlers/close`"),
  });
}
export const ACTION = action<string, unknown, unknown, unknown, unknown>();
