/** Describes the description's own routes and the routes that point to them (contract 4.7, 5.5). */
import { CONTRACT_VERSIONS, PLATFORM_ROLES, PROBLEM_CODES, PROBLEM_PATH } from "../contract/mod.ts";
import { problemSlug } from "../contract/mod.ts";
import type { JsonSchema } from "../contract/mod.ts";
import type { ProjectModel } from "../model/mod.ts";
import { authenticationCodes } from "./codes.ts";
import { closed } from "./schema/json_schema.ts";
import type { RoleRule } from "./admission.ts";
import { ok, type SystemRoute, systemRoute } from "./system_route.ts";

/** Paths of the routes: those behind the publish gate, and those that are always public. */
export const DISCOVERY_PATHS = {
  openapi: "/openapi.json",
  asyncapi: "/asyncapi.json",
  docs: "/docs",
  llms: "/llms.txt",
  apiCatalog: "/.well-known/api-catalog",
  robots: "/robots.txt",
  authorizationServer: "/.well-known/oauth-authorization-server",
  protectedResource: "/.well-known/oauth-protected-resource",
  /** Path for `/mcp`, which follows the well-known path (RFC 9728, 3.1). */
  mcpResource: "/.well-known/oauth-protected-resource/mcp",
} as const;

/** Media type of the API catalog (RFC 9727, 3). */
export const API_CATALOG_MEDIA_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** True when the API publishes its description. */
export function isPublished({ openapi }: ProjectModel): boolean {
  return openapi.generate && openapi.publish !== false;
}

/** True when this API is the authorization server of its tokens. It is, unless another one issues them. */
export function isAuthorizationServer({ auth: { jwt } }: ProjectModel): boolean {
  return jwt !== null && jwt.issuer === null;
}

export function discoveryOperationsOf(project: ProjectModel) {
  return [
    ...(isPublished(project) ? gatedOperations(project) : []),
    ...(project.agents.robotsTxt ? [ROBOTS] : []),
    ...(isAuthorizationServer(project) ? [authorizationServer(project)] : []),
    ...(project.auth.jwt === null ? [] : [scoped(PROTECTED_RESOURCE, project)]),
    ...(project.auth.jwt !== null && project.agents.mcp ? [scoped(MCP_RESOURCE, project)] : []),
  ];
}

/** Returns the operation with the scopes that a client may request, if the API has OAuth clients. */
function scoped<Declared extends SystemRoute>(operation: Declared, { agents }: ProjectModel) {
  if (!agents.oauth) return operation;
  const scopes = texts("What clients may be allowed.");
  return {
    ...operation,
    answers: ok(
      closed({ ...RESOURCE_MEMBERS, scopes_supported: scopes }),
      { ...RESOURCE_EXAMPLE, scopes_supported: ["*:read"] },
    ),
  };
}

type DeclaredDocument = Pick<SystemRoute, "path" | "summary" | "description" | "answers">;

function gatedOperations(project: ProjectModel) {
  const { openapi, agents } = project;
  return [
    gatedDocument("serviceOpenApi", OPENAPI, project),
    gatedDocument("serviceAsyncApi", ASYNCAPI, project),
    gatedDocument("serviceApiCatalog", API_CATALOG, project),
    ...(openapi.docs === false ? [] : [gatedDocument("serviceDocs", DOCS, project)]),
    ...(agents.llmsTxt ? [gatedDocument("serviceLlmsTxt", LLMS, project)] : []),
  ];
}

function gatedDocument<const Id extends string>(
  id: Id,
  declared: DeclaredDocument,
  project: ProjectModel,
) {
  const { publish } = project.openapi;
  const isOpen = publish === "public";
  return systemRoute({
    ...declared,
    id,
    method: "GET",
    strays: "ignored",
    who: isOpen ? "unasked" : "caller",
    isStatic: isOpen,
    setting: "openapi.publish",
    rule: publish === "admin" ? DESCRIPTION_RULE : null,
    codes: isOpen ? [] : [
      ...authenticationCodes(project, { method: "GET", isRequired: true }),
      // A delegated principal did not sign in (contract 5.4).
      ...(publish === "admin" || project.auth.principals.length > 0
        ? ["ACCESS_ROLE_REQUIRED" as const]
        : []),
    ],
  });
}

/** Rule of the routes with the API's description (contract 5.5). */
const DESCRIPTION_RULE: RoleRule = {
  roles: PLATFORM_ROLES,
  outside: PLATFORM_ROLES,
  takesNarrowed: true,
  isUnlisted: true,
};

