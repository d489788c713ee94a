/**
 * `POST {apiBase}/token/revoke`: takes a token back before it expires (contract 5.2). Bearers take back their own, a
 * `sysadmin` any by its `jti`. Refuses with `ACCESS_ROLE_REQUIRED` and `VALIDATION_ERROR`.
 */
import { decodeJwt } from "jose";
import type { Principal } from "../../model/principal.ts";
import type { RequestContext } from "../context.ts";
import type { Admitted } from "../gate.ts";
import { credentialsOf } from "../layers/1-authentication/credentials.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import { refuse, refuseMember } from "../refusal.ts";
import { textMembers } from "./token_body.ts";

/** The id of the token that the caller takes back. */
export async function namedToken(request: Admitted): Promise<string> {
  const named = (await textMembers(request, ["jti"])).get("jti");
  if (named !== undefined) requireSysadmin(request.principal);
  return named ?? ownTokenId(request);
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
  return tokenId ?? refuseMember(["jti"], "Must name a token where no bearer token is sent");
}
