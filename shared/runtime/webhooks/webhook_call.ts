/**
 * One call of a webhook route: who calls, within what, and with which query; the layers in their order (contract 1.3, 4.5).
 * Refuses with `AUTH_MISSING`, `RATE_LIMITED`, `ACCESS_ROLE_REQUIRED` and `VALIDATION_INVALID_INPUT`.
 */
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../contract/limits.ts";
import { pointerTo } from "../../lib/json_pointer.ts";
import { actorOf, type Principal } from "../../model/principal.ts";
import { callerKey, resourceBucket } from "../../surface/rate_buckets.ts";
import type { SealedCursor } from "../../surface/query.ts";
import type { WebhookOperation } from "../../surface/webhook_operations.ts";
import type { RequestContext } from "../context.ts";
import type { WebhookScope } from "../data/webhooks/endpoints.ts";
import { requireAdmission, rolesHeldBy } from "../layers/4-access/require_role.ts";
import type { WebhookPorts } from "../ports.ts";
import { refuse } from "../refusal.ts";

export interface WebhookCall extends IdentifiedCall {
  readonly query: WebhookQuery;
}

export interface IdentifiedCall extends UnjudgedCall {
  readonly principal: Principal;
  /** The active organization; without one, the user. */
  readonly scope: WebhookScope;
}

interface WebhookQuery {
  readonly limit: number;
  readonly offset: number;
  /** Null: by offset. */
  readonly cursor: SealedCursor | null;
  readonly status: string | null;
}

export interface UnjudgedCall {
  readonly request: RequestContext;
  readonly ports: WebhookPorts;
  /** Of the path; empty where the path has none. */
  readonly id: string;
}

/** The call once authentication and rate limit let it pass. */
export async function identifiedCall(
  operation: WebhookOperation,
  call: UnjudgedCall,
): Promise<IdentifiedCall> {
  const { request } = call;
  const principal = await request.app.identify(request);
  const scope = scopeOf(principal);
  await request.pass(principal);
  await limitRate(operation, request, principal);
  return { ...call, principal, scope };
}

/** The call once access and validation of its query let it pass. */
export function admittedCall(operation: WebhookOperation, call: IdentifiedCall): WebhookCall {
  requireAccess(operation, call);
  return { ...call, query: readQuery(operation, call.request.search) };
}

/** A user's own endpoints are the user's own affair; what belongs to an organization or to the service is not. */
export function requireAccess(
  { kind, roles }: WebhookOperation,
  { principal, scope }: IdentifiedCall,
): void {
  if (scope.kind === "user" && !kind.includes("Inbound")) return;
  requireAdmission({ kind: "roles", roles }, principal);
}

function scopeOf(principal: Principal): WebhookScope {
  const { credential, organizationId, userId } = principal;
  if (credential === "none") return refuse("AUTH_MISSING");
  if (organizationId !== null) return { kind: "organization", id: organizationId };
  if (userId !== null) return { kind: "user", id: userId };
  return refuse("ACCESS_ROLE_REQUIRED", {
    detail: "Webhook endpoints belong to an organization or an account",
    details: { required: ["SESSION"], current: [...rolesHeldBy(principal)] },
  });
}

async function limitRate(
  { rate }: WebhookOperation,
  { app, clientIp }: RequestContext,
  principal: Principal,
): Promise<void> {
  const { limiter } = app.ports;
  const limit = rate === null ? null : app.project.rateLimits[rate];
  if (limiter === null || rate === null || limit === null) return;
  const key = resourceBucket("webhook-endpoints", rate, callerKey(actorOf(principal), clientIp));
  if (!await limiter.take(key, limit.limit, limit.period)) refuse("RATE_LIMITED");
}

function readQuery({ page }: WebhookOperation, search: string): WebhookQuery {
  const known = page === null
    ? []
    : ["limit", "offset", ...CURSORS, ...(page.statuses.length > 0 ? ["status"] : [])];
  const parameters = new URLSearchParams(search);
  for (const name of parameters.keys()) {
    if (!known.includes(name)) refuseQuery(`Unknown parameter "${name.slice(0, 64)}"`);
    if (parameters.getAll(name).length > 1) {
      refuseQuery(`Parameter "${name}" is given more than once`);
    }
  }
  const limit = readInteger("limit", parameters) ?? PAGE_SIZE_DEFAULT;
  const offset = readInteger("offset", parameters) ?? 0;
  if (offset < 0) refuseQuery('Parameter "offset" needs an integer of at least 0');
  return {
    limit: Math.min(Math.max(limit, PAGE_SIZE_MIN), PAGE_SIZE_MAX),
    offset,
    cursor: readCursor(parameters),
    status: readStatus(page?.statuses ?? [], parameters),
  };
}

const CURSORS = ["starting_after", "ending_before"] as const;

function readCursor(parameters: URLSearchParams): SealedCursor | null {
  const [parameter, other] = CURSORS.filter((name) => parameters.has(name));
  if (parameter === undefined) return null;
  if (other !== undefined || parameters.has("offset")) {
    return refuseQuery(`Parameter "${parameter}" is not for use with "${other ?? "offset"}"`);
  }
  const direction = parameter === "starting_after" ? "after" : "before";
  return { parameter, direction, text: parameters.get(parameter) ?? "" };
}

function readInteger(name: string, parameters: URLSearchParams): number | null {
  const text = parameters.get(name);
  if (text === null) return null;
  if (!/^-?\d+$/.test(text)) return refuseQuery(`Parameter "${name}" needs an integer`);
  return Math.min(Math.max(Number(text), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

function readStatus(statuses: readonly string[], parameters: URLSearchParams): string | null {
  const text = parameters.get("status");
  if (text === null || statuses.includes(text)) return text;
  return refuseQuery(`Parameter "status" needs one of ${statuses.join(", ")}`);
}

function refuseQuery(detail: string): never {
  return refuse("VALIDATION_INVALID_INPUT", { detail });
}

/** Refuses a member of a body, or the body for it. */
export function refuseField(name: string, message: string): never {
  return refuse("VALIDATION_ERROR", {
    detail: message,
    details: { fields: { [name]: message } },
    pointer: pointerTo(name),
  });
}
