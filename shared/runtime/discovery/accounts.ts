/** The account routes, served by a library behind its port (definitions 7, "auth routes"). */
import type { OnRouted } from "../../contract/routed_request.ts";
import type { RequestContext } from "../context.ts";
import { requireOwnOrigin } from "../layers/1-authentication/own_origin.ts";
import { ConstraintError } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { challengedAccount, passwordAttempt, refuseTooMany } from "./password_attempts.ts";
import { optionsResponse } from "../response/cors.ts";
import { knownBody, knownQuery } from "./account_request.ts";

/** The path below the auth base or its alias, with its slash; null for every other path. */
function accountsPath({ app, path }: RequestContext): string | null {
  if (app.ports.accounts === null) return null;
  const { authBase, authAlias } = app.switches;
  for (const base of [authBase, authAlias]) {
    if (base !== null && path.startsWith(`${base}/`)) return path.slice(base.length);
  }
  return null;
}

/**
 * Hands the request over at its one address, when its caller has the session that the route needs and it is as described.
 * Refuses with `ROUTE_NOT_FOUND`, `METHOD_NOT_ALLOWED`, `ORIGIN_FORBIDDEN`, `AUTH_MISSING`, `AUTH_INVALID_TOKEN`,
 * `AUTH_RATE_LIMITED` and what no description allows; what the library itself refuses has the library's own form.
 */
export async function accountsResponse(
  context: RequestContext,
  onRouted?: OnRouted,
): Promise<Response> {
  const { app, search, headers, clientIp, requestId } = context;
  const { accounts } = app.ports;
  const path = accountsPath(context) ?? refuse("ROUTE_NOT_FOUND");
  const operations = app.accountRoutes(path);
  if (accounts === null || operations.size === 0) return refuse("ROUTE_NOT_FOUND");
  onRouted?.({ method: context.method, route: routeOf(path, context), requestId });
  if (context.method === "OPTIONS") return optionsResponse([...operations.keys()]);
  const method = context.method === "HEAD" ? "GET" : context.method;
  const operation = operations.get(method) ?? refuseMethod([...operations.keys()]);
  if (accounts.hasSessionCookie(headers)) requireOwnOrigin(context);
  if (operation.who === "session" && await accounts.session(headers) === null) {
    return refuseSession(context);
  }
  const query = knownQuery(operation, search);
  const url = `${app.settings.baseUrl}${app.switches.authBase}${path}${query}`;
  const known = operation.body === null ? null : await knownBody(operation, context);
  const body = known && JSON.stringify(known);
  const bytes = new TextEncoder().encode(body ?? "");
  const account = await challengedAccount(context, { path, bytes });
  const attempt = account === null ? null : await passwordAttempt(context, account);
  if (path === DELETE_ORGANIZATION) {
    const deleted = await app.deleteOrganization(context, accounts, known ?? {});
    await attempt?.giveBack();
    return deleted;
  }
  const asked = new Request(url, { method, headers, ...(body === null ? {} : { body }) });
  if (body !== null) asked.headers.set("content-type", "application/json");
  const answer = await handled(accounts.handle(asked, { clientIp }));
  if (answer.ok) await attempt?.giveBack();
  if (answer.status === 429) return refuseTooMany(path);
  return await told(answer, context);
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

/** `/auth/v1/verify-email`, `/auth/v1/reset-password/*`: what follows the first word may be a token. */
function routeOf(path: string, { app }: RequestContext): string {
  const [, name = "", ...rest] = path.split("/");
  return `${app.switches.authBase}/${name}${rest.length > 0 ? "/*" : ""}`;
}

/** Some refusals of the library have a status and no body: they are told as every other refusal of this API. */
async function told(answer: Response, context: RequestContext): Promise<Response> {
  if (answer.status < 400) return new Response(answer.body, answer);
  const bytes = await answer.bytes();
  if (bytes.byteLength > 0) return new Response(bytes, answer);
  switch (answer.status) {
    case 400:
      return refuse("VALIDATION_ERROR");
    case 401:
      return refuseSession(context);
    case 404:
      return refuse("NOT_FOUND");
    default:
      throw new Error(`The account library answered ${answer.status} without a body`);
  }
}

function refuseSession({ headers, app }: RequestContext): never {
  const isOver = app.ports.accounts?.hasSessionCookie(headers) ?? false;
  return refuse(isOver ? "AUTH_INVALID_TOKEN" : "AUTH_MISSING");
}

function refuseMethod(methods: readonly string[]): never {
  const allow = methods.join(", ");
  return refuse("METHOD_NOT_ALLOWED", {
    detail: `This path answers ${allow}`,
    headers: { allow },
  });
}
