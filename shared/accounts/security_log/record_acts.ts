/** Records what the account library does to accounts, in the transaction of each act. */
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

/** State of a request that the library answers. */
interface Answering {
  origin: RequestOrigin | null;
  /** Event ids of the sessions that the request started, by session. */
  readonly signIns: Map<string, string>;
  /** Notices to send after the answer. */
  readonly notices: DueNotice[];
}

const answering = defineRequestState<Answering>(newAnswering);

function newAnswering(): Answering {
  return { origin: null, signIns: new Map(), notices: [] };
}

/** Returns the state of the current request. Outside of one, returns a state that is discarded. */
export async function currentAnswering(): Promise<Answering> {
  return await hasRequestState() ? await answering.get() : newAnswering();
}

/** Wraps the writes so that their acts are recorded. With `notifies` false no mail is sent. */
export function recordingActs(writes: LibraryWrites, notifies: boolean): LibraryWrites {
  return {
    ...writes,
    async run(transaction, write, run) {
      const table = acts.LIBRARY_ACTS[write.table] ?? null;
      const act = table?.[write.kind]?.({
        path: tryGetCurrentAuthEndpointContext()?.path ?? "",
        values: write.values,
        current: currentSession(),
      }) ?? null;
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
          // A sign-in is complete only after the second factor.
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

/** Makes a scene whose events are logged. */
export function recordedScene(
  input: Parameters<typeof eventScene>[0] & { readonly project: ProjectModel },
): ReturnType<typeof eventScene> {
  const isOn = sendsNotices(input.project.email);
  return eventScene(input, async (transaction, event, subject, ended) => {
    const told = acts.actOf(event, subject, ended);
    if (told === null) return;
    // The notice goes to the former address, since the change may be somebody else's.
    const to = "email" in subject ? subject.email : undefined;
    await record(transaction, told.userId, told.act, isOn, to);
  });
}

/**
 * Answers a request that is not the library's own. Its acts are recorded as those of the library's routes are, with the origin,
 * and its notices are sent at the end.
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

/** Returns the origin of a request from the headers that the library receives. */
export function originIn(headers: Headers | undefined): RequestOrigin {
  return {
    clientIp: headers?.get(CLIENT_IP_HEADER) ?? null,
    userAgent: headers?.get("user-agent") ?? null,
    languages: headers?.get("accept-language") ?? null,
  };
}

/** Records an event and returns its id. */
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

function currentSession(): acts.WriteCall["current"] {
  const session = tryGetCurrentAuthEndpointContext()?.context.session ?? null;
  return session && { userId: session.user.id, sessionId: session.session.id };
}

/** Reads the rows of a table, with the expressions that its acts need. */
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
