/**
 * `POST {apiBase}/token/scope`: a token without a session, for a named scope of one organization (contract 5.4). Minted by
 * the organization's `owner` and `admin`, or a `sysadmin`, with a full session. Refuses with `AUTH_SESSION_REQUIRED`,
 * `ACCESS_NO_ORG`, `ACCESS_ROLE_REQUIRED`, `VALIDATION_ERROR`.
 */
import type { Principal } from "../../model/principal.ts";
import { ANONYMOUS } from "../../model/principal.ts";
import type { ProjectModel } from "../../model/project.ts";
import { holdsRole } from "../../surface/admission.ts";
import type { Admitted } from "../gate.ts";
import { SCOPE_NAME } from "../layers/1-authentication/token_claims.ts";
import type { TokenGrant } from "../layers/1-authentication/token_grant.ts";
import type { MintToken } from "../layers/1-authentication/token_mint.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import { refuse, refuseMember } from "../refusal.ts";
import { textMembers } from "./token_body.ts";

const MINTERS: readonly string[] = ["owner", "admin", "sysadmin"];

export function createScopeTokenOperation(
  mint: MintToken,
  { multiTenant }: Pick<ProjectModel, "multiTenant">,
): (request: Admitted) => Promise<TokenGrant> {
  return async (request) => {
    const { principal: caller } = request;
    requireMinter(caller, { multiTenant });
    const scope = (await textMembers(request, ["scope"])).get("scope");
    if (scope === undefined || !SCOPE_NAME.test(scope)) {
      return refuseMember(["scope"], "Must be 1 to 64 letters, digits and : . _ -");
    }
    const { organizationId } = caller;
    return mint({ ...ANONYMOUS, credential: "scope", organizationId, scope });
  };
}

function requireMinter(
  caller: Principal,
  { multiTenant }: Pick<ProjectModel, "multiTenant">,
): void {
  if (!holdsRole(caller, "SESSION")) refuse("AUTH_SESSION_REQUIRED");
  if (multiTenant && caller.organizationId === null) refuse("ACCESS_NO_ORG");
  if (MINTERS.some((role) => holdsRole(caller, role))) return;
  refuse("ACCESS_ROLE_REQUIRED", {
    details: { required: [...MINTERS], current: [...rolesHeldBy(caller)] },
  });
}
