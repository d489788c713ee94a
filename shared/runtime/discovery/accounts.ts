/** The account routes, served by a library behind its port (definitions 7, "auth routes"). */
import type { OnRouted } from "../../contract/routed_request.ts";
import type { RequestContext } from "../context.ts";
import { requireOwnOrigin } from "../layers/1-authentication/own_origin.ts";
import { refuse } from "../refusal.ts";
import { requireJson } from "../request/body.ts";
import { challengedAccount, passwordAttempt, refuseTooMany } from "./password_attempts.ts";
import { optionsResponse } from "../response/cors.ts";

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
 * Hands the request over at its one address, with a JSON body no larger than any other. Refuses with `ROUTE_NOT_FOUND`,
 * `METHOD_NOT_ALLOWED`, `ORIGIN_FORBIDDEN`, `UNSUPPORTED_MEDIA_TYPE` and `AUTH_RATE_LIMITED`; what the library itself refuses has the library's own form.
 */
export async function accountsResponse(
  context: RequestContext,
  onRouted?: OnRouted,
): Promise<Response> {
  const { app, search, headers, clientIp, requestId } = context;
  const { accounts } = app.ports;
  const path = accountsPath(context) ?? refuse("ROUTE_NOT_FOUND");
  const methods = await accounts?.methodsOf(path) ?? [];
  if (accounts === null || methods.length === 0) return refuse("ROUTE_NOT_FOUND");
  onRouted?.({ method: context.method, route: routeOf(path, context), requestId });
  if (context.method === "OPTIONS") return optionsResponse(methods);
  const method = context.method === "HEAD" ? "GET" : context.method;
  if (!methods.includes(method)) return refuseMethod(methods);
  if (accounts.hasSessionCookie(headers)) requireOwnOrigin(context);
  const url = `${app.settings.baseUrl}${app.switches.authBase}${path}${search}`;
  const bytes = method === "GET" ? new Uint8Array() : await context.body.bytes();
  if (bytes.byteLength > 0) requireJson(context);
  const account = await challengedAccount(context, { path, bytes });
  const attempt = account === null ? null : await passwordAttempt(context, account);
  const body = bytes.byteLength > 0 ? { body: bytes } : {};
  const answer = await accounts.handle(new Request(url, { method, headers, ...body }), {
    clientIp,
  });
  if (answer.ok) await attempt?.giveBack();
  if (answer.status === 429) return refuseTooMany(path);
  return await told(answer, context);
}

/** `/auth/v1/verify-email`, `/auth/v1/reset-password/*`: what follows the first word may be a token. */
function routeOf(path: string, { app }: RequestContext): string {
  const [, name = "", ...rest] = path.split("/");
  return `${app.switches.authBase}/${name}${rest.length > 0 ? "/*" : ""}`;
}

/** Some refusals of the library have a status and no body: they are told as every other refusal of this API. */
async function told(answer: Response, { headers, app }: RequestContext): Promise<Response> {
  if (answer.status < 400) return new Response(answer.body, answer);
  const bytes = await answer.bytes();
  if (bytes.byteLength > 0) return new Response(bytes, answer);
  switch (answer.status) {
    case 400:
      return refuse("VALIDATION_ERROR");
    case 401: {
      const isOver = app.ports.accounts?.hasSessionCookie(headers) ?? false;
      return refuse(isOver ? "AUTH_INVALID_TOKEN" : "AUTH_MISSING");
    }
    case 404:
      return refuse("NOT_FOUND");
    default:
      throw new Error(`The account library answered ${answer.status} without a body`);
  }
}

function refuseMethod(methods: readonly string[]): never {
  const allow = methods.join(", ");
  return refuse("METHOD_NOT_ALLOWED", {
    detail: `This path answers ${allow}`,
    headers: { allow },
  });
}
