/**
 * Parses a client's request to a user (RFC 6749, 4.1.1; RFC 7636; RFC 8707), and checks all that can be checked without the
 * user. No answer is sent to an unregistered address.
 */
import { DEFAULT_SCOPE, namesIn, scopesMeant, scopesOf } from "../../surface/mod.ts";
import type { AppContext } from "../context.ts";
import { clientOf, type OauthClient } from "../data/oauth_rows.ts";
import type { Admitted } from "../gate.ts";
import { type Audience, mcpAudience } from "../layers/1-authentication/client_token.ts";
import { formWith } from "./oauth_refusal.ts";
import { isRegistered, withQuery } from "./redirect_uri.ts";
import { unusedSince } from "./secrets.ts";

export interface Asked {
  readonly client: OauthClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly scopes: readonly string[];
  readonly audience: Audience;
  readonly prompt: readonly string[];
}

/** The client's address for the answer. */
export type Back = Pick<Asked, "redirectUri" | "state">;

type Reading =
  | { readonly kind: "asked"; readonly asked: Asked }
  /** An error for the client. */
  | { readonly kind: "refused"; readonly back: Back; readonly error: string; readonly why: string }
  /** An error for the person in front of the browser only. */
  | { readonly kind: "lost"; readonly why: string };

/** Maximum characters of a query that are parsed. */
const QUERY_MAX = 16 * 1024;
const STATE_MAX = 4096;

const lost = (why: string): Reading => ({ kind: "lost", why });

export async function readAuthorizationRequest(request: Admitted): Promise<Reading> {
  const { app, search, now } = request;
  if (search.length > QUERY_MAX) return lost("The request is too long.");
  const sent = formWith(new URLSearchParams(search), ["resource"]);
  const clientId = sent.one("client_id");
  if (sent.repeated !== null || clientId === null) {
    return lost("The request names no client, or says something twice.");
  }
  const client = await clientOf(request.database, { clientId, unusedSince: unusedSince(now) });
  if (client === null) return lost("The application is not registered here (any more).");
  const [only, ...others] = client.redirectUris;
  const redirectUri = sent.one("redirect_uri") ?? (others.length === 0 ? only : undefined);
  if (redirectUri === undefined || !isRegistered(redirectUri, client.redirectUris)) {
    return lost("The application asks for an answer to an address that it did not register.");
  }
  const state = sent.one("state");
  if (state !== null && state.length > STATE_MAX) return lost("The request is too long.");
  const back = { redirectUri, state };
  const refused = (error: string, why: string): Reading => ({ kind: "refused", back, error, why });
  if (sent.one("response_type") !== "code") {
    return refused("unsupported_response_type", "Only response_type code is known");
  }
  const challenge = sent.one("code_challenge") ?? "";
  // An absent method would mean `plain` (RFC 7636, 4.3).
  if (sent.one("code_challenge_method") !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return refused("invalid_request", "A code_challenge by S256 is needed (RFC 7636)");
  }
  const known = scopesOf(app.project);
  const scopes = scopesMeant(namesIn(sent.one("scope") ?? DEFAULT_SCOPE), app.project);
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined || scopes.length === 0) {
    return refused("invalid_scope", `There is no scope ${printed(unknown ?? "")}`);
  }
  const audience = audienceOf(sent.all("resource"), app);
  if (audience === null) return refused("invalid_target", "This server has no such resource");
  const prompt = namesIn(sent.one("prompt") ?? "");
  return {
    kind: "asked",
    asked: { client, redirectUri, state, challenge, scopes, audience, prompt },
  };
}

/** Replaces every character but visible ASCII without quotes and backslashes (RFC 6749, 4.1.2.1). */
function printed(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, "?").slice(0, 100);
}

/** Returns the audience of the tokens; without `resource` it is every route. Null: the resource is not of this API. */
export function audienceOf(
  resources: readonly string[],
  { project, settings: { baseUrl } }: Pick<AppContext, "project" | "settings">,
): Audience | null {
  const all = resources.map((resource) => {
    if (resource === baseUrl || resource === `${baseUrl}/`) return "api";
    return project.agents.mcp && resource === mcpAudience(baseUrl) ? "mcp" : null;
  });
  if (all.includes(null)) return null;
  return all.length > 0 && all.every((one) => one === "mcp") ? "mcp" : "api";
}

/** Redirects the browser to the client; the answer names its issuer (RFC 9207). */
export function leadBack(
  { app: { settings } }: Pick<Admitted, "app">,
  { redirectUri, state }: Back,
  { status, ...answer }:
    & { readonly status: 302 | 303 }
    & (
      | { readonly code: string }
      | { readonly error: string; readonly error_description: string }
    ),
): Response {
  const location = withQuery(redirectUri, { ...answer, state, iss: settings.baseUrl });
  return new Response(null, { status, headers: { location } });
}
