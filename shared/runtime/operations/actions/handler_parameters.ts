/** Parameters of a handler (contract 2.11, definitions 5). */
import { restored } from "../../../column_types/mod.ts";
import type { TableModel } from "../../../model/table.ts";
import { contextOf } from "../../authored/handler_context.ts";
import type { Work } from "../../authored/open_work.ts";
import type { Caller, RequestContext } from "../../context.ts";
import type { ChangeLog } from "../../data/changes/change_log.ts";
import { handlerHelpers } from "../../data/scoped_db/handler_helpers.ts";
import type { Stamps, StoredRow } from "../../data/types.ts";
import { isCredentialHeader } from "../../request/headers.ts";
import { decodeSegment } from "../../request/read_request.ts";
import type { ActionCall } from "./action_plan.ts";
import type { GivenRow } from "./masked_result.ts";
import { scopeTokenMinter } from "./mint_scope_token.ts";
import { responseMakers } from "./response_makers.ts";

interface HandlerCall {
  readonly call: ActionCall;
  readonly caller: Caller;
  readonly stamps: Stamps;
  readonly input: unknown;
  /** Null: a standalone action. */
  readonly record: GivenRow | null;
  readonly refs: ReadonlyMap<string, GivenRow>;
  /** Log that keeps signals until the commit; null: nobody listens. */
  readonly changes: ChangeLog | null;
}

export function handlerParameters(
  handling: HandlerCall,
  { db, unsafeDb, services, env }: Omit<Work, "close">,
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
    c: honoContextOf(call),
    env,
    invalidate: signalsOf(handling),
    mintScopeToken: scopeTokenMinter(call, caller),
    ...handlerHelpers(stamps, record && { ...record, transitionField }),
  };
}

/** Plain, under its API names, unmasked: handlers compute with what is stored. */
function recordOf(table: TableModel, row: StoredRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    table.columns.map((column) => [column.name, restored(column, row.get(column.name) ?? null)]),
  );
}

/** The readable part of Hono's `c`, the request and the middlewares' variables, and the makers of responses. */
function honoContextOf(call: ActionCall) {
  const { variables } = call.request;
  return Object.freeze({
    ...responseMakers(),
    req: requestOf(call),
    var: Object.freeze(Object.fromEntries(variables)),
    get: (name: string) => variables.get(name),
  });
}

/** The readable part of Hono's `c.req`, without credentials. */
function requestOf({ request, plan }: ActionCall) {
  const { method, path, search, headers, app } = request;
  const parameters = parametersOf(request, plan.operation.path);
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

/** The segments that the action's path names. */
function parametersOf(
  { path }: RequestContext,
  template: string,
): Readonly<Record<string, string>> {
  const segments = path.split("/");
  return Object.fromEntries(
    template.split("/").flatMap((part, at) => {
      const segment = segments[at] ?? "";
      return part.startsWith(":") ? [[part.slice(1), decodeSegment(segment) ?? segment]] : [];
    }),
  );
}

/** `invalidate.<binding>.<variant>(payload)`: sent after the commit, if there is one (contract 6.3). */
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

/** A copy of the payload as it is now, whatever the handler does with it later; null: it is no JSON object. */
function plainPayload(payload: unknown): Readonly<Record<string, unknown>> | null {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(payload));
    const isObject = typeof copy === "object" && copy !== null && !Array.isArray(copy);
    return isObject ? { ...copy } : null;
  } catch {
    return null;
  }
}
