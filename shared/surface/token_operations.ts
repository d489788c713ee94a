/** The token endpoints (contract 4.7, 5.2, 5.4; definitions 7, "JWT"). */
import { CONTRACT_VERSIONS, type RuntimeCode } from "../contract/mod.ts";
import type { JwtModel, ProjectModel } from "../model/mod.ts";
import { authenticationCodes, JSON_BODY_CODES } from "./codes.ts";
import type { JsonSchema } from "./parameters.ts";
import { closed } from "./schema/json_schema.ts";
import { bodyOf, ok, type SystemRoute, systemRoute } from "./system_route.ts";

export function tokenOperationsOf(project: ProjectModel): readonly SystemRoute[] {
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
      body: bodyOf(
        members({
          organizationId: {
            type: "string",
            minLength: 1,
            description: "The organization to act in; left out: the active one.",
          },
        }),
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
        body: bodyOf(
          members({
            jti: {
              type: "string",
              minLength: 1,
              description: "Id of another's token; for `sysadmin`.",
            },
          }),
          {},
          { isRequired: false },
        ),
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

const members = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
});

/** Contract 5.4: whoever gives away access to a tenant manages it, and is somebody. */
const MINTERS: readonly string[] = ["owner", "admin", "sysadmin"];

function scopeToken(project: ProjectModel, jwt: JwtModel, path: string): SystemRoute {
  const { multiTenant } = project;
  return systemRoute({
    id: "serviceScopeToken",
    method: "POST",
    path: `${path}/scope`,
    summary: "Mint a token without a session for a named scope",
    description:
      "For `owner` and `admin` of the active organization, and `sysadmin`. Its bearer has the pseudo-role `SCOPED`, the organization, and no other role.",
    who: "caller",
    rule: {
      roles: MINTERS,
      outside: multiTenant ? [] : MINTERS,
      isOfSession: true,
      isUnlisted: true,
    },
    body: bodyOf(
      closed({
        scope: {
          type: "string",
          pattern: "^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$",
          description: "Name of the scope.",
        },
      }),
      { scope: "kiosk:lobby" },
    ),
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

function jwks(path: string): SystemRoute {
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
