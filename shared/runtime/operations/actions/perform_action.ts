/** An action inside its one transaction: its record, the records that its input names, its code, its move, and its answer. */
import { pointerTo } from "../../../lib/json_pointer.ts";
import type { RowRule } from "../../../surface/admission.ts";
import { openWork } from "../../authored/open_work.ts";
import { type Caller, enter } from "../../context.ts";
import { changeLogOf, unwatched } from "../../data/changes/change_log.ts";
import type { ReadOrigins } from "../../data/scoped_db/read_origins.ts";
import type { RowKey, StoredRow } from "../../data/types.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import type { Transaction } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { jsonResponse } from "../../response/record.ts";
import { watchedStream } from "../../response/watched_stream.ts";
import { idNamed } from "../record_key.ts";
import { refuseMiss } from "../refuse_miss.ts";
import { type ActionCall, targetOfCall } from "./action_plan.ts";
import { requireState } from "./action_state.ts";
import { handlerParameters } from "./handler_parameters.ts";
import { type Hide, hidingRenamed } from "./renamed_columns.ts";
import { type GivenRow, maskedResult, type ResultViewer } from "./masked_result.ts";
import { applyMove, finishMove, isThere } from "./make_move.ts";
import { type Move, moveResult, refuseLost, requireMove, stateOf } from "./transition.ts";

/** A record that was let through before the transaction began. */
export interface JudgedRecord {
  readonly key: RowKey;
  readonly row: StoredRow;
  /** What it must still meet. */
  readonly rule: RowRule | null;
  readonly move: Move | null;
}

export interface ReadyAction {
  readonly call: ActionCall;
  readonly caller: Caller;
  readonly input: unknown;
  readonly record: JudgedRecord | null;
}

export async function performAction(
  ready: ReadyAction,
  transaction: Transaction,
): Promise<Response> {
  const { call } = ready;
  enter(call, "operation");
  const done = await performed(ready, transaction);
  enter(call, "masking");
  return answered(done.value, call, () => shownTo(ready, done));
}

/** The same, as JSON text of the masked result: for those that put several together. */
export async function performToText(
  ready: ReadyAction,
  transaction: Transaction,
): Promise<string> {
  return jsonText(shownTo(ready, await performed(ready, transaction)));
}

/** The result as its caller may see it. */
function shownTo(
  { caller: { principal }, call, input }: ReadyAction,
  { value, given, origins }: Performed,
): unknown {
  const { project } = call.request.app;
  const hide = origins && hidingRenamed(origins, { project, principal });
  return masked(plainJson(value, hide), call, { principal, given, input });
}

export function masked(
  json: unknown,
  { request: { app } }: ActionCall,
  viewer: Omit<ResultViewer, "sources">,
): unknown {
  return maskedResult(json, { sources: app.handlers.maskSources, ...viewer });
}

interface Performed {
  readonly value: unknown;
  readonly given: readonly GivenRow[];
  /** Null: no code of the action's own ran. */
  readonly origins: ReadOrigins | null;
}

async function performed(ready: ReadyAction, transaction: Transaction): Promise<Performed> {
  const { call, caller, record } = ready;
  const { plan: { implementation }, request: { now } } = call;
  const stamps = { now, userId: caller.principal.userId };
  const refs = await requireRefs(ready, transaction);
  const others = [...refs.values()];
  if (record && implementation.execute === null) {
    const { table } = record.key.firewall;
    const value = await applyMove(record, { call, transaction, stamps });
    return { value, given: [{ table, row: record.row }, ...others], origins: null };
  }
  const row = record && await reread(record, call, transaction);
  const own = record && row ? { table: record.key.firewall.table, row } : null;
  const given = own ? [own, ...others] : others;
  if (record?.move && own && isThere(record.move, own.row)) {
    const value = moveResult(record.move, { table: own.table, stamped: own.row });
    return { value, given, origins: null };
  }
  const changes = changeLogOf(transaction);
  const parameters = { call, caller, stamps, input: ready.input, record: own, refs, changes };
  const { value, origins } = await execute(parameters, transaction);
  if (record?.move && row) {
    const { key, move } = record;
    await finishMove({ key, move, before: row }, { call, transaction, stamps });
  }
  await checkOutput(call, value);
  return { value, given, origins };
}

/** What was judged may have changed before the transaction began. */
async function reread(
  { key, rule, move }: JudgedRecord,
  call: ActionCall,
  transaction: Transaction,
): Promise<StoredRow> {
  const row = await call.request.app.data.selectStored(transaction, key);
  if (row === null) return refuseMiss({ request: call.request, plan: targetOfCall(call) }, key);
  if (move && !isThere(move, row)) {
    if (stateOf(row, move.transition.field) !== move.from) refuseLost();
    requireMove(move.transition, move.to, { row, firewall: key.firewall });
  }
  requireState(rule, { row, firewall: key.firewall });
  return row;
}

