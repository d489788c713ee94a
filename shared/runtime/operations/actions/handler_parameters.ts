/** Builds the parameters of a handler (contract 2.11, definitions 5). */
import { columnNamed, SCOPE_NAME } from "../../../surface/mod.ts";
import { exactJsonText } from "../../../lib/json.ts";
import { and, eq, getTableColumns, getTableName, type SQL, type Table } from "drizzle-orm";
import { decodeJwt } from "jose";
import { restored } from "../../../column_types/mod.ts";
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../../contract/mod.ts";
import { ANONYMOUS, impersonationOf, type Principal, type TableModel } from "../../../model/mod.ts";
import { AuthoredRefusal } from "../../authored/authored_refusal.ts";
import type { Work } from "../../authored/work.ts";
import { contextOf } from "../../authored/caller_context.ts";
import type { Caller } from "../../context.ts";
import type { ChangeLog } from "../../data/changes/change_log.ts";
import { refuseConstruct } from "../../../lib/sql_tokens.ts";
import type { Stamps, StoredRow } from "../../data/types.ts";
import type { TokenGrant } from "../../layers/1-authentication/token_mint.ts";
import { isCredentialHeader } from "../../request/read_request.ts";
import { pathParametersOf } from "./action_input.ts";
import { type ActionCall, isDryRun } from "./action_plan.ts";
import type { GivenRow } from "./masked_result.ts";

interface HandlerCall {
  readonly call: ActionCall;
  readonly caller: Caller;
  readonly stamps: Stamps;
  readonly input: unknown;
  /** The record of the action; null: a standalone action. */
  readonly record: GivenRow | null;
  readonly refs: ReadonlyMap<string, GivenRow>;
  /** Log that keeps signals until the commit; null: nobody listens. */
  readonly changes: ChangeLog | null;
  /** Aborts when the handler takes too long. */
  readonly signal: AbortSignal;
}

export function handlerParameters(
  handling: HandlerCall,
  { db, unsafeDb, services, jobs, files, env }: Omit<Work, "close">,
): Readonly<Record<string, unknown>> {
  const { call, caller, stamps, input, record, refs } = handling;
  const { plan: { operation: { action } } } = call;
  const transitionField = action.transition?.field ?? null;
  const shown = [...refs].map(([field, { table, row }]) => [field, recordOf(table, row)] as const);
  return {
    db,
    ...(unsafeDb ? { unsafeDb } : {}),
    ctx: contextOf(caller),
    ...(record ? { record: recordOf(record.table, record.row) } : {}),
    input,
    refs: Object.fromEntries(shown),
    services,
    jobs,
    ...(files ? { files } : {}),
    c: honoContextOf(call),
    env,
    signal: handling.signal,
    invalidate: signalsOf(handling),
    mintScopeToken: scopeTokenMinter(call, caller),
    ...handlerHelpers(stamps, record && { ...record, transitionField }),
  };
}

/**
 * Returns the record for the handler: plain, under its API names and unmasked, since handlers compute with the stored values.
 */
function recordOf(table: TableModel, row: StoredRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    table.columns.map((column) => [column.name, restored(column, row.get(column.name) ?? null)]),
  );
}

/** Returns the readable part of Hono's `c`: the request, the middlewares' variables, and the makers of responses. */
function honoContextOf(call: ActionCall) {
  const { variables } = call.request;
  return Object.freeze({
    ...responseMakers(),
    req: requestOf(call),
    var: Object.freeze(Object.fromEntries(variables)),
    get: (name: string) => variables.get(name),
  });
}

/** Returns the readable part of Hono's `c.req`, without credentials. */
function requestOf({ request, plan }: ActionCall) {
  const { method, path, search, headers, app } = request;
  const parameters = pathParametersOf({ request, plan });
  const query = Object.fromEntries(new URLSearchParams(search));
  return Object.freeze({
    method,
    path,
    url: app.settings.baseUrl + path + search,
    header: (name: string) => isCredentialHeader(name) ? undefined : headers.get(name) ?? undefined,
    param: (name?: string) => name === undefined ? { ...parameters } : own(parameters, name),
    query: (name?: string) => name === undefined ? { ...query } : own(query, name),
  });
}

