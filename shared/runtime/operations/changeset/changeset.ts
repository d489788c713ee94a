/**
 * `POST {apiBase}/changeset`: several writes of several resources in one transaction, all or nothing (definitions 7). Each
 * goes through every layer of its own route; the first refusal is the answer, with `details.failedAt`.
 */
import { HEADERS } from "../../../contract/headers.ts";
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import { CHANGESET_OPS, type ChangesetOp, changesetPath } from "../../../surface/changeset.ts";
import type { BodySource, Call, JsonObject, RequestContext } from "../../context.ts";
import { databaseWithin } from "../../data/within.ts";
import { limitRate } from "../../layers/2-rate-limit/limit_rate.ts";
import { requireOrganization } from "../../layers/3-firewall/scope.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import type { Database } from "../../ports.ts";
import { Refusal, refuse } from "../../refusal.ts";
import { jsonResponse } from "../../response/record.ts";
import type { Endpoint } from "../../router.ts";
import { onDatabase, refuseCondition } from "../conditional_write.ts";
import { operationRoutes, type Route } from "../endpoints.ts";
import { keyedWrite } from "../keyed_write.ts";
import {
  type ChangesetOperation,
  type ChangesetRoutes,
  readChangeset,
  refuseAt,
} from "./read_changeset.ts";
import { Reference, resolved, type Results } from "./references.ts";

export function changesetEndpoints(project: ProjectModel): readonly Endpoint[] {
  if (!project.changeset) return [];
  const routes = changesetRoutes(project);
  return [{
    id: "changeset",
    method: "POST",
    path: changesetPath(project),
    handle: (request) => applyChangeset(request, routes),
  }];
}

function changesetRoutes(project: ProjectModel): ChangesetRoutes {
  const routes = new Map<string, Map<ChangesetOp, ReturnType<typeof operationRoutes>[number]>>();
  for (const route of operationRoutes(project)) {
    const { kind, resource } = route.plan.operation;
    const op = CHANGESET_OPS.find((name) => name === kind);
    if (!op) continue;
    const ops = routes.get(resource.name) ?? new Map<ChangesetOp, Route>();
    ops.set(op, route);
    // A segment that is also a name is that resource's own.
    routes.set(resource.name, ops).set(resource.segment, ops);
  }
  return routes;
}

async function applyChangeset(
  request: RequestContext,
  routes: ChangesetRoutes,
): Promise<Response> {
  const principal = await request.app.identify(request);
  if (principal.credential === "none") refuse("AUTH_MISSING");
  // Before the transaction opens: nothing foreign is awaited inside it.
  const draft = await draftOf(request, routes);
  if (draft.kind === "changeset") await takeTokens(request, principal, draft.operations);
  const perform = (database: Database) => {
    requireNoCondition(request);
    if (draft.kind === "refused") throw draft.refusal;
    return performAll(onDatabase(request, database), principal, draft.operations);
  };
  if (request.headers.has(HEADERS.idempotencyKey)) {
    const requireAccess = () =>
      draft.kind === "changeset" && requireRoles(request, principal, draft.operations);
    const write = { request, principal, operation: "changeset", takesBody: true };
    return (await keyedWrite({ ...write, perform, requireAccess })).response;
  }
  const { database } = request.app.ports;
  return await database.write((transaction) => perform(databaseWithin(transaction)));
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
  for (const { route: { plan } } of operations) {
    await limitRate({ request, plan }, principal);
  }
}

function requireRoles(
  request: RequestContext,
  principal: Principal,
  operations: readonly ChangesetOperation[],
): void {
  for (const { route: { plan } } of operations) {
    const call: Call = { request, plan, id: "" };
    requireOrganization(call, principal);
    requireRole(call, principal);
  }
}

async function performAll(
  request: RequestContext,
  principal: Principal,
  operations: readonly ChangesetOperation[],
): Promise<Response> {
  const results = new Map<string, JsonObject>();
  const texts: string[] = [];
  for (const operation of operations) {
    const text = await perform(operation, { request, principal, results });
    texts.push(text);
    if (operation.as !== null) results.set(operation.as, recordIn(text));
  }
  return jsonResponse(`{"results":[${texts.join(",")}]}`, 200);
}

function recordIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

interface Progress {
  readonly request: RequestContext;
  readonly principal: Principal;
  readonly results: Results;
}

/** What the operation's own route answers, as JSON text. */
async function perform(operation: ChangesetOperation, progress: Progress): Promise<string> {
  const { at, route } = operation;
  const call = callOf(operation, progress);
  try {
    const response = await route.handle(call);
    return await response.text();
  } catch (error) {
    if (error instanceof Refusal) throw refusalAt(at, error);
    throw error;
  }
}

function callOf(operation: ChangesetOperation, { request, principal, results }: Progress): Call {
  const { at, route: { plan }, id, data } = operation;
  const value = (one: unknown, path: readonly string[]) => {
    if (!(one instanceof Reference)) return one;
    const found = resolved(one, results);
    return found === undefined
      ? refuseAt(at, path, `The result "${one.name}" has no "${one.member}"`)
      : found;
  };
  const fields = data.map(([field, one]) => [field, value(one, ["data", field])] as const);
  return {
    plan,
    id: id === null ? "" : String(value(id, ["id"])),
    admitted: principal,
    request: {
      ...request,
      method: plan.operation.method,
      path: plan.operation.path,
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
