/**
 * Serves `POST {apiBase}/changeset`: several writes of several resources in one transaction, all or nothing (definitions 7).
 * Each operation passes every layer of its own route; the first refusal is the answer, with `details.failedAt`.
 */
import { HEADERS } from "../../../contract/mod.ts";
import { exactJsonText, type JsonObject } from "../../../lib/json.ts";
import { keepsHistory, type ProjectModel } from "../../../model/mod.ts";
import type { ActionImplementations } from "../../../surface/mod.ts";
import { changesetOperationsOf, isOtherSpelling, type SystemRoute } from "../../../surface/mod.ts";
import type { BodySource, RequestContext } from "../../context.ts";
import { databaseWithin } from "../../data/within.ts";
import type { Admitted, PartRequest } from "../../gate.ts";
import type { Database } from "../../ports.ts";
import { Refusal, requireQuery } from "../../refusal.ts";
import { jsonResponse } from "../../response/record.ts";
import type { Handlers } from "../../route_endpoints.ts";
import { refusedEnd } from "../actions/action_audit.ts";
import type { AuditTrail, Ended } from "../actions/audit_trail.ts";
import { refuseCondition } from "../write_record.ts";
import { keyedWrite } from "../keyed_write.ts";
import type { ChangesetOperation, Results } from "./read_changeset.ts";
import { readChangeset, Reference, refuseAt, resolved } from "./read_changeset.ts";
import { type ChangesetRoutes, changesetRoutes, type PartCall } from "./routes.ts";

export function changesetHandlers(
  project: ProjectModel,
  implementations: ActionImplementations,
): Handlers<"serviceChangeset"> {
  const [operation] = changesetOperationsOf(project);
  if (!operation) return { serviceChangeset: null };
  const routes = changesetRoutes(project, implementations);
  return {
    serviceChangeset: {
      name: "changeset",
      readsQuery: true,
      // Each operation costs a token of the rate limit by itself.
      gate: { hasMiddlewares: true, home: "either", isAudited: keepsHistory(project) },
      async handle(request) {
        const draft = await draftOf(request, operation, routes);
        return await applyChangeset(inOneHome(request, draft), draft);
      },
    },
  };
}

/**
 * Returns the request in the one database that all its operations write (definitions 2, `tenancy`). Refuses with
 * `VALIDATION_ERROR` a changeset for two databases: no transaction spans both.
 */
function inOneHome(request: Admitted, draft: Draft): Admitted {
  if (request.place === null || draft.kind === "refused") return request;
  const homes = draft.operations.map(({ route }) => route.home);
  if (homes.every((home) => home === "directory")) return request.at("directory");
  const at = homes.indexOf("directory");
  if (at < 0) return request;
  return refuseAt(
    at,
    ["resource"],
    "Belongs to no organization, and others of the changeset do: their rows stand in different databases",
  );
}

async function applyChangeset(request: Admitted, draft: Draft): Promise<Response> {
  // Runs before the transaction opens: a transaction awaits nothing but its database.
  const parts = draft.kind === "changeset" ? await letIn(request, draft.operations) : [];
  const trails = new ChangesetTrails();
  const perform = ({ database }: Admitted) => {
    if (request.headers.has(HEADERS.ifMatch) || request.headers.has(HEADERS.ifNoneMatch)) {
      refuseCondition("A changeset has no one record that a condition could name");
    }
    if (draft.kind === "refused") throw draft.refusal;
    return performAll(parts, { database, trails });
  };
  try {
    // The changeset runs once per `Idempotency-Key`, where there is one.
    if (!request.headers.has(HEADERS.idempotencyKey)) {
      return await request.database.write(
        (transaction) => perform(request.on(databaseWithin(transaction))),
        { unbounded: "write" },
      );
    }
    const requireAccess = () => {
      for (const { operation: { route } } of parts) route.requireAccess({ request, id: "" });
    };
    const write = { request, operation: "changeset", takesBody: true, isUnbounded: true };
    return (await keyedWrite({ ...write, perform, requireAccess })).response;
  } catch (error) {
    await trails.undone(error);
    throw error;
  }
}

