/** Mounts the authorization server of a project that is one (contract 5.1). */
import { isOauthServer, OAUTH_PATHS, oauthOperationsOf, routeAt } from "../../surface/mod.ts";
import type { RequestContext } from "../context.ts";
import { type Admitted, type Endpoint, type OperationContext, serviceGate } from "../gate.ts";
import { createTokenVerifier } from "../layers/1-authentication/bearer_token.ts";
import { createClientTokenMint } from "../layers/1-authentication/token_mint.ts";
import type { Router } from "../router.ts";
import { answerAuthorize } from "./authorize.ts";
import { answerConsent, requireOwnConsent, requireOwnForm } from "./consent.ts";
import { answerRegister } from "./register.ts";
import { answerRevoke } from "./revoke.ts";
import { answerSignIn } from "./sign_in.ts";
import { createTickets } from "./ticket.ts";
import { answerToken } from "./token.ts";

/** `accountRoutes` answers for whoever signs in on a page of ours. Without accounts there is nobody who could say yes. */
export function oauthEndpoints(
  { project, ports, settings }: OperationContext,
  accountRoutes: Router,
): readonly Endpoint[] {
  const { accounts, clock } = ports;
  const { jwt } = project.auth;
  const mint = createClientTokenMint(project, { ...ports, settings });
  if (!isOauthServer(project) || jwt === null || mint === null) return [];
  const operations = oauthOperationsOf(project);
  const tickets = createTickets(settings, clock);
  const verify = createTokenVerifier({ jwt, settings, clock, takesClients: true });
  const endpoint = (
    id: string,
    path: string,
    handle: (request: Admitted) => Promise<Response>,
    before?: (request: RequestContext) => void,
  ): Endpoint => {
    const operation = routeAt(path, operations);
    const { method } = operation;
    return {
      id,
      method,
      path,
      gate: serviceGate(operation),
      handle,
      ...(before ? { before } : {}),
    };
  };
  const means = { accounts, tickets };
  const { authorize, signIn, consent, token, register, revoke } = OAUTH_PATHS;
  return [
    endpoint("oauthAuthorize", authorize, (request) => answerAuthorize(request, means)),
    endpoint(
      "oauthSignIn",
      signIn,
      (request) => answerSignIn(request, accountRoutes),
      requireOwnForm,
    ),
    endpoint(
      "oauthConsent",
      consent,
      (request) => answerConsent(request, means),
      requireOwnConsent,
    ),
    endpoint("oauthToken", token, (request) => answerToken(request, mint)),
    endpoint("oauthRegister", register, answerRegister),
    endpoint("oauthRevoke", revoke, (request) => answerRevoke(request, verify)),
  ];
}
