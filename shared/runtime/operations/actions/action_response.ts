/**
 * Answers an action with its masked result, or with the refusal or error that ended its code (contract 4.4 rules 1, 4 and 6;
 * 7.2).
 */
import { exactJsonText } from "../../../lib/json.ts";
import { mayQueryBy } from "../../../surface/mod.ts";
import {
  type AuthoredRefusal,
  authoredRefusal,
  authoredResponse,
  isTransitionLost,
} from "../../authored/authored_refusal.ts";
import { LivingChildrenError } from "../../data/living_children.ts";
import { ScopedReferenceError } from "../../data/scoped_db/scoped_reference_error.ts";
import { ConstraintError, type ConstraintKind } from "../../ports.ts";
import { Refusal } from "../../refusal.ts";
import { jsonResponse } from "../../response/record.ts";
import { childrenRefusal, columnNamed, overflownTotal } from "../../records/constraint_refusal.ts";
import type { ActionCall } from "./action_plan.ts";
import { begunBody, deadlineOf } from "./first_byte.ts";
import { watchedStream } from "./watched_stream.ts";
import {
  type GivenRow,
  type Hide,
  hidingRenamed,
  maskedResult,
  type Viewer,
} from "./masked_result.ts";
import type { ActionAnswer, Performed, ReadyAction } from "./run_handler.ts";

const EVENT_STREAM = "text/event-stream";

/** Builds the answer of an action. Only streams and files answer with the handler's own response (contract 4.4 rule 4). */
export function actionAnswer(done: Performed, ready: ReadyAction): ActionAnswer {
  const { call } = ready;
  const { status, action: { responseType } } = call.plan.operation;
  if (responseType === "json") {
    return { response: jsonResponse(resultText(done, ready), status), begun: null };
  }
  const { body, ...init } = ownAnswer(done.value, responseType);
  const deadline = done.deadline ?? deadlineOf(call);
  if (body === null) {
    deadline.stop();
    return { response: new Response(null, init), begun: null };
  }
  const { source, begun } = begunBody(body, deadline);
  return { response: new Response(watchedStream(source, call), init), begun };
}

function ownAnswer(value: unknown, responseType: string) {
  if (value instanceof Response) {
    // The headers of a `Response` that `fetch` returned cannot be changed.
    return { body: value.body, status: value.status, headers: new Headers(value.headers) };
  }
  if (responseType === "stream" && value instanceof ReadableStream) {
    return { body: value, status: 200, headers: new Headers({ "content-type": EVENT_STREAM }) };
  }
  throw new TypeError(`A handler of a ${responseType} must return a Response`);
}

/** Returns the result as JSON text, masked for the caller. */
export function resultText({ value, given, origins }: Performed, ready: ReadyAction): string {
  const { call, caller: { principal }, input } = ready;
  const { project } = call.request.app;
  const hide = origins && hidingRenamed(origins, { project, principal });
  return exactJsonText(masked(plainJson(value, hide), call, { given, input }));
}

/** Returns the value as plain JSON. No value, or a response of the handler's own, becomes an empty object. */
function plainJson(value: unknown, hide: Hide | null = null): unknown {
  if (value === undefined || value instanceof Response) return {};
  const text = JSON.stringify(value, hide ?? undefined);
  return text === undefined ? {} : JSON.parse(text);
}

function masked(
  json: unknown,
  { request: { app, principal } }: Pick<ActionCall, "request">,
  known: { readonly given: readonly GivenRow[]; readonly input: unknown },
): unknown {
  return maskedResult(json, { sources: app.handlers.maskSources, principal, ...known });
}

/** Returns the response to an error that the action's code threw, or to its refusal. */
export function endedBy(error: unknown, call: ActionCall): Response {
  if (error instanceof Refusal) throw error;
  const refusal = authoredRefusal(error);
  if (refusal) return authoredResponse(refusal, detailsShown(refusal, call));
  throw refusalOf(error, call);
}

/**
 * Returns the details of an author's refusal as JSON, masked for this caller. Details that are not JSON end the action as any
 * thrown error does.
 */
export function detailsShown(
  { details }: AuthoredRefusal,
  call: Pick<ActionCall, "request">,
): unknown {
  if (details === undefined) return undefined;
  try {
    return masked(plainJson(details), call, { given: [], input: null });
  } catch (error) {
    throw refusalOf(error, call);
  }
}

/** Describes the refusal of one record of several by the author's own code. */
export function authoredItem(refusal: AuthoredRefusal, call: Pick<ActionCall, "request">) {
  const { message, code } = refusal;
  const details = detailsShown(refusal, call) ?? {};
  return { error: message, layer: "action", code, details, hint: "" };
}

/** Returns the refusal for a thrown error. It names nothing of the error but its class (contract 7.2). */
export function refusalOf(
  error: unknown,
  { request: { app: { project }, principal } }: Pick<ActionCall, "request">,
): Refusal {
  if (error instanceof Refusal) return error;
  if (isTransitionLost(error)) return new Refusal("ACCESS_TRANSITION_LOST", { cause: error });
  return databaseRefusal(error, { project, principal }) ??
    new Refusal("ACTION_EXECUTION_FAILED", {
      details: { name: classNameOf(error) },
      cause: error,
    });
}

const NAME = /^[A-Za-z_$][\w$]{0,99}$/;

function classNameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { name } = error.constructor;
  return NAME.test(name) ? name : "Error";
}

/**
 * Returns the refusal for a database error that a handler did not catch (contract 7.2, layer `database`), with the same codes
 * as for any other write. Null for an error that says nothing about the request.
 */
function databaseRefusal(error: unknown, writes: Viewer): Refusal | null {
  if (error instanceof ScopedReferenceError) return referenceRefusal(error);
  if (!(error instanceof ConstraintError)) return null;
  if (error instanceof LivingChildrenError) return childrenRefusal(error);
  const total = overflownTotal(error);
  if (total !== null) return new Refusal("VALIDATION_ERROR", { detail: total, cause: error });
  const code = CODES[error.kind];
  if (code === null) return null;
  const column = code === "DB_REFERENCE_VIOLATION" ? null : shownColumn(error, writes);
  return new Refusal(code, {
    cause: error,
    ...(column === null ? {} : { details: { column } }),
  });
}

/**
 * Codes of database constraints. A CHECK has none: it is the author's own rule or the service's, and no caller can know of it.
 */
const CODES = {
  unique: "DB_UNIQUE_VIOLATION",
  primaryKey: "DB_UNIQUE_VIOLATION",
  notNull: "DB_NOT_NULL_VIOLATION",
  foreignKey: "DB_REFERENCE_VIOLATION",
  check: null,
} as const satisfies Readonly<Record<ConstraintKind, string | null>>;

/** Refuses a reference. The message is the same for a missing, a foreign and a deleted record. */
function referenceRefusal(error: ScopedReferenceError): Refusal {
  const { column, wanted } = error;
  const fields = { [column]: `Must be ${wanted}` };
  return new Refusal("VALIDATION_ERROR", { details: { column, fields }, cause: error });
}

/** Returns the column to name in the refusal; null where the driver named none, or where the caller may not query by it. */
function shownColumn(error: ConstraintError, { project, principal }: Viewer) {
  const table = project.tables.find((one) =>
    error.subjects.some((subject) =>
      subject.startsWith(`${one.sqlName}.`) || one.indexes.some(({ name }) => name === subject)
    )
  );
  const resource = project.resources.find((one) => one.table === table?.name);
  if (!table || !resource) return null;
  const column = columnNamed(error, table);
  return column !== null && mayQueryBy(column, resource, principal) ? column : null;
}
