/**
 * `POST {apiBase}/changeset`: several writes of several resources in one transaction, all or nothing (definitions 7). Each
 * goes through every layer of its own route; the first refusal is the answer, with `details.failedAt`.
 */
import { HEADERS } from "../../../contract/headers.ts";
import type { JsonObject } from "../../../lib/json_object.ts";
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { ActionImplementations } from "../../../surface/action_implementation.ts";
import { changesetPath } from "../../../surface/changeset.ts";
import { isOtherSpelling } from "../../../surface/id_spelling.ts";
import type { BodySource, RequestContext } from "../../context.ts";
import { databaseWithin } from "../../data/within.ts";
import { limitRate } from "../../layers/2-rate-limit/limit_rate.ts";
import type { Database } from "../../ports.ts";
import { Refusal, refuse } from "../../refusal.ts";
import { jsonResponse } from "../../response/record.ts";
import type { Endpoint } from "../../router.ts";
import { onDatabase, refuseCondition } from "../conditional_write.ts";
import { keyedWrite } from "../keyed_write.ts";
import { type ChangesetOperation, readChangeset, refuseAt } from "./read_changeset.ts";
import { Reference, resolved, type Results } from "./references.ts";
import { type ChangesetRoutes, changesetRoutes, type PartCall } from "./routes.ts";
import { ChangesetTrails } from "./trails.ts";

