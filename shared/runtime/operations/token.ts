/**
 * `POST {apiBase}/token`: a bearer token for the caller's session (contract 4.7, 5.3; definitions 7).
 * Refuses with `AUTH_SESSION_REQUIRED`, `VALIDATION_ERROR` and `FIREWALL_ORG_ISOLATION`.
 */
import type { JwtModel } from "../../model/project.ts";
import type { Principal } from "../../model/principal.ts";
import { credentialsOf } from "../layers/1-authentication/credentials.ts";
import { createTokenKeys } from "../layers/1-authentication/token_keys.ts";
import { signToken, type TokenGrant } from "../layers/1-authentication/token_grant.ts";
import { refuse } from "../refusal.ts";
import type { Accounts, Clock, Randomness, Settings } from "../ports.ts";
import { type BodyRequest, textMembers } from "./token_body.ts";

interface TokenOperationDependencies {
  readonly jwt: JwtModel;
  readonly settings: Pick<Settings, "baseUrl" | "authSecret">;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly accounts: Accounts;
}

/** For the holder of a session. Throws when the secret is too short. */
export function createTokenOperation(
  dependencies: TokenOperationDependencies,
): (request: BodyRequest & { readonly principal: Principal }) => Promise<TokenGrant> {
  const { jwt, settings, clock, random, accounts } = dependencies;
  const keys = createTokenKeys(jwt.algorithm, settings.authSecret);
  return async (request) => {
    const { principal: caller } = request;
    const members = await textMembers(request, ["organizationId"]);
    const organizationId = members.get("organizationId");
    const bearer = organizationId === undefined
      ? caller
      : await inOrganization(organizationId, caller, accounts);
    return signToken(bearer, { jwt, settings, clock, random, keys: await keys() });
  };
}

/** Refuses any credential but a session, good or bad: a token that begot tokens would live for ever. */
export function requireNoOther(headers: Headers, accounts: Accounts): void {
  if (credentialsOf(headers, accounts).some(({ kind }) => kind !== "session")) {
    refuse("AUTH_SESSION_REQUIRED");
  }
}

async function inOrganization(
  organizationId: string,
  caller: Principal,
  accounts: Accounts,
): Promise<Principal> {
  const roles = caller.userId === null
    ? null
    : await accounts.rolesIn(organizationId, caller.userId);
  if (roles === null) return refuse("FIREWALL_ORG_ISOLATION");
  const teamId = organizationId === caller.organizationId ? caller.teamId : null;
  return { ...caller, organizationId, roles, teamId };
}
