/** The account routes, served by a library behind its port (definitions 7, "auth routes"). */
import { type AuthOperation, authOperationsOf } from "../../surface/auth_operations.ts";
import type { AppContext, RequestContext } from "../context.ts";
import { type Admitted, type Endpoint, refuseMissing, serviceGate } from "../gate.ts";
import { requireOwnOrigin } from "../layers/1-authentication/own_origin.ts";
import {
  createDeleteOrganization,
  type DeleteOrganization,
} from "../operations/delete_organization.ts";
import { type Accounts, ConstraintError } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Router } from "../router.ts";
import { knownBody, knownQuery } from "./account_request.ts";
import { challengedAccount, passwordAttempt, refuseTooMany } from "./password_attempts.ts";

/** Finds the account routes, below the auth base and its alias. */
export function accountRouter(
  { project, ports: { accounts }, switches }: AppContext,
): Router {
  if (accounts === null) return () => null;
  const bases = [switches.authBase, switches.authAlias].filter((base) => base !== null);
  const means = {
    accounts,
    deleteOrganization: createDeleteOrganization(project, accounts),
  };
  const routes = authOperationsOf(project).map((operation) => ({
    endpoint: endpointOf(operation, means),
    segments: operation.path.split("/"),
  }));
  return (path) => {
    const base = bases.find((one) => path.startsWith(`${one}/`));
    if (base === undefined) return null;
    const sent = path.slice(base.length).split("/");
    const matching = routes.filter(({ segments }) => matches(segments, sent));
    if (matching.length === 0) return null;
    const endpoints = new Map(matching.map(({ endpoint }) => [endpoint.method, endpoint]));
    return { route: routeOf(sent, switches.authBase), endpoints, id: path.slice(base.length) };
  };
}

function matches(segments: readonly string[], sent: readonly string[]): boolean {
  return segments.length === sent.length &&
    segments.every((segment, place) =>
      segment.startsWith(":") ? sent[place] !== "" : segment === sent[place]
    );
}

/** `/auth/v1/verify-email`, `/auth/v1/reset-password/*`: what follows the first word may be a token. */
function routeOf([, name = "", ...rest]: readonly string[], base: string): string {
  return `${base}/${name}${rest.length > 0 ? "/*" : ""}`;
}

interface AccountMeans {
  readonly accounts: Accounts;
  readonly deleteOrganization: DeleteOrganization;
}

/** Its id is the path below the auth base. */
function endpointOf(operation: AuthOperation, means: AccountMeans): Endpoint {
  const { method, path } = operation;
  const { accounts } = means;
  return {
    id: "accounts",
    method,
    path,
    gate: serviceGate(operation),
    before(request) {
      if (accounts.hasSessionCookie(request.headers)) requireOwnOrigin(request);
    },
    handle: (request, path) => answerAccount(request, { operation, path, ...means }),
  };
}

/** One call of an account route. */
interface AccountCall extends AccountMeans {
  readonly operation: AuthOperation;
  /** Below the auth base. */
  readonly path: string;
}

/**
 * Hands the request over at its one address, when it is as described. Refuses with `AUTH_RATE_LIMITED` and what no description
 * allows; what the library itself refuses has the library's own form.
 */
async function answerAccount(
  request: Admitted,
  { operation, path, accounts, deleteOrganization }: AccountCall,
): Promise<Response> {
  const { app, search, headers, clientIp } = request;
  const { method } = operation;
  const query = knownQuery(operation, search);
  const url = `${app.settings.baseUrl}${app.switches.authBase}${path}${query}`;
  const known = operation.body === null ? null : await knownBody(operation, request);
  const body = known && JSON.stringify(known);
  const bytes = new TextEncoder().encode(body ?? "");
  const account = await challengedAccount(request, { path, bytes });
  const attempt = account === null ? null : await passwordAttempt(request, account);
  if (path === DELETE_ORGANIZATION) {
    const deleted = await deleteOrganization(request, known ?? {});
    await attempt?.giveBack();
    return deleted;
  }
  const asked = new Request(url, { method, headers, ...(body === null ? {} : { body }) });
  if (body !== null) asked.headers.set("content-type", "application/json");
  const answer = await handled(accounts.handle(asked, { clientIp }));
  if (answer.ok) await attempt?.giveBack();
  if (answer.status === 429) return refuseTooMany(path);
  return await withProblem(answer, request);
}

/** An organization's belongings are more than the account library knows of. */
const DELETE_ORGANIZATION = "/organization/delete";

/** An address or a slug that somebody else took between the library's look and its write. */
async function handled(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch (cause) {
    const isTaken = cause instanceof ConstraintError && cause.kind === "unique";
    if (isTaken) refuse("DB_UNIQUE_VIOLATION", { cause });
    throw cause;
  }
}

/** Gives the library's refusals without a body the form of this API's other refusals. */
async function withProblem(answer: Response, request: RequestContext): Promise<Response> {
  if (answer.status < 400) return new Response(answer.body, answer);
  const bytes = await answer.bytes();
  if (bytes.byteLength > 0) return new Response(bytes, answer);
  switch (answer.status) {
    case 400:
      return refuse("VALIDATION_ERROR");
    case 401:
      return refuseSession(request);
    case 404:
      return refuse("NOT_FOUND");
    default:
      throw new Error(`The account library answered ${answer.status} without a body`);
  }
}

function refuseSession({ headers, app }: RequestContext): never {
  const isOver = app.ports.accounts?.hasSessionCookie(headers) ?? false;
  return isOver ? refuse("AUTH_INVALID_TOKEN") : refuseMissing("session");
}
