/** Describes the token endpoints (contract 4.7, 5.2, 5.4; definitions 7, "JWT"). */
import { z } from "zod";
import { CONTRACT_VERSIONS, type RuntimeCode } from "../contract/mod.ts";
import type { JwtModel, ProjectModel } from "../model/mod.ts";
import { authenticationCodes, JSON_BODY_CODES } from "./codes.ts";
import type { JsonSchema } from "./parameters.ts";
import { closed } from "./schema/json_schema.ts";
import { zodJson } from "./schema/zod_json.ts";
import { bodyOf, ok, systemRoute } from "./system_route.ts";

/** Matches the name of a scope, in tokens too. */
export const SCOPE_NAME = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$/;

const NOT_EMPTY = "Must be a text that is not empty";
const NO_SCOPE = "Must be 1 to 64 letters, digits and : . _ -";

/** Bodies of the routes, each a validator with its description. */
export const TOKEN_BODIES = {
  mint: z.strictObject({
    organizationId: z.string(NOT_EMPTY).min(1, NOT_EMPTY)
      .describe("The organization to act in; left out: the active one.").optional(),
  }),
  scope: z.strictObject({
    scope: z.string(NO_SCOPE).regex(SCOPE_NAME, NO_SCOPE).describe("Name of the scope."),
  }),
  revoke: z.strictObject({
    jti: z.string(NOT_EMPTY).min(1, NOT_EMPTY)
      .describe("Id of another's token; for `sysadmin`.").optional(),
  }),
};

export function tokenOperationsOf(project: ProjectModel) {
  const { auth: { jwt }, contract } = project;
  if (jwt === null) return [];
  const { apiBase, authBase, authAlias } = CONTRACT_VERSIONS[contract];
  const path = `${apiBase}/token`;
  return [
    systemRoute({
      id: "serviceToken",
      method: "POST",
      path,
      summary: "Mint a bearer token for the session",
      description:
        "Takes a session cookie only. The token carries the caller's roles in the named organization, or in the active one.",
      who: "session",
      strays: "ignored",
      body: bodyOf(
        zodJson(TOKEN_BODIES.mint, "input"),
        { organizationId: "<organization_id>" },
        { isRequired: false },
      ),
      answers: ok(GRANT, grantExample(jwt)),
      codes: [
        "AUTH_MISSING",
        "AUTH_INVALID_TOKEN",
        "AUTH_RATE_LIMITED",
        "AUTH_SESSION_REQUIRED",
        "ORIGIN_FORBIDDEN",
        "FIREWALL_ORG_ISOLATION",
        ...BODY_CODES,
      ],
    }),
    scopeToken(project, jwt, path),
    ...(jwt.revocationCheck
      ? [systemRoute({
        id: "serviceRevokeToken",
        method: "POST",
        path: `${path}/revoke`,
        summary: "Take a bearer token back",
        description: "The one that is sent, or, for `sysadmin`, the one that `jti` names.",
        who: "caller",
        strays: "ignored",
        body: bodyOf(zodJson(TOKEN_BODIES.revoke, "input"), {}, { isRequired: false }),
        answers: ok(
          closed({ success: { const: true, description: "The token is no longer taken." } }),
          { success: true },
        ),
        codes: [
          ...authenticationCodes(project, { method: "POST", isRequired: true }),
          "ACCESS_ROLE_REQUIRED",
          ...BODY_CODES,
        ],
      })]
      : []),
    ...(jwt.algorithm === "HS256" ? [] : [jwks(`${authAlias ?? authBase}/jwks`)]),
  ];
}

const BODY_CODES: readonly RuntimeCode[] = [...JSON_BODY_CODES, "VALIDATION_ERROR"];

const GRANT: JsonSchema = closed({
  token: { type: "string", minLength: 1, description: "For `Authorization: Bearer`." },
  tokenType: { const: "Bearer", description: "How it is sent." },
  expiresIn: { type: "integer", minimum: 1, description: "Seconds until it ends." },
  expiresAt: { type: "string", format: "date-time", description: "When it ends." },
});

const grantExample = ({ expiresIn }: JwtModel): JsonSchema => ({
  token: "<token>",
  tokenType: "Bearer",
  expiresIn,
  expiresAt: "2026-01-31T10:35:30.000Z",
});

/** Roles that may issue tokens: a caller who grants access to a tenant manages it, and has an account (contract 5.4). */
const MINTERS: readonly string[] = ["owner", "admin", "sysadmin"];

function scopeToken(project: ProjectModel, jwt: JwtModel, path: string) {
  const { multiTenant } = project;
  return systemRoute({
    id: "serviceScopeToken",
    method: "POST",
    path: `${path}/scope`,
    summary: "Mint a token without a session for a named scope",
    description:
      "For `owner` and `admin` of the active organization, and `sysadmin`. Its bearer has the pseudo-role `SCOPED`, the organization, and no other role.",
    who: "caller",
    strays: "ignored",
    rule: {
      roles: MINTERS,
      outside: multiTenant ? [] : MINTERS,
      isOfSession: true,
      isUnlisted: true,
    },
    body: bodyOf(zodJson(TOKEN_BODIES.scope, "input"), { scope: "kiosk:lobby" }),
    answers: ok(GRANT, grantExample(jwt)),
    codes: [
      ...authenticationCodes(project, { method: "POST", isRequired: true }),
      "AUTH_SESSION_REQUIRED",
      "ACCESS_ROLE_REQUIRED",
      ...(multiTenant ? ["ACCESS_NO_ORG" as const] : []),
      ...BODY_CODES,
    ],
  });
}

function jwks(path: string) {
  const key = closed({
    kty: { const: "OKP", description: "Key type." },
    crv: { const: "Ed25519", description: "Curve." },
    x: { type: "string", minLength: 1, description: "The public key." },
    kid: { type: "string", minLength: 1, description: "Names the key." },
    alg: { const: "EdDSA", description: "Algorithm." },
    use: { const: "sig", description: "Signatures only." },
  });
  return systemRoute({
    id: "serviceJwks",
    method: "GET",
    path,
    summary: "Read the public key that verifies bearer tokens",
    description: "A JSON Web Key Set (RFC 7517).",
    who: "unasked",
    answers: ok(closed({ keys: { type: "array", items: key, description: "The keys in use." } }), {
      keys: [],
    }, { mediaType: "application/jwk-set+json" }),
    codes: [],
  });
}
