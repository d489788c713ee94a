/** Records what the account library does to accounts, each act in its own transaction. */
import {
  defineRequestState,
  hasRequestState,
  runWithRequestState,
  tryGetCurrentAuthEndpointContext,
} from "@better-auth/core/context";
import type { RequestOrigin, Statement, Transaction } from "../../runtime/ports.ts";
import { eventScene } from "../credentials/event_scene.ts";
import { type ProjectModel, sendsNotices } from "../../model/mod.ts";
import { CLIENT_IP_HEADER } from "../library_request.ts";
import type { LibraryWrite, LibraryWrites } from "../credentials/library_writes.ts";
import * as acts from "./library_acts.ts";
import { addressOf, deleteEvent, type DueNotice, insertEvent } from "./security_log.ts";

/** What is known of the request that the library answers. */
interface Answering {
  origin: RequestOrigin | null;
  /** Events of the sessions that it has begun, by the sessions' ids. */
  readonly signIns: Map<string, string>;
  /** Notices to be sent once it is answered. */
  readonly notices: DueNotice[];
}

const answering = defineRequestState<Answering>(newAnswering);

function newAnswering(): Answering {
  return { origin: null, signIns: new Map(), notices: [] };
}

/** Of this request; outside of any, something that nobody keeps. */
export async function currentAnswering(): Promise<Answering> {
  return await hasRequestState() ? await answering.get() : newAnswering();
}

/** The same writes, with the acts behind them; `notifies` false: nobody is told by mail. */
export function recordingActs(writes: LibraryWrites, notifies: boolean): LibraryWrites {
  return {
    ...writes,
    async run(transaction, write, run) {
      const table = acts.LIBRARY_ACTS[write.table] ?? null;
      const act = table?.[write.kind]?.(callOf(write)) ?? null;
      if (table === null || act === null) return await writes.run(transaction, write, run);
      const isInsert = write.kind === "insert";
      const before = isInsert ? [] : await rowsOf(transaction, table, write, write.where);
      const result = await writes.run(transaction, write, run);
      const inserted = { sql: ` WHERE "id" = ?`, args: [String(write.values["id"])] };
      const rows = isInsert ? await rowsOf(transaction, table, write, inserted) : before;
      for (const { userId, id, row } of rows) {
        const done = act(row);
        if (done === null) continue;
        const { signIns } = await currentAnswering();
        const begun = write.table === "auth_session" && !isInsert ? signIns.get(id) : undefined;
        if (begun !== undefined) {
          // Nobody has signed in before the second factor.
          await deleteEvent(transaction, begun);
          signIns.delete(id);
          continue;
        }
        const eventId = await record(transaction, userId, done, notifies);
        if (done.kind === "sign-in") signIns.set(id, eventId);
      }
      return result;
    },
  };
}

/** Scenes of events that the log tells of. */
export function recordedScene(
  input: Parameters<typeof eventScene>[0] & { readonly project: ProjectModel },
): ReturnType<typeof eventScene> {
  const isOn = sendsNotices(input.project.email);
  return eventScene(input, async (transaction, event, subject, ended) => {
    const told = acts.actOf(event, subject, ended);
    if (told === null) return;
    // Of another address: whoever changed it may be somebody else.
    const to = "email" in subject ? subject.email : undefined;
    await record(transaction, told.userId, told.act, isOn, to);
  });
}

/**
 * Answers a request that is not the library's own, whose acts are told as those of its routes are: with its origin, and their
 * notices once it is done.
 */
export async function answeringRequest<T extends Response | string>(
  headers: Headers,
  send: (notice: DueNotice) => void,
  run: () => Promise<T>,
): Promise<T> {
  return await runWithRequestState(new WeakMap(), async () => {
    const current = await answering.get();
    current.origin = originIn(headers);
    const answer = await run();
    const isDone = typeof answer !== "string" && answer.ok;
    for (const notice of current.notices.splice(0)) if (isDone) send(notice);
    return answer;
  });
}

/** Of a request as the library gets it. */
export function originIn(headers: Headers | undefined): RequestOrigin {
  return {
    clientIp: headers?.get(CLIENT_IP_HEADER) ?? null,
    userAgent: headers?.get("user-agent") ?? null,
    languages: headers?.get("accept-language") ?? null,
  };
}

/** The event's id. */
async function record(
  transaction: Transaction,
  userId: string,
  { kind, details, notifies }: acts.Act,
  isOn: boolean,
  to?: string,
): Promise<string> {
  const { origin, notices } = await currentAnswering();
  const actor = currentSession();
  const event = {
    userId,
    kind,
    details,
    origin: actor === null || actor.userId === userId ? origin : null,
  };
  const address = isOn && notifies ? to ?? await addressOf(transaction, userId) : null;
  const { id, notice } = await insertEvent(transaction, event, address);
  if (notice !== null) notices.push(notice);
  return id;
}

function callOf({ values }: LibraryWrite): acts.WriteCall {
  const path = tryGetCurrentAuthEndpointContext()?.path ?? "";
  return { path, values, current: currentSession() };
}

function currentSession(): acts.WriteCall["current"] {
  const session = tryGetCurrentAuthEndpointContext()?.context.session ?? null;
  return session && { userId: session.user.id, sessionId: session.session.id };
}

/** Rows of a table with what its acts ask for. */
async function rowsOf(
  transaction: Transaction,
  { of, asks }: acts.TableActs,
  { table }: LibraryWrite,
  where: Statement,
) {
  const names = Object.keys(asks);
  const columns = [of, `"id"`, ...Object.values(asks)].join(", ");
  const { rows } = await transaction.run({
    sql: `SELECT ${columns} FROM "${table}"${where.sql}`,
    args: where.args,
  });
  return rows.map(([userId, id, ...cells]) => ({
    userId: String(userId),
    id: String(id),
    row: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])),
  }));
}
