/**
 * `POST {apiBase}/token`: a bearer token for the caller's session (contract 4.7, 5.3; definitions 7).
 * Refuses with `AUTH_MISSING`, `AUTH_SESSION_REQUIRED`, `VALIDATION_ERROR` and `FIREWALL_ORG_ISOLATION`.
 */
import type { JwtModel } from "../../model/project.ts";
import type { Principal } from "../../model/principal.ts";
import type { RequestContext } from "../context.ts";
import { createTokenKeys } from "../layers/1-authentication/token_keys.ts";
import { signToken, type TokenGrant } from "../layers/1-authentication/token_grant.ts";
import { pointerTo, refuse } from "../refusal.ts";
import type { Accounts, Clock, Randomness, Settings } from "../ports.ts";
import type { JsonObject } from "../request/body.ts";

export interface TokenOperationDependencies {
  readonly jwt: JwtModel;
  readonly settings: Pick<Settings, "baseUrl" | "authSecret">;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly accounts: Accounts;
}

export type TokenRequest = Pick<RequestContext, "headers" | "body">;

/** A grant is a credential: no cache keeps it. */
export const TOKEN_RESPONSE_HEADERS = { "cache-control": "no-store" } as const;

/** The endpoint of one application. The principal is what the authentication layer made of the request. */
export function createTokenOperation(
  dependencies: TokenOperationDependencies,
): (request: TokenRequest, principal: Principal) => Promise<TokenGrant> {
  const { jwt, settings, clock, random, accounts } = dependencies;
  const keys = createTokenKeys(jwt.algorithm, settings.authSecret);
  return async (request, principal) => {
    const userId = requireSession(principal);
    const named = await namedOrganization(request);
    const bearer = named === null ? principal : await asMemberOf(named, { ...principal, userId });
    return signToken(bearer, { jwt, settings, clock, random, keys: await keys() });
  };

  async function asMemberOf(
    organizationId: string,
    caller: Principal & { readonly userId: string },
  ): Promise<Principal> {
    const roles = await accounts.rolesIn(organizationId, caller.userId);
    if (roles === null) return refuse("FIREWALL_ORG_ISOLATION");
    const teamId = organizationId === caller.organizationId ? caller.teamId : null;
    return { ...caller, organizationId, roles, teamId };
  }
}

/** A token never begets a token: it would live for ever. */
function requireSession({ credential, userId }: Principal): string {
  if (credential === "none") return refuse("AUTH_MISSING");
  if (credential !== "session" || userId === null) return refuse("AUTH_SESSION_REQUIRED");
  return userId;
}

async function namedOrganization({ headers, body }: TokenRequest): Promise<string | null> {
  if (!announcesBody(headers)) return null;
  const members = await body.object();
  refuseUnknownMembers(members);
  if (!Object.hasOwn(members, "organizationId")) return null;
  const organizationId = members["organizationId"];
  if (typeof organizationId === "string" && organizationId !== "") return organizationId;
  return invalidMember("organizationId", "Must be the id of an organization");
}

function announcesBody(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length === null ? headers.has("content-type") : length !== "0";
}

function refuseUnknownMembers(members: JsonObject): void {
  const unknown = Object.keys(members).find((name) => name !== "organizationId");
  if (unknown !== undefined) invalidMember(unknown, "Unknown field");
}

function invalidMember(name: string, message: string): never {
  return refuse("VALIDATION_ERROR", {
    details: { fields: { [name]: message } },
    pointer: pointerTo(name),
  });
}