export function changesetEndpoints(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly Endpoint[] {
  if (!project.changeset) return [];
  const routes = changesetRoutes(project, implementations);
  return [{
    id: "changeset",
    method: "POST",
    path: changesetPath(project),
    handle: (request) => applyChangeset(request, routes),
  }];
}

async function applyChangeset(
  request: RequestContext,
  routes: ChangesetRoutes,
): Promise<Response> {
  const principal = await request.app.identify(request);
  if (principal.credential === "none") refuse("AUTH_MISSING");
  await request.pass(principal);
  // Before the transaction opens: nothing foreign is awaited inside it.
  const draft = await draftOf(request, routes);
  if (draft.kind === "changeset") await takeTokens(request, principal, draft.operations);
  const trails = new ChangesetTrails();
  const perform = (database: Database) => {
    requireNoCondition(request);
    if (draft.kind === "refused") throw draft.refusal;
    return performAll({ request, database, principal, trails }, draft.operations);
  };
  try {
    return await performed({ request, principal, draft, perform });
  } catch (error) {
    await trails.undone(error);
    throw error;
  }
}

interface Application {
  readonly request: RequestContext;
  readonly principal: Principal;
  readonly draft: Draft;
  readonly perform: (database: Database) => Promise<Response>;
}

/** Once per `Idempotency-Key`, where there is one. */
async function performed(
  { request, principal, draft, perform }: Application,
): Promise<Response> {
  const { database } = request.app.ports;
  if (!request.headers.has(HEADERS.idempotencyKey)) {
    return await database.write((transaction) => perform(databaseWithin(transaction)));
  }
  const requireAccess = () => {
    for (const { route } of draft.kind === "changeset" ? draft.operations : []) {
      route.requireAccess({ request, principal, id: "" });
    }
  };
  const write = { request, principal, operation: "changeset", takesBody: true };
  return (await keyedWrite({ ...write, perform, requireAccess })).response;
}

type Draft =
  | { readonly kind: "changeset"; readonly operations: readonly ChangesetOperation[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };

async function draftOf(request: RequestContext, routes: ChangesetRoutes): Promise<Draft> {
  try {
    requireNoQuery(request);
    const body = await request.body.object();
    return { kind: "changeset", operations: readChangeset(body, routes) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", refusal: error };
    throw error;
  }
}

function requireNoQuery({ search }: RequestContext): void {
  const [parameter] = new URLSearchParams(search).keys();
  if (parameter === undefined) return;
  refuse("VALIDATION_INVALID_INPUT", {
    detail: `Unknown parameter "${parameter}"`,
    details: { parameter },
    hint: "Leave it out: a changeset takes no parameters",
  });
}

function requireNoCondition({ headers }: RequestContext): void {
  if (headers.has(HEADERS.ifMatch) || headers.has(HEADERS.ifNoneMatch)) {
    refuseCondition("A changeset has no one record that a condition could name");
  }
}

/** Each operation costs its own token, whether or not the changeset is refused later. */
async function takeTokens(
  request: RequestContext,
  principal: Principal,
  operations: readonly ChangesetOperation[],
): Promise<void> {
  for (const { route: { gate } } of operations) {
    await limitRate({ request, plan: gate }, principal);
  }
}

interface Transacted {
  /** Not on the transaction itself. */
  readonly request: RequestContext;
  readonly database: Database;
  readonly principal: Principal;
  readonly trails: ChangesetTrails;
}

async function performAll(
  transacted: Transacted,
  operations: readonly ChangesetOperation[],
): Promise<Response> {
  const results = new Map<string, JsonObject>();
  const texts: string[] = [];
  for (const operation of operations) {
    const text = await perform(operation, { ...transacted, results });
    texts.push(text);
    if (operation.as !== null) results.set(operation.as, recordIn(text));
  }
  return jsonResponse(`{"results":[${texts.join(",")}]}`, 200);
}

function recordIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

interface Progress extends Transacted {
  readonly results: Results;
}

/** What the operation's own route answers, as JSON text. */
async function perform(operation: ChangesetOperation, progress: Progress): Promise<string> {
  const { at, route } = operation;
  const { database, trails } = progress;
  const call = callOf(operation, progress);
  const audit = trails.begun(at, route.audit(call));
  try {
    const inside = { ...call, request: onDatabase(call.request, database) };
    const response = await route.run(inside, audit);
    const text = await response.text();
    if (response.status >= 400) throw authoredStop(text, response.status);
    return text;
  } catch (error) {
    if (error instanceof Refusal) throw refusalAt(at, error);
    throw error;
  }
}

/** What the action's own code refused with: its code is none of ours, so it stands in the details. */
function authoredStop(text: string, status: number): Refusal {
  const errorDetails: JsonObject = recordIn(text);
  const reason = String(errorDetails["error"]);
  return new Refusal("BATCH_FAIL_FAST_STOPPED", {
    detail: `The action refused: ${reason}`,
    details: { reason, status, errorDetails: JSON.parse(text) },
    hint: "Nothing of the changeset was done",
  });
}

function callOf(
  operation: ChangesetOperation,
  { request, principal, results }: Progress,
): PartCall {
  const { at, route, data } = operation;
  const value = (one: unknown, path: readonly string[]) => {
    if (!(one instanceof Reference)) return one;
    const found = resolved(one, results);
    return found === undefined
      ? refuseAt(at, path, `The result "${one.name}" has no "${one.member}"`)
      : found;
  };
  const fields = data.map(([field, one]) => [field, value(one, ["data", field])] as const);
  const id = operation.id === null ? "" : String(value(operation.id, ["id"]));
  if (route.bound && isOtherSpelling(id, route.bound.idStrategy)) {
    refuseAt(at, ["id"], "Must be the id as the API spells it");
  }
  return {
    principal,
    id,
    request: {
      ...request,
      method: route.method,
      path: route.path.replace(":id", () => encodeURIComponent(id)),
      search: "",
      body: readBody(Object.fromEntries(fields)),
    },
  };
}

/** A part of a body that was read and bounded as a whole. */
function readBody(value: JsonObject): BodySource {
  return {
    bytes: () => Promise.resolve(new TextEncoder().encode(JSON.stringify(value))),
    object: () => Promise.resolve(value),
    patch: () => Promise.resolve({ fields: value, isMerged: false }),
    parsed: () => value,
    settle: () => Promise.resolve(),
  };
}

/** The route's own refusal, told in terms of the changeset. */
function refusalAt(at: number, { code, options }: Refusal): Refusal {
  const { details, pointer, ...rest } = options;
  return new Refusal(code, {
    ...rest,
    details: { ...details, failedAt: at },
    ...(pointer === undefined ? {} : { pointer: `/operations/${at}/data${pointer}` }),
  });
}