function own(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Builds `invalidate.<binding>.<variant>(payload)`. A signal is sent after the commit, if there is one (contract 6.3). */
function signalsOf(
  { call: { plan: { operation: { action } }, request: { app } }, caller, changes }: HandlerCall,
) {
  const bindings = new Map<string, Record<string, (payload?: unknown) => void>>();
  for (const name of action.invalidates) {
    const [binding = "", variant = ""] = name.split(".");
    const send = (payload: unknown = {}) => {
      const sent = plainPayload(payload);
      if (sent) changes?.send({ name, payload: sent, caller });
      else app.ports.logger.log({ level: "warn", message: `Signal "${name}" has no JSON object` });
    };
    bindings.set(binding, { ...bindings.get(binding), [variant]: send });
  }
  return Object.fromEntries(bindings);
}

/** Copies the payload as it is now, so that later changes by the handler have no effect; null: it is not a JSON object. */
function plainPayload(payload: unknown): Readonly<Record<string, unknown>> | null {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(payload));
    const isObject = typeof copy === "object" && copy !== null && !Array.isArray(copy);
    return isObject ? { ...copy } : null;
  } catch {
    return null;
  }
}

/** A grant of a token, with the id by which the token is revoked. */
interface ScopeTokenGrant extends TokenGrant {
  readonly jti: string;
}

type MintScopeToken = (
  scope: string,
  options?: { readonly expiresIn?: number },
) => Promise<ScopeTokenGrant>;

/**
 * Builds `mintScopeToken` of handlers: it mints a token without a session for a named scope (contract 5.4), in the organization
 * that scopes the request and in no other. Refuses with the action's flat `SCOPE_TOKEN_REFUSED`.
 */
function scopeTokenMinter(call: ActionCall, caller: Caller): MintScopeToken {
  const { app, now: judgedAt } = call.request;
  return async (scope, options = {}) => {
    const mint = app.mintToken;
    if (mint === null) throw new TypeError("There are no tokens: declare auth.jwt");
    const { principal, organizationId } = caller;
    const { credential, grants } = principal;
    if (typeof scope !== "string" || !SCOPE_NAME.test(scope)) {
      throw new TypeError("A scope is named by 1 to 64 letters, digits and : . _ -");
    }
    // A token that minted tokens would never end. Delegated principals carry no scope. Narrowed rights stay narrowed.
    if (credential === "scope" || credential === "delegated" || grants !== undefined) {
      throw refusal("Such a caller gets no scope token");
    }
    if (app.project.multiTenant && organizationId === null) {
      throw refusal("A scope token needs an active organization");
    }
    const bearer: Principal = {
      ...ANONYMOUS,
      ...impersonationOf(principal),
      credential: "scope",
      organizationId,
      scope,
    };
    const { expiresIn } = options;
    const isLifetime = expiresIn === undefined ||
      (Number.isInteger(expiresIn) && expiresIn > 0 && expiresIn <= TOKEN_LIFETIME_MAX_SECONDS);
    if (!isLifetime) {
      throw new TypeError(`A token lives 1 to ${TOKEN_LIFETIME_MAX_SECONDS} seconds`);
    }
    const grant = await mint(
      bearer,
      expiresIn === undefined ? { judgedAt } : { judgedAt, expiresIn },
    );
    const jti = decodeJwt(grant.token).jti ?? "";
    // A dry run mints no token that is valid.
    return isDryRun(call) ? { ...grant, token: "dry-run", jti } : { ...grant, jti };
  };
}

/** Refuses with an error of the handler's own, which the handler can catch. */
function refusal(message: string): AuthoredRefusal {
  return new AuthoredRefusal(message, "SCOPE_TOKEN_REFUSED", 403);
}

/**
 * Makes the responses of Hono's `c`. Streams and files answer with them; any other action ignores them (contract 4.4 rules 4
 * and 6).
 */

type Init = number | { readonly status?: number; readonly headers?: HeadersInit } | undefined;
type More = Readonly<Record<string, string>> | undefined;

