/** Mounts the token endpoints where the project has tokens (contract 4.7, 5.2, 5.4, 5.6). */
import { decodeJwt } from "jose";
import { ANONYMOUS, impersonationOf, type Principal, type ProjectModel } from "../../model/mod.ts";
import { authBaseOf, holdsRole, routeAt, tokenOperationsOf } from "../../surface/mod.ts";
import type { AppContext, RequestContext } from "../context.ts";
import { type Admitted, type Endpoint, type OperationContext, serviceGate } from "../gate.ts";
import { createTokenKeys, SCOPE_NAME } from "../layers/1-authentication/bearer_token.ts";
import { credentialsOf } from "../layers/1-authentication/identify.ts";
import type { Revocations } from "../layers/1-authentication/revocation.ts";
import { rolesHeldBy } from "../layers/4-access/require_role.ts";
import type { Accounts } from "../ports.ts";
import { refuse, refuseMember } from "../refusal.ts";
import { jsonResponse } from "../response/record.ts";

/** `revocations` null: the project's tokens cannot be taken back. */
export function tokenEndpoints(
  { project, ports: { accounts }, switches, mintToken }: OperationContext,
  revocations: Revocations | null,
): Endpoint[] {
  if (mintToken === null) return [];
  const path = `${switches.apiBase}/token`;
  const endpoint = (id: string, path: string, answer: Answer): Endpoint => ({
    id,
    method: "POST",
    path,
    gate: serviceGate(routeAt(path, tokenOperationsOf(project))),
    handle: async (request) => jsonResponse(JSON.stringify(await answer(request)), 200),
  });
  return [
    ...(accounts === null ? [] : [{
      ...endpoint(
        "createToken",
        path,
        async (request) => {
          const grant = await mintToken(await bearerFor(request, accounts));
          // A session that was ended meanwhile leaves nothing behind.
          return await accounts.session(request.headers) ? grant : refuse("AUTH_INVALID_TOKEN");
        },
      ),
      before({ headers }: RequestContext) {
        // Refuses any credential but a session, good or bad: a token that begot tokens would live for ever.
        if (credentialsOf(headers, accounts).some(({ kind }) => kind !== "session")) {
          refuse("AUTH_SESSION_REQUIRED");
        }
      },
    }]),
    endpoint("createScopeToken", `${path}/scope`, async (request) => {
      const scope = await namedScope(request, project);
      const { organizationId } = request.principal;
      const acting = impersonationOf(request.principal);
      return await mintToken({
        ...ANONYMOUS,
        ...acting,
        credential: "scope",
        organizationId,
        scope,
      }, { judgedAt: request.now });
    }),
    ...(revocations === null ? [] : [endpoint("revokeToken", `${path}/revoke`, async (request) => {
      await revocations.revoke(await namedToken(request));
      return { success: true };
    })]),
  ];
}

type Answer = (request: Admitted) => Promise<object>;

/**
 * `POST {apiBase}/token`: a bearer token for the caller's session (contract 4.7, 5.3; definitions 7). Refuses with
 * `AUTH_SESSION_REQUIRED`, `VALIDATION_ERROR` and `FIREWALL_ORG_ISOLATION`.
 */
async function bearerFor(request: Admitted, accounts: Accounts): Promise<Principal> {
  const { principal: caller } = request;
  const organizationId = (await textMembers(request, ["organizationId"])).get("organizationId");
  if (organizationId === undefined) return caller;
  const roles = caller.userId === null
    ? null
    : await accounts.rolesIn(organizationId, caller.userId);
  if (roles === null) return refuse("FIREWALL_ORG_ISOLATION");
  const teamId = organizationId === caller.organizationId ? caller.teamId : null;
  return { ...caller, organizationId, roles, teamId };
}

const MINTERS: readonly string[] = ["owner", "admin", "sysadmin"];

/**
 * `POST {apiBase}/token/scope`: a token without a session, for a named scope of one organization (contract 5.4). Minted
 * by the organization's `owner` and `admin`, or a `sysadmin`, with a full session. Refuses with `AUTH_SESSION_REQUIRED`,
 * `ACCESS_NO_ORG`, `ACCESS_ROLE_REQUIRED`, `VALIDATION_ERROR`.
 */