type Draft =
  | { readonly kind: "changeset"; readonly operations: readonly ChangesetOperation[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };

async function draftOf(
  request: RequestContext,
  operation: SystemRoute,
  routes: ChangesetRoutes,
): Promise<Draft> {
  try {
    requireQuery(operation, request.search);
    const body = await request.body.object();
    return { kind: "changeset", operations: readChangeset(body, routes) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", refusal: error };
    throw error;
  }
}

/** One admitted operation. Its input is complete once the operations before it have answered. */
interface Part {
  readonly operation: ChangesetOperation;
  readonly admit: (asked: PartRequest) => Admitted;
}

/** Admits the operations. Each costs its own token of the rate limit, whether or not the changeset is refused later. */
async function letIn(
  request: Admitted,
  operations: readonly ChangesetOperation[],
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const operation of operations) {
    parts.push({ operation, admit: await request.part(operation.route.rate) });
  }
  return parts;
}

interface Transacted {
  readonly database: Database;
  readonly trails: ChangesetTrails;
}

async function performAll(parts: readonly Part[], transacted: Transacted): Promise<Response> {
  const results = new Map<string, JsonObject>();
  const texts: string[] = [];
  for (const part of parts) {
    const text = await perform(part, { ...transacted, results });
    texts.push(text);
    const { as } = part.operation;
    if (as !== null) results.set(as, recordIn(text));
  }
  return jsonResponse(`{"results":[${texts.join(",")}]}`, 200);
}

function recordIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Runs an operation; returns the answer of its own route, as JSON text. */
async function perform(part: Part, { database, trails, results }: Transacted & {
  readonly results: Results;
}): Promise<string> {
  const { at, route } = part.operation;
  const call = callOf(part, results);
  const audit = trails.begun(at, route.audit(call));
  try {
    const inside = { ...call, request: call.request.on(database) };
    const response = await route.run(inside, audit);
    const text = await response.text();
    if (response.status >= 400) throw authoredStop(text, response.status);
    return text;
  } catch (error) {
    if (error instanceof Refusal) throw refusalAt(at, error);
    throw error;
  }
}

/**
 * Returns the refusal for a refusal by the action's own code. That code is not one of the service's, so it goes into the
 * details.
 */
function authoredStop(text: string, status: number): Refusal {
  const errorDetails: JsonObject = recordIn(text);
  const reason = String(errorDetails["error"]);
  return new Refusal("BATCH_FAIL_FAST_STOPPED", {
    detail: `The action refused: ${reason}`,
    details: { reason, status, errorDetails: JSON.parse(text) },
    hint: "Nothing of the changeset was done",
  });
}

function callOf({ operation, admit }: Part, results: Results): PartCall {
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
  const request = admit({
    method: route.method,
    path: route.path.replace(":id", () => encodeURIComponent(id)),
    search: "",
    body: readBody(Object.fromEntries(fields)),
  });
  return { request, id };
}

/** Builds a body from a part of the changeset's body, which was read and bounded as a whole. */
function readBody(value: JsonObject): BodySource {
  return {
    bytes: () => Promise.resolve(new TextEncoder().encode(exactJsonText(value))),
    stream: () => null,
    object: () => Promise.resolve(value),
    patch: () => Promise.resolve({ fields: value, isMerged: false }),
    parsed: () => value,
    settle: () => Promise.resolve(),
  };
}

/** Returns the route's own refusal with the place of its operation in the changeset. */
function refusalAt(at: number, { code, options }: Refusal): Refusal {
  const { details, pointer, ...rest } = options;
  return new Refusal(code, {
    ...rest,
    details: { ...details, failedAt: at },
    ...(pointer === undefined ? {} : { pointer: `/operations/${at}/data${pointer}` }),
  });
}

/** The audit rows of a changeset's actions (contract 4.4 rule 3): they remain even when the changeset is undone. */
class ChangesetTrails {
  readonly #begun: { readonly at: number; readonly trail: AuditTrail }[] = [];

  /** Notes the trail of an operation, before the operation runs. */
  begun(at: number, trail: AuditTrail | null): AuditTrail | null {
    if (trail) this.#begun.push({ at, trail });
    return trail;
  }

  /** Writes the trails after the rollback: the refused operation with its own reason, the others as undone by it. */
  async undone(error: unknown): Promise<void> {
    const refused = refusedEnd(error);
    const failedAt = error instanceof Refusal ? error.options.details?.["failedAt"] : undefined;
    for (const { at, trail } of this.#begun) {
      const ended: Ended = at === failedAt ? refused : { result: "error", code: refused.code };
      await trail.end(ended);
    }
  }
}
