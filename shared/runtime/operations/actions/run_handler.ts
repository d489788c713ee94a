/** Runs the author's code of an action inside its one transaction (contract 2.11, 4.4; definitions 5). */
import { pointerTo } from "../../../lib/json.ts";
import { openWork } from "../../authored/handler_home.ts";
import type { Caller } from "../../context.ts";
import { changeLogOf, unpublished } from "../../data/changes/change_log.ts";
import type { ReadOrigins } from "../../data/scoped_db/read_origins.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import type { Transaction } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { idNamed } from "../../records/record_id.ts";
import { hasHooks } from "../call_scope.ts";
import { markRehearsed, rehearsing } from "../rehearsal.ts";
import { type ActionCall, isDryRun } from "./action_plan.ts";
import { type Deadline, deadlineOf } from "./first_byte.ts";
import { handlerParameters } from "./handler_parameters.ts";
import type { GivenRow } from "./masked_result.ts";
import { inYieldingTransaction, type YieldTransaction } from "./yielding_transaction.ts";

/** An action that its layers admitted, in its transaction. */
export interface ReadyAction {
  readonly call: ActionCall;
  readonly caller: Caller;
  readonly input: unknown;
  readonly transaction: Transaction;
  /** Releases the transaction while it is idle; null: the transaction is not the action's alone, and stays open. */
  readonly yieldIt: YieldTransaction | null;
}

/** Result of an action, before it is masked. */
export interface Performed {
  readonly value: unknown;
  /** The records that the author's code was given. */
  readonly given: readonly GivenRow[];
  /** The origins of values that the author's code read; null: the action has no code of its own. */
  readonly origins: ReadOrigins | null;
  /** The deadline of the answer's first byte; null: it has arrived. */
  readonly deadline: Deadline | null;
}

/** The answer of an action that ran; its body may still have to begin. */
export interface ActionAnswer {
  readonly response: Response;
  /** Resolves at the first byte of the body, and rejects where another answer must be given; null: the body is complete. */
  readonly begun: Promise<void> | null;
}

/**
 * Runs the action in a transaction of its own, which a dry run rolls back. Its writes are committed once its answer has begun.
 */
export async function inTransaction(
  call: ActionCall,
  body: (transaction: Transaction, yieldIt: YieldTransaction | null) => Promise<ActionAnswer>,
): Promise<Response> {
  const { request: { database, method, app: { ports: { timer } } }, plan: { implementation } } =
    call;
  // A transition alone changes one row, unless hooks of the record write more.
  const { records } = call.plan;
  const isAlone = implementation.execute === null;
  const isHooked = records !== null && hasHooks({ request: call.request, plan: records });
  const unbounded = isAlone && !isHooked ? undefined : method === "GET" ? "read" : "write";
  const options = { unbounded } as const;
  let given: ActionAnswer | null = null;
  const perform = async (transaction: Transaction, yieldIt: YieldTransaction | null) => {
    given = await body(transaction, yieldIt);
    if (!isDryRun(call)) await call.audit?.succeed(transaction);
    return given;
  };
  const whole = async (transaction: Transaction) => {
    const { response, begun } = await perform(transaction, null);
    await begun;
    return response;
  };
  try {
    if (isDryRun(call)) return markRehearsed(await rehearsing(database).write(whole, options));
    if (isAlone || !timer || !call.isAlone) return await database.write(whole, options);
    const yielding = { database, timer, begun: ({ begun }: ActionAnswer) => begun, ...options };
    return (await inYieldingTransaction(yielding, perform)).response;
  } catch (error) {
    abandon(given, error);
    throw error;
  }
}

/** Ends an answer that nobody receives. */
function abandon(answer: ActionAnswer | null, reason: unknown): void {
  answer?.response.body?.cancel(reason).catch(() => {});
}

/**
 * Loads the records that the input names, each through the caller's own firewall: missing and foreign ones are refused alike.
 */
export async function requireRefs(
  { call, caller, input, transaction }: ReadyAction,
): Promise<ReadonlyMap<string, GivenRow>> {
  const { app } = call.request;
  const found = new Map<string, GivenRow>();
  for (const [field, name] of Object.entries(call.plan.operation.action.refs)) {
    const table = app.tables.get(name);
    if (!table) throw new Error(`The model has no table "${name}"`);
    const isThere = typeof input === "object" && input !== null && Object.hasOwn(input, field);
    const named = isThere ? Reflect.get(input, field) : undefined;
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

export async function runHandler(
  { call, caller, input, transaction }: ReadyAction,
  /** The record of the action; null: a standalone action. */
  record: GivenRow | null,
  refs: ReadonlyMap<string, GivenRow>,
): Promise<Pick<Performed, "value" | "origins" | "deadline">> {
  const { request: { app, now }, plan: { implementation, operation: { action } } } = call;
  if (implementation.execute === null) throw new Error(`Action "${action.key}" has no code`);
  const { unsafe, allowRawSql } = action;
  const stamps = { now, userId: caller.principal.userId };
  // A verb of the resource always emits its events; other handlers' writes do so only where the project says so (contract 6.3).
  const isTold = app.project.realtime.emitFromActions || action.verb !== null;
  const work = openWork({
    home: app.handlers,
    means: { project: app.project, ports: app.ports },
    transaction: isTold ? transaction : unpublished(transaction),
    told: transaction,
    time: call.request.hookTime,
    reader: call.request.database,
    ...caller,
    stamps,
    newId: app.newId,
    allowRawSql,
    unsafe,
    given: record && { table: record.table, id: record.row.get(record.table.primaryKey) ?? null },
    place: call.request.place,
    elsewhere: call.request.elsewhere,
    reached: (organizationId) => call.audit?.reached(organizationId),
  });
  const deadline = deadlineOf(call);
  const changes = changeLogOf(transaction);
  const { signal } = deadline;
  const handling = { call, caller, stamps, input, record, refs, changes, signal };
  const { execute } = implementation;
  // The parameters are typed at the author's declaration.
  const run = async (): Promise<unknown> =>
    await Reflect.apply(execute, undefined, [handlerParameters(handling, work)]);
  let isAwaited = false;
  try {
    const value = await deadline.race(run());
    isAwaited = action.responseType !== "json";
    return { value, origins: work.origins, deadline: isAwaited ? deadline : null };
  } finally {
    if (!isAwaited) deadline.stop();
    await work.close();
  }
}

/** Validates a handler's result by the declared `output`, in development only (definitions 5, `output`). */
export async function checkOutput(
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