const OPENAPI: DeclaredDocument = {
  path: DISCOVERY_PATHS.openapi,
  summary: "Read this description",
  description: "The OpenAPI document of this API.",
  answers: ok(
    {
      type: "object",
      properties: { openapi: { const: "3.1.0", description: "Version of the format." } },
      required: ["openapi"],
    },
    { openapi: "3.1.0" },
    { mediaType: "application/json" },
  ),
};

const ASYNCAPI: DeclaredDocument = {
  path: DISCOVERY_PATHS.asyncapi,
  summary: "Read what this API sends by itself",
  description: "The AsyncAPI document of this API: frames of realtime and outbound webhooks.",
  answers: ok(
    {
      type: "object",
      properties: { asyncapi: { const: "3.0.0", description: "Version of the format." } },
      required: ["asyncapi"],
    },
    { asyncapi: "3.0.0" },
    { mediaType: "application/json" },
  ),
};

/** Media type of an AsyncAPI document (https://www.asyncapi.com/docs/reference/specification/v3.0.0#documentFormat). */
export const ASYNCAPI_MEDIA_TYPE = "application/vnd.aai.asyncapi+json;version=3.0.0";

const LINK = closed({
  href: { type: "string", format: "uri", description: "Where it is." },
  type: { type: "string", minLength: 1, description: "Its media type." },
});

const CATALOG: JsonSchema = {
  description: "Where the catalog stands (RFC 9727).",
  required: true,
  schema: { type: "string" },
};

const API_CATALOG: DeclaredDocument = {
  path: DISCOVERY_PATHS.apiCatalog,
  summary: "Find the description, its browser and the health check",
  description: "A link set (RFC 9727, RFC 9264).",
  answers: ok(
    closed({
      linkset: {
        type: "array",
        description: "One entry: this API.",
        items: {
          type: "object",
          properties: {
            anchor: { type: "string", format: "uri", description: "Base of the API." },
          },
          required: ["anchor"],
          additionalProperties: {
            type: "array",
            items: LINK,
            description: "Links for programs and people.",
          },
        },
      },
    }),
    { linkset: [] },
    { mediaType: "application/linkset+json", headers: { Link: CATALOG } },
  ),
};

const DOCS: DeclaredDocument = {
  path: DISCOVERY_PATHS.docs,
  summary: "Browse this description",
  description: "An interactive page; everything that it loads comes from this API.",
  answers: ok({ type: "string" }, "<!doctype html>", { mediaType: "text/html" }),
};

const LLMS: DeclaredDocument = {
  path: DISCOVERY_PATHS.llms,
  summary: "Read what this API offers, as text for language models",
  description: "Markdown in the form of llmstxt.org.",
  answers: ok({ type: "string" }, "# api\n", { mediaType: "text/plain" }),
};

const ROBOTS = systemRoute({
  id: "serviceRobotsTxt",
  method: "GET",
  path: DISCOVERY_PATHS.robots,
  summary: "Read what crawlers may fetch",
  description: "The Robots Exclusion Protocol (RFC 9309).",
  who: "unasked",
  isStatic: true,
  answers: ok({ type: "string" }, "User-agent: *\nDisallow: /\n", { mediaType: "text/plain" }),
  codes: [],
});

const uri = (description: string) => ({ type: "string", format: "uri", description });
const texts = (description: string) => ({
  type: "array",
  items: { type: "string" },
  description,
});

function authorizationServer(project: ProjectModel) {
  const { auth: { jwt }, contract, agents } = project;
  const { apiBase } = CONTRACT_VERSIONS[contract];
  const hasKeys = jwt?.algorithm === "EdDSA";
  if (agents.oauth) return oauthServer(hasKeys);
  return systemRoute({
    id: "serviceAuthorizationServer",
    method: "GET",
    path: DISCOVERY_PATHS.authorizationServer,
    summary: "Read where tokens come from",
    description: "Authorization server metadata (RFC 8414).",
    who: "unasked",
    isStatic: true,
    answers: ok(
      closed({
        issuer: uri("Who issues the tokens."),
        token_endpoint: uri("Where a session is exchanged for a token."),
        response_types_supported: texts("None: there is no authorization endpoint."),
        grant_types_supported: texts("What a token is given for."),
        token_endpoint_auth_methods_supported: texts("How a client names itself: not at all."),
        ...(hasKeys ? { jwks_uri: uri("The keys that verify tokens.") } : {}),
      }),
      {
        issuer: "https://api.example.com",
        token_endpoint: `https://api.example.com${apiBase}/token`,
        response_types_supported: [],
        grant_types_supported: [SESSION_GRANT],
        token_endpoint_auth_methods_supported: ["none"],
        ...(hasKeys ? { jwks_uri: "https://api.example.com/jwks" } : {}),
      },
    ),
    codes: [],
  });
}

