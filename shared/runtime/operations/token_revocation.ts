/**
 * `POST {apiBase}/token/revoke`: takes a token back before it expires (contract 5.2). Bearers take back their own, a
 * `sysadmin` any by its `jti`. Refuses with `AUTH_MISSING`, `ACCESS_ROLE_REQUIRED`, `VALIDATION_ERROR`,
 * `AUTH_REVOCATION_UNAVAILABLE` and what the authentication layer refuses.
 */
import { decodeJwt } from "jose";
import type { Principal } from "../../model/principal.ts";
import type { RequestContext } from "../context.ts";
import { credentialsOf } from "../layers/1-authentication/credentials.ts";
import { revokeToken } from "../layers/1-authentication/revocation.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import { refuse } from "../refusal.ts";
import { refuseMember, textMembers } from "./token_body.ts";

export async function revokeNamedToken(request: RequestContext): Promise<void> {
  const { app } = request;
  const caller = await app.identify(request);
  if (caller.credential === "none") refuse("AUTH_MISSING");
  const named = (await textMembers(request, ["jti"])).get("jti");
  if (named !== undefined) requireSysadmin(caller);
  const tokenId = named ?? ownTokenId(request);
  await revokeToken(tokenId, { keyValues: app.keyValues, clock: app.ports.clock });
}

function requireSysadmin(caller: Principal): void {
  if (caller.userRole === "sysadmin") return;
  refuse("ACCESS_ROLE_REQUIRED", {
    details: { required: ["sysadmin"], current: [...rolesHeldBy(caller)] },
  });
}

/** The token was verified, and one without an id refused. */
function ownTokenId({ headers, app }: RequestContext): string {
  const [credential] = credentialsOf(headers, app.ports.accounts);
  const tokenId = credential?.kind === "bearer" ? decodeJwt(credential.token).jti : undefined;
  return tokenId ?? refuseMember("jti", "Must name a token where no bearer token is sent");
}
