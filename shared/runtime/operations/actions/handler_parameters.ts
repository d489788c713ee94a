/** What a handler is given (contract 2.11, definitions 5). */
import type { Principal } from "../../../model/principal.ts";
import type { TableModel } from "../../../model/table.ts";
import type { Work } from "../../authored/open_work.ts";
import type { Caller, RequestContext } from "../../context.ts";
import { handlerHelpers } from "../../data/scoped_db/handler_helpers.ts";
import type { Stamps, StoredRow } from "../../data/types.ts";
import { fromStored } from "../../data/values.ts";
import { decodeSegment } from "../../request/path.ts";
import type { ActionCall } from "./action_plan.ts";
import type { GivenRow } from "./masked_result.ts";

export interface HandlerCall {
  readonly call: ActionCall;
  readonly caller: Caller;
  readonly stamps: Stamps;
  readonly input: unknown;
  /** Null: a standalone action. */
  readonly record: GivenRow | null;
  readonly refs: ReadonlyMap<string, GivenRow>;
}

export function handlerParameters(
  { call, caller, stamps, input, record, refs }: HandlerCall,
  { db, unsafeDb, services, env }: Omit<Work, "close">,
): Readonly<Record<string, unknown>> {
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
    c: { req: requestOf(call) },
    env,
    invalidate: signalsOf(action.invalidates),
    ...handlerHelpers(stamps, record && { ...record, transitionField }),
  };
}

/** Plain, under its API names, unmasked: handlers compute with what is stored. */
function recordOf(table: TableModel, row: StoredRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    table.columns.map((column) => [column.name, fromStored(column, row.get(column.name) ?? null)]),
  );
}

function contextOf({ principal, organizationId }: Caller) {
  const { userId, teamId, roles, userRole, delegate }: Principal = principal;
  return Object.freeze({
    userId,
    organizationId,
    activeOrgId: organizationId,
    teamId,
    roles: [...roles],
    userRole,
    delegate: delegate ? { ...delegate } : null,
  });
}

const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key",
]);

/** Of Hono's `c.req` what can be read and is no credential. */
function requestOf({ request, plan }: ActionCall) {
  const { method, path, search, headers, app } = request;
  const parameters = parametersOf(request, plan.operation.path);
  const query = Object.fromEntries(new URLSearchParams(search));
  return Object.freeze({
    method,
    path,
    url: app.settings.baseUrl + path + search,
    header: (name: string) =>
      CREDENTIALS.has(name.toLowerCase()) ? undefined : headers.get(name) ?? undefined,
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

/** Without realtime a signal reaches nobody. */
function signalsOf(invalidates: readonly string[]) {
  const bindings = new Map<string, Record<string, () => void>>();
  for (const signal of invalidates) {
    const [binding = "", variant = ""] = signal.split(".");
    bindings.set(binding, { ...bindings.get(binding), [variant]: () => undefined });
  }
  return Object.fromEntries(bindings);
}
