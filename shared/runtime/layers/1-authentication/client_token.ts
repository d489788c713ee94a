/**
 * Judges bearer tokens of OAuth clients (contract 5.1): they name a grant, whose rights are looked up for every request. The
 * claims narrow those rights, and add nothing.
 */
import type { ProjectModel } from "../../../model/mod.ts";
import { MCP_PATH, namesIn } from "../../../surface/mod.ts";

/** Verified claims of a client's token. */
export interface ClientToken {
  readonly userId: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  readonly audience: Audience;
}

/** The resource that a token is for (RFC 8707): every route, or `/mcp` alone. */
export type Audience = "api" | "mcp";

/** Returns the `aud` of tokens that are valid at `/mcp` alone. */
export function mcpAudience(baseUrl: string): string {
  return baseUrl + MCP_PATH;
}

/** True when the project has tokens of clients; else a token that names a client is judged as any other. */
export function takesClients({ agents }: Pick<ProjectModel, "agents">): boolean {
  return agents.oauth === true;
}

/** Returns the claims besides those of every token. */
export function clientClaims({ userId, clientId, grantId, scopes }: ClientToken) {
  return { sub: userId, client_id: clientId, grant_id: grantId, scope: scopes.join(" ") };
}

/** Reads the claims of a verified token; null when they are not exactly those of a client's token. */
export function clientTokenOf(
  claims: Readonly<Record<string, unknown>>,
  audience: Audience,
): ClientToken | null {
  const { sub, client_id: clientId, grant_id: grantId, scope } = claims;
  if (!isName(sub) || !isName(clientId) || !isName(grantId) || !isName(scope)) return null;
  // The claims must name no rights: those are looked up.
  const said = ["orgId", "teamId", "roles", "userRole"].some((name) =>
    (claims[name] ?? null) !== null
  );
  return said ? null : { userId: sub, clientId, grantId, scopes: namesIn(scope), audience };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
