/** Answers an action: its masked result, or the end that its code gave it (contract 4.4 rules 1, 4 and 6; 7.2). */
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

/** Only streams and files answer with what the handler made itself (contract 4.4 rule 4). */
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
    // The headers of a response from elsewhere cannot be changed.
    return { body: value.body, status: value.status, headers: new Headers(value.headers) };
  }
  if (responseType === "stream" && value instanceof ReadableStream) {
    return { body: value, status: 200, headers: new Headers({ "content-type": EVENT_STREAM }) };
  }
  throw new TypeError(`A handler of a ${responseType} must return a Response`);
}

/** The JSON text of the result as its caller may see it. */
export function resultText({ value, given, origins }: Performed, ready: ReadyAction): string {
  const { call, caller: { principal }, input } = ready;
  const { project } = call.request.app;
  const hide = origins && hidingRenamed(origins, { project, principal });
  return exactJsonText(masked(plainJson(value, hide), call, { given, input }));
}

/** Nothing, and a response of the handler's own, are an empty object. */
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

/** The answer to whatever the action's code threw, or its refusal. */
export function endedBy(error: unknown, call: ActionCall): Response {
  if (error instanceof Refusal) throw error;
  const refusal = authoredRefusal(error);
  if (refusal) return authoredResponse(refusal, detailsShown(refusal, call));
  throw refusalOf(error, call);
}

/** The details of an author's refusal as JSON for this caller; details that are none end the action as any throw does. */
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

/** Refusal of one record of several, by the author's own code. */
export function authoredItem(refusal: AuthoredRefusal, call: Pick<ActionCall, "request">) {
  const { message, code } = refusal;
  const details = detailsShown(refusal, call) ?? {};
  return { error: message, layer: "action", code, details, hint: "" };
}

/** Nothing of what was thrown but its class's name (contract 7.2). */
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
 * Refusal for a database error that a handler did not catch (contract 7.2, layer `database`): the same codes as for any
 * other write. Null for an error that says nothing of the request.
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

/** A check is the author's own rule, or ours: nothing that a caller could know of. */
const CODES = {
  unique: "DB_UNIQUE_VIOLATION",
  primaryKey: "DB_UNIQUE_VIOLATION",
  notNull: "DB_NOT_NULL_VIOLATION",
  foreignKey: "DB_REFERENCE_VIOLATION",
  check: null,
} as const satisfies Readonly<Record<ConstraintKind, string | null>>;

/** The same words for a missing, a foreign and a deleted record. */
function referenceRefusal(error: ScopedReferenceError): Refusal {
  const { column, wanted } = error;
  const fields = { [column]: `Must be ${wanted}` };
  return new Refusal("VALIDATION_ERROR", { details: { column, fields }, cause: error });
}

/** Null where the driver named none, or one by which the caller may not ask. */
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
