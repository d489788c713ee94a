/**
 * Who calls (contract 5.1, 5.2). Refuses with `AUTH_INVALID_TOKEN`, `AUTH_EXPIRED` and `ORIGIN_FORBIDDEN`: credentials
 * that prove nothing are refused, on PUBLIC routes too, and never downgraded to an anonymous caller.
 */
import { ANONYMOUS, type Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { RequestContext } from "../../context.ts";
import type { Ports, Settings } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { createTokenVerifier } from "./bearer_token.ts";
import { credentialOf } from "./credentials.ts";
import { requireOwnOrigin } from "./own_origin.ts";
import { rememberingTokens } from "./remembered_tokens.ts";

type Identify = (request: RequestContext) => Promise<Principal>;

/** One per application: keys are imported once. Throws when the secret is too short. */
export function createIdentify(project: ProjectModel, ports: Ports, settings: Settings): Identify {
  const { clock } = ports;
  const { jwt } = project.auth;
  const verifyToken = jwt === null
    ? null
    : rememberingTokens(createTokenVerifier({ jwt, settings, clock }), clock);
  return async (request) => {
    const credential = credentialOf(request.headers, ports.accounts);
    switch (credential.kind) {
      case "none":
        return ANONYMOUS;
      case "unknown":
        return refuse("AUTH_INVALID_TOKEN", {
          detail: "The 'Authorization' header must be 'Bearer <token>'",
        });
      case "bearer": {
        const verdict = await verifyToken?.(credential.token);
        if (verdict?.kind === "principal") return verdict.principal;
        return refuse(verdict?.code ?? "AUTH_INVALID_TOKEN");
      }
      case "session":
        return await sessionPrincipal(request);
    }
  };
}

async function sessionPrincipal(request: RequestContext): Promise<Principal> {
  requireOwnOrigin(request);
  const principal = await request.app.ports.accounts?.session(request.headers);
  return principal ?? refuse("AUTH_INVALID_TOKEN", { detail: "The session is over or unknown" });
}