async function namedScope(request: Admitted, { multiTenant }: ProjectModel): Promise<string> {
  const { principal: caller } = request;
  if (!holdsRole(caller, "SESSION")) refuse("AUTH_SESSION_REQUIRED");
  if (multiTenant && caller.organizationId === null) refuse("ACCESS_NO_ORG");
  if (!MINTERS.some((role) => holdsRole(caller, role))) refuseRoles(caller, MINTERS);
  const scope = (await textMembers(request, ["scope"])).get("scope");
  if (scope !== undefined && SCOPE_NAME.test(scope)) return scope;
  return refuseMember(["scope"], "Must be 1 to 64 letters, digits and : . _ -");
}

/**
 * `POST {apiBase}/token/revoke`: the id of a token that the caller takes back before it expires (contract 5.2). Bearers take
 * back their own, a `sysadmin` any by its `jti`. Refuses with `ACCESS_ROLE_REQUIRED` and `VALIDATION_ERROR`.
 */
async function namedToken(request: Admitted): Promise<string> {
  const { principal: caller, headers, app } = request;
  const named = (await textMembers(request, ["jti"])).get("jti");
  // No permission names it: a narrowed credential takes back no other than itself.
  const mayName = caller.userRole === "sysadmin" && caller.grants === undefined;
  if (named !== undefined && !mayName) refuseRoles(caller, ["sysadmin"]);
  if (named !== undefined) return named;
  // The token was verified, and one without an id refused.
  const [credential] = credentialsOf(headers, app.ports.accounts);
  const tokenId = credential?.kind === "bearer" ? decodeJwt(credential.token).jti : undefined;
  return tokenId ?? refuseMember(["jti"], "Must name a token where no bearer token is sent");
}

function refuseRoles(caller: Principal, required: readonly string[]): never {
  return refuse("ACCESS_ROLE_REQUIRED", {
    details: { required: [...required], current: [...rolesHeldBy(caller)] },
  });
}

/**
 * The small, optional bodies of the token endpoints. Refuses with `VALIDATION_ERROR` and what a body is refused with.
 * Every member is a text that is not empty; none besides the named ones. No body is an empty one.
 */
async function textMembers(
  { body }: RequestContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if ((await body.bytes()).byteLength === 0) return new Map();
  const members = Object.entries(await body.object());
  return new Map(members.map(([name, value]) => {
    if (!names.includes(name)) return refuseMember([name], "Unknown field");
    if (typeof value !== "string" || value === "") {
      return refuseMember([name], "Must be a text that is not empty");
    }
    return [name, value];
  }));
}

const CACHE_SECONDS = 300;

/** `GET {authBase}/jwks`: the public keys of bearer tokens (RFC 7517), the one that signs first, where the algorithm has one (definitions 7, "JWT"). */
export function jwksEndpoints({ project, settings, switches }: AppContext): Endpoint[] {
  const { jwt } = project.auth;
  if (jwt === null || jwt.algorithm === "HS256") return [];
  const { algorithm } = jwt;
  const secrets = [settings.authSecret, settings.authSecretPrevious ?? null];
  const imported = secrets.flatMap((secret) =>
    secret === null ? [] : [createTokenKeys(algorithm, secret)]
  );
  const handle = async () => {
    const keys = await Promise.all(imported.map(async (ready) => (await ready()).publicKey));
    return new Response(JSON.stringify({ keys: keys.filter((key) => key !== null) }), {
      headers: {
        "content-type": "application/jwk-set+json",
        "cache-control": `public, max-age=${CACHE_SECONDS}`,
      },
    });
  };
  const bases = [switches.authBase, switches.authAlias].filter((base) => base !== null);
  const gate = serviceGate(routeAt(`${authBaseOf(project)}/jwks`, tokenOperationsOf(project)));
  return bases.map((base) => ({ id: "jwks", method: "GET", path: `${base}/jwks`, gate, handle }));
}
