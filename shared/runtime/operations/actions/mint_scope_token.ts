/**
 * `mintScopeToken` of handlers: a token without a session for a named scope (contract 5.4), in the organization that scopes
 * the request and in no other. Refuses with the action's flat `SCOPE_TOKEN_REFUSED`.
 */
import { decodeJwt } from "jose";
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../../contract/limits.ts";
import { ANONYMOUS, type Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { Caller } from "../../context.ts";
import { SCOPE_NAME } from "../../layers/1-authentication/bearer_token.ts";
import type { TokenGrant } from "../../layers/1-authentication/token_mint.ts";
import type { ActionCall } from "./action_plan.ts";
import { isDryRun } from "./action_query.ts";
import { AuthoredRefusal } from "../../authored/authored_refusal.ts";

/** The grant, with the id by which the token is taken back. */
interface ScopeTokenGrant extends TokenGrant {
  readonly jti: string;
}

type MintScopeToken = (
  scope: string,
  options?: { readonly expiresIn?: number },
) => Promise<ScopeTokenGrant>;

export function scopeTokenMinter(call: ActionCall, caller: Caller): MintScopeToken {
  const { app } = call.request;
  return async (scope, options = {}) => {
    const mint = app.mintToken;
    if (mint === null) throw new TypeError("There are no tokens: declare auth.jwt");
    const bearer = bearerOf(scope, caller, app.project);
    const grant = await mint(bearer, { ...lifetimeOf(options) });
    const jti = decodeJwt(grant.token).jti ?? "";
    // What a rehearsal gives away is worth nothing.
    return isDryRun(call) ? { ...grant, token: "dry-run", jti } : { ...grant, jti };
  };
}

function bearerOf(
  scope: string,
  { principal: { credential }, organizationId }: Caller,
  { multiTenant }: ProjectModel,
): Principal {
  if (typeof scope !== "string" || !SCOPE_NAME.test(scope)) {
    throw new TypeError("A scope is named by 1 to 64 letters, digits and : . _ -");
  }
  // A token that begot tokens would live for ever, and delegated principals carry no scope.
  if (credential === "scope" || credential === "delegated") {
    throw refusal("Such a caller gets no scope token");
  }
  if (multiTenant && organizationId === null) {
    throw refusal("A scope token needs an active organization");
  }
  return { ...ANONYMOUS, credential: "scope", organizationId, scope };
}

/** The handler's own refusal, which it may foresee. */
function refusal(message: string): AuthoredRefusal {
  return new AuthoredRefusal(message, "SCOPE_TOKEN_REFUSED", 403);
}

function lifetimeOf({ expiresIn }: { readonly expiresIn?: number }): { expiresIn?: number } {
  if (expiresIn === undefined) return {};
  if (Number.isInteger(expiresIn) && expiresIn > 0 && expiresIn <= TOKEN_LIFETIME_MAX_SECONDS) {
    return { expiresIn };
  }
  throw new TypeError(`A token lives 1 to ${TOKEN_LIFETIME_MAX_SECONDS} seconds`);
}
