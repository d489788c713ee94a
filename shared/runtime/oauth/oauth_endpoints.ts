/** Builds the handlers of the authorization server, in a project that is one (contract 5.1). */
import type { oauthOperationsOf } from "../../surface/mod.ts";
import type { OperationContext } from "../gate.ts";
import { createTokenVerifier } from "../layers/1-authentication/bearer_token.ts";
import { createClientTokenMint } from "../layers/1-authentication/token_mint.ts";
import type { Handlers } from "../route_endpoints.ts";
import type { Router } from "../router.ts";
import { answerAuthorize } from "./authorize.ts";
import { answerConsent, requireOwnConsent, requireOwnForm } from "./consent.ts";
import { answerRegister } from "./register.ts";
import { answerRevoke } from "./revoke.ts";
import { answerSignIn } from "./sign_in.ts";
import { createTickets } from "./ticket.ts";
import { answerToken } from "./token.ts";

type OauthRouteId = ReturnType<typeof oauthOperationsOf>[number]["id"];

/**
 * Builds the handlers. `accountRoutes` answers the sign-in on the server's own page. Without accounts no user could consent.
 */
export function oauthHandlers(
  { project, ports, settings }: OperationContext,
  accountRoutes: Router,
): Handlers<OauthRouteId> {
  const { accounts, clock } = ports;
  const { jwt } = project.auth;
  const mint = createClientTokenMint(project, { ...ports, settings });
  const means = { accounts, tickets: createTickets(settings, clock) };
  const verify = jwt && createTokenVerifier({ jwt, settings, clock, takesClients: true });
  return {
    serviceOauthAuthorize: {
      readsQuery: true,
      handle: (request) => answerAuthorize(request, means),
    },
    serviceOauthSignIn: {
      before: requireOwnForm,
      handle: (request) => answerSignIn(request, accountRoutes),
    },
    serviceOauthConsent: {
      before: requireOwnConsent,
      handle: (request) => answerConsent(request, means),
    },
    serviceOauthToken: mint && ((request) => answerToken(request, mint)),
    serviceOauthRegister: answerRegister,
    serviceOauthRevoke: verify && ((request) => answerRevoke(request, verify)),
  };
}
