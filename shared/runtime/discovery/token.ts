/** Handlers of the token routes, where the project has tokens (contract 4.7, 5.2, 5.4, 5.6). */
import { decodeJwt } from "jose";
import { ANONYMOUS, impersonationOf, type Principal } from "../../model/mod.ts";
import { TOKEN_BODIES, type tokenOperationsOf } from "../../surface/mod.ts";
import type { AppContext, RequestContext } from "../context.ts";
import type { Admitted, OperationContext } from "../gate.ts";
import { createTokenKeys } from "../layers/1-authentication/bearer_token.ts";
import { credentialsOf } from "../layers/1-authentication/identify.ts";
import type { Revocations } from "../layers/1-authentication/revocation.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import type { Accounts } from "../ports.ts";
import { refuse, refuseMember } from "../refusal.ts";
import { requireBody } from "../request/body.ts";
import { jsonResponse } from "../response/record.ts";
import type { Handlers } from "../route_endpoints.ts";

type TokenRouteId = ReturnType<typeof tokenOperationsOf>[number]["id"];

/** `revocations` null: the project's tokens cannot be taken back. */
export function tokenHandlers(
  app: OperationContext,
  revocations: Revocations | null,
): Handlers<TokenRouteId> {
  const { ports: { accounts }, mintToken } = app;
  return {
    serviceToken: mintToken && accounts && {
      before({ headers }: RequestContext) {
        // Only a session may make tokens: a token that could make tokens would live for ever.
        if (credentialsOf(headers, accounts).some(({ kind }) => kind !== "session")) {
          refuse("AUTH_SESSION_REQUIRED");
        }
      },
      async handle(request) {
        const grant = await mintToken(await bearerFor(request, accounts));
        // A session that was ended meanwhile leaves nothing behind.
        return json(
          await accounts.session(request.headers) ? grant : refuse("AUTH_INVALID_TOKEN"),
        );
      },
    },
    serviceScopeToken: mintToken && (async (request) => {
      const { scope } = await requireBody(TOKEN_BODIES.scope, request.body);
      const { organizationId } = request.principal;
      const acting = impersonationOf(request.principal);
      const bearer = {
        ...ANONYMOUS,
        ...acting,
        credential: "scope",
        organizationId,
        scope,
      } as const;
      return json(await mintToken(bearer, { judgedAt: request.now }));
    }),
    serviceRevokeToken: revocations && (async (request) => {
      await revocations.revoke(await namedToken(request));
      return json({ success: true });
    }),
    serviceJwks: jwksHandler(app),
  };
}

function json(answer: object): Response {
  return jsonResponse(JSON.stringify(answer), 200);
}

/**
 * `POST {apiBase}/token`: a bearer token for the caller's session (contract 4.7, 5.3; definitions 7). Refuses with
 * `AUTH_SESSION_REQUIRED`, `VALIDATION_ERROR` and `FIREWALL_ORG_ISOLATION`.
 */
async function bearerFor(request: Admitted, accounts: Accounts): Promise<Principal> {
  const { principal: caller } = request;
  const { organizationId } = await requireBody(TOKEN_BODIES.mint, request.body);
  if (organizationId === undefined) return caller;
  const roles = caller.userId === null
    ? null
    : await accounts.rolesIn(organizationId, caller.userId);
  if (roles === null) return refuse("FIREWALL_ORG_ISOLATION");
  const teamId = organizationId === caller.organizationId ? caller.teamId : null;
  return { ...caller, organizationId, roles, teamId };
}

/**
 * `POST {apiBase}/token/revoke`: the id of a token that the caller takes back before it expires (contract 5.2). Bearers take
 * back their own, a `sysadmin` any by its `jti`. Refuses with `ACCESS_ROLE_REQUIRED` and `VALIDATION_ERROR`.
 */
async function namedToken(request: Admitted): Promise<string> {
  const { principal: caller, headers, app } = request;
  const { jti: named } = await requireBody(TOKEN_BODIES.revoke, request.body);
  // No permission names it: a narrowed credential takes back no other than itself.
  const mayName = caller.userRole === "sysadmin" && caller.grants === undefined;
  if (named !== undefined && !mayName) {
    const current = [...rolesHeldBy(caller)];
    refuse("ACCESS_ROLE_REQUIRED", { details: { required: ["sysadmin"], current } });
  }
  if (named !== undefined) return named;
  // The token was verified, and one without an id refused.
  const [credential] = credentialsOf(headers, app.ports.accounts);
  const tokenId = credential?.kind === "bearer" ? decodeJwt(credential.token).jti : undefined;
  return tokenId ?? refuseMember(["jti"], "Must name a token where no bearer token is sent");
}

const CACHE_SECONDS = 300;

/** `GET {authBase}/jwks`: the public keys of bearer tokens (RFC 7517), the one that signs first, where the algorithm has one (definitions 7, "JWT"). */
function jwksHandler({ project, settings, switches }: AppContext): Handlers<"jwks">["jwks"] {
  const { jwt } = project.auth;
  if (jwt === null || jwt.algorithm === "HS256") return null;
  const { algorithm } = jwt;
  const secrets = [settings.authSecret, settings.authSecretPrevious ?? null];
  const imported = secrets.flatMap((secret) =>
    secret === null ? [] : [createTokenKeys(algorithm, secret)]
  );
  return {
    paths: [switches.authBase, switches.authAlias].flatMap((base) =>
      base === null ? [] : [`${base}/jwks`]
    ),
    async handle() {
      const keys = await Promise.all(imported.map(async (ready) => (await ready()).publicKey));
      return new Response(JSON.stringify({ keys: keys.filter((key) => key !== null) }), {
        headers: {
          "content-type": "application/jwk-set+json",
          "cache-control": `public, max-age=${CACHE_SECONDS}`,
        },
      });
    },
  };
}