async function execute(
  parameters: Parameters<typeof handlerParameters>[0],
  transaction: Transaction,
): Promise<Omit<Performed, "given">> {
  const { call, caller, stamps } = parameters;
  const { request: { app }, plan: { implementation, operation: { action } } } = call;
  if (implementation.execute === null) throw new Error(`Action "${action.key}" has no code`);
  const { unsafe, allowRawSql } = action;
  const work = openWork({
    home: app.handlers,
    means: { project: app.project, ports: app.ports },
    transaction: isTold(call) ? transaction : unwatched(transaction),
    ...caller,
    stamps,
    newId: app.newId,
    allowRawSql,
    unsafe,
    reached: (organizationId) => call.audit?.reached(organizationId),
  });
  try {
    // Its parameters are typed where it is written.
    const value: unknown = await Reflect.apply(implementation.execute, undefined, [
      handlerParameters(parameters, work),
    ]);
    return { value, origins: work.origins };
  } finally {
    await work.close();
  }
}

/** A verb of the resource is told of whatever runs it; other handlers' writes only where the project says so (contract 6.3). */
function isTold({ request: { app }, plan: { operation: { action } } }: ActionCall): boolean {
  return app.project.realtime.emitFromActions || action.verb !== null;
}

/** The records that the input names, each through the caller's own firewall: missing and foreign ones are refused alike. */
async function requireRefs(
  { call, caller, input }: ReadyAction,
  transaction: Transaction,
): Promise<ReadonlyMap<string, GivenRow>> {
  const { app } = call.request;
  const found = new Map<string, GivenRow>();
  for (const [field, name] of Object.entries(call.plan.operation.action.refs)) {
    const table = app.tables.get(name);
    if (!table) throw new Error(`The model has no table "${name}"`);
    const named = memberOf(input, field);
    if (named === undefined || named === null) continue;
    const id = idNamed(named, table);
    const row = id !== null &&
      await app.data.selectStored(transaction, { firewall: firewallFor(table, caller), id });
    if (!row) {
      const fields = { [field]: "Must be the id of an existing record" };
      return refuse("VALIDATION_ERROR", { details: { fields }, pointer: pointerTo(field) });
    }
    found.set(field, { table, row });
  }
  return found;
}

function memberOf(input: unknown, name: string): unknown {
  const isThere = typeof input === "object" && input !== null && Object.hasOwn(input, name);
  return isThere ? Reflect.get(input, name) : undefined;
}

/** In development only: what callers were told of the answer is held to (definitions 5, `output`). */
async function checkOutput(
  { request: { app }, plan: { implementation: { output } } }: ActionCall,
  value: unknown,
): Promise<void> {
  if (output === null || app.settings.production || value instanceof Response) return;
  const result = await output.safeParseAsync(value);
  if (!result.success) throw new OutputMismatch(result.error.message);
}

class OutputMismatch extends Error {
  override readonly name = "OutputMismatch";
}

const EVENT_STREAM = "text/event-stream";

/** Only streams and files answer with what the handler made itself (contract 4.4 rule 4). */
function answered(
  value: unknown,
  call: ActionCall,
  shown: () => unknown,
): Response {
  const { status, action: { responseType } } = call.plan.operation;
  if (responseType === "json") return jsonResponse(jsonText(shown()), status);
  if (value instanceof Response) {
    const { body, headers } = value;
    // The headers of a response from elsewhere cannot be changed.
    const init = { status: value.status, headers: new Headers(headers) };
    return new Response(body && watchedStream(body, (error) => logBroken(call, error)), init);
  }
  if (responseType === "stream" && value instanceof ReadableStream) {
    const body = watchedStream(value, (error) => logBroken(call, error));
    return new Response(body, { headers: { "content-type": EVENT_STREAM } });
  }
  throw new TypeError(`A handler of a ${responseType} must return a Response`);
}

/** After the first byte there is no other answer any more. */
function logBroken({ request, plan: { operation } }: ActionCall, error: unknown): void {
  request.app.ports.logger.log({
    level: "error",
    message: `The ${operation.action.responseType} of ${operation.id} broke off`,
    requestId: request.requestId,
    error,
    fields: { operation: operation.id, method: request.method, path: request.path },
  });
}

/** Nothing, and a response of the handler's own, are an empty object. */
export function plainJson(value: unknown, hide: Hide | null = null): unknown {
  if (value === undefined || value instanceof Response) return {};
  const text = JSON.stringify(value, hide ?? undefined);
  return text === undefined ? {} : JSON.parse(text);
}

function jsonText(value: unknown): string {
  return JSON.stringify(value);
}