interface ResponseMakers {
  readonly header: (name: string, value?: string, options?: { readonly append?: boolean }) => void;
  readonly status: (status: number) => void;
  readonly json: (value: unknown, init?: Init, headers?: More) => Response;
  readonly text: (text: string, init?: Init, headers?: More) => Response;
  readonly html: (html: string, init?: Init, headers?: More) => Response;
  readonly body: (body: BodyInit | null, init?: Init, headers?: More) => Response;
  readonly redirect: (location: string, status?: number) => Response;
}

/** Returns one set of makers for each call: `header` and `status` apply to the responses that are made after them. */
function responseMakers(): ResponseMakers {
  const said = new Headers();
  let usual = 200;
  const made = (body: BodyInit | null, init: Init, more: More, type: string | null): Response => {
    const given = typeof init === "object" ? init : { status: init ?? usual };
    const headers = new Headers(said);
    if (type !== null) headers.set("content-type", type);
    for (const [name, value] of new Headers(given.headers)) headers.set(name, value);
    for (const [name, value] of Object.entries(more ?? {})) headers.set(name, value);
    return new Response(body, { status: given.status ?? usual, headers });
  };
  return {
    header(name, value, options) {
      if (value === undefined) said.delete(name);
      else if (options?.append) said.append(name, value);
      else said.set(name, value);
    },
    status: (status) => void (usual = status),
    json: (value, init, more) => made(exactJsonText(value), init, more, "application/json"),
    text: (text, init, more) => made(text, init, more, "text/plain; charset=UTF-8"),
    html: (html, init, more) => made(html, init, more, "text/html; charset=UTF-8"),
    body: (body, init, more) => made(body, init, more, null),
    redirect: (location, status = 302) => made(null, status, { location }, null),
  };
}

interface HandlerRecord {
  readonly table: TableModel;
  /** The record as the action found it, before the handler. */
  readonly row: StoredRow;
  /** The state field of the action's `transition`; null: it has none. */
  readonly transitionField: string | null;
}

interface HandlerHelpers {
  readonly auditFields: { readonly modifiedAt: string; readonly modifiedBy: string | null };
  readonly whereRecord: (table: Table) => SQL;
  readonly whereTransition: (table: Table) => SQL;
}

/**
 * Builds the helpers that a handler gets beside its databases (definitions 5): conditions on its record, and the stamps of a
 * change. `record` is null in a standalone action.
 */
export function handlerHelpers(stamps: Stamps, record: HandlerRecord | null): HandlerHelpers {
  return {
    auditFields: { modifiedAt: stamps.now, modifiedBy: stamps.userId },
    whereRecord: (table) => whereRecord(requireRecord(record, "whereRecord"), table),
    whereTransition: (table) => whereTransition(requireRecord(record, "whereTransition"), table),
  };
}

function requireRecord(record: HandlerRecord | null, name: string): HandlerRecord {
  return record ?? refuseConstruct(`${name}()`, "needs a record, and a standalone action has none");
}

function whereRecord(record: HandlerRecord, table: Table): SQL {
  return equalsFound(record, table, record.table.primaryKey);
}

/** Builds the condition that meets the record as long as its state has not changed since the action read it. */
function whereTransition(record: HandlerRecord, table: Table): SQL {
  const { transitionField } = record;
  if (transitionField === null) {
    return refuseConstruct("whereTransition()", "needs an action that declares a transition");
  }
  const condition = and(whereRecord(record, table), equalsFound(record, table, transitionField));
  if (!condition) throw new Error("A record has no condition");
  return condition;
}

function equalsFound({ table: model, row }: HandlerRecord, table: Table, name: string): SQL {
  if (getTableName(table) !== model.sqlName) {
    refuseConstruct(
      `Table "${getTableName(table)}"`,
      `is not the table of the action's record, "${model.name}"`,
    );
  }
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`Table "${model.name}" has no column "${name}" in drizzle's schema`);
  const known = columnNamed(name, model);
  return eq(column, restored(known, row.get(known.name) ?? null));
}
