/** Creates the record scope of a call: its table in its transaction, with the author's hooks around writes. */
import { openWork } from "../authored/handler_home.ts";
import { hooksCodeOf, tableHooksOf } from "../authored/record_hooks.ts";
import type { Caller } from "../context.ts";
import type { WriteOptions } from "../ports.ts";
import type { Transaction } from "../ports.ts";
import type { RecordTarget } from "../layers/3-firewall/firewall.ts";
import type { Admitted } from "../gate.ts";
import type { RecordScope } from "../records/record_scope.ts";

/** Request, and the table that it writes. */
interface WritingCall {
  readonly request: Admitted;
  readonly plan: Pick<RecordTarget, "resource" | "table">;
}

export function recordScope(
  { request, plan: { resource, table } }: WritingCall,
  caller: Caller,
  transaction: Transaction,
): RecordScope {
  const { app } = request;
  const { data, tables, newId, handlers } = app;
  const hooks = hooksCodeOf(table, handlers) === null ? null : tableHooksOf(table, {
    open: openWork,
    home: handlers,
    means: { project: app.project, ports: app.ports },
    newId,
    caller,
    reader: request.database,
    place: request.place,
    stamps: { now: request.now, userId: request.principal.userId },
    time: request.hookTime,
    depth: 0,
  });
  const { directory } = handlers;
  const { now } = request;
  return { data, tables, table, resource, caller, newId, transaction, directory, now, hooks };
}

/** True when the author's hooks run around writes of the table's records. */
export function hasHooks({ request, plan: { table } }: WritingCall): boolean {
  return hooksCodeOf(table, request.app.handlers) !== null;
}

/** Returns options for a write with hooks, which may take long: its transaction is not shared with other requests. */
export function hookedWrite(call: WritingCall): WriteOptions {
  return hasHooks(call) ? { unbounded: "write" } : {};
}