/** Describes the authorization server's metadata for clients of a project with `agents.oauth`. */
function oauthServer(hasKeys: boolean) {
  const base = "https://api.example.com";
  return systemRoute({
    id: "serviceAuthorizationServer",
    method: "GET",
    path: DISCOVERY_PATHS.authorizationServer,
    summary: "Read how clients get tokens",
    description: "Authorization server metadata (RFC 8414).",
    who: "unasked",
    isStatic: true,
    answers: ok(
      closed({
        issuer: uri("Who issues the tokens."),
        authorization_endpoint: uri("Where users are asked."),
        token_endpoint: uri("Where codes and refresh tokens are exchanged."),
        registration_endpoint: uri("Where clients register (RFC 7591)."),
        revocation_endpoint: uri("Where clients end their grants (RFC 7009)."),
        scopes_supported: texts("What may be allowed."),
        response_types_supported: texts("What users' answers may be."),
        response_modes_supported: texts("Where such an answer stands."),
        grant_types_supported: texts("What a token is given for."),
        code_challenge_methods_supported: texts("How a verifier is told before (RFC 7636)."),
        token_endpoint_auth_methods_supported: texts("How a client proves itself: not at all."),
        revocation_endpoint_auth_methods_supported: texts("The same, where it ends a grant."),
        authorization_response_iss_parameter_supported: {
          const: true,
          description: "Answers say from whom they are (RFC 9207).",
        },
        ...(hasKeys ? { jwks_uri: uri("The keys that verify tokens.") } : {}),
      }),
      {
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
        registration_endpoint: `${base}/oauth/register`,
        revocation_endpoint: `${base}/oauth/revoke`,
        scopes_supported: ["*:read"],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
        ...(hasKeys ? { jwks_uri: `${base}/jwks` } : {}),
      },
    ),
    codes: [],
  });
}

/** Grant type of tokens for a session cookie. It is an extension grant (RFC 6749, 4.5), because no standard one exists. */
export const SESSION_GRANT = "urn:quickback:params:oauth:grant-type:session";

const RESOURCE_MEMBERS = {
  resource: uri("The API that tokens are for."),
  authorization_servers: texts("Who issues them."),
  bearer_methods_supported: texts("Where a request carries its token."),
  resource_name: { type: "string", minLength: 1, description: "What people call the API." },
};

const RESOURCE_EXAMPLE = {
  resource: "https://api.example.com",
  authorization_servers: ["https://api.example.com"],
  bearer_methods_supported: ["header"],
  resource_name: "api",
};

const PROTECTED_RESOURCE = systemRoute({
  id: "serviceProtectedResource",
  method: "GET",
  path: DISCOVERY_PATHS.protectedResource,
  summary: "Read which tokens this API takes",
  description: "Protected resource metadata (RFC 9728).",
  who: "unasked",
  isStatic: true,
  answers: ok(closed(RESOURCE_MEMBERS), RESOURCE_EXAMPLE),
  codes: [],
});

const MCP_RESOURCE: SystemRoute<"service", "serviceMcpResource"> = {
  ...PROTECTED_RESOURCE,
  id: "serviceMcpResource",
  path: DISCOVERY_PATHS.mcpResource,
  summary: "Read which tokens the tools of language models take",
  description: "Protected resource metadata of `/mcp` (RFC 9728).",
};

const text = (description: string) => ({ type: "string", minLength: 1, description });

/** The address of a problem's `type`: one described path for all codes, public and without a rate limit (contract 2.7). */
export const PROBLEM_OPERATION = systemRoute({
  id: "serviceProblem",
  method: "GET",
  path: `${PROBLEM_PATH}/:code`,
  summary: "Read about a kind of problem",
  description: "Where a problem's `type` leads: a page, or JSON where `Accept` prefers it.",
  who: "unasked",
  isStatic: true,
  parameters: [{
    name: "code",
    in: "path",
    required: true,
    description: "A problem's `code` in kebab-case.",
    schema: { type: "string", enum: PROBLEM_CODES.map(problemSlug) },
  }],
  answers: ok({ type: "string" }, "<!doctype html>", {
    mediaType: "text/html",
    others: {
      "application/json": closed({
        type: { type: "string", format: "uri", description: "Identifies the kind of problem." },
        title: text("What is wrong, the same for each code."),
        status: { type: "integer", description: "The HTTP status." },
        layer: text("Layer that refuses requests so."),
        code: { type: "string", pattern: "^[A-Z_]+$", description: "As in the path, in capitals." },
        hint: text("What to do about it."),
      }),
    },
  }),
  codes: ["ROUTE_NOT_FOUND"],
});
