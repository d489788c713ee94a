/** Endpoints that describe the API, with their gates (contract 4.7, 5.5). */
import { CONTRACT_VERSIONS } from "../../contract/mod.ts";
import type { ProjectModel } from "../../model/mod.ts";
import * as surface from "../../surface/discovery_operations.ts";
import { isOauthServer, llmsText, MCP_PATH, OAUTH_PATHS, scopesOf } from "../../surface/mod.ts";
import type { AppContext } from "../context.ts";
import type { Migration } from "../data/migrations.ts";
import type { Endpoint } from "../gate.ts";
import type { DocsBrowser, Metrics } from "../ports.ts";
import type { Handle, Handlers } from "../route_endpoints.ts";
import { docsAssets, docsHandler } from "./docs.ts";
import { publicText, publishedText } from "./documents.ts";
import { metricsEndpoint } from "./metrics.ts";

export interface DiscoveryOptions {
  /** The text of `openapi.json`; null: the project has none. */
  readonly openapi: string | null;
  /** The text of `asyncapi.json`, which every project with an `openapi.json` has. */
  readonly asyncapi?: string | null;
  readonly docs?: DocsBrowser;
  /** Every migration of the project, which `/ready` wants applied; absent: the host does not know them. */
  readonly migrations?: readonly Migration[];
  /** Absent: there is no `/metrics`. */
  readonly metrics?: Metrics;
}

type DocumentId = ReturnType<typeof surface.discoveryOperationsOf>[number]["id"];

/** Handlers of the documents, of those that the project has. */
export function documentHandlers(app: AppContext, options: DiscoveryOptions): Handlers<DocumentId> {
  const { project, settings } = app;
  const { openapi, asyncapi = null, docs } = options;
  const isPublished = openapi !== null && surface.isPublished(project);
  if (isPublished && asyncapi === null) {
    throw new Error("Cannot start: there is an openapi.json, and no asyncapi.json");
  }
  const { docs: browser } = project.openapi;
  return {
    serviceOpenApi: openapi === null ? null : publishedText(openapi, JSON_TYPE),
    serviceAsyncApi: asyncapi === null ? null : publishedText(asyncapi, JSON_TYPE),
    serviceApiCatalog: isPublished ? apiCatalog(app) : null,
    serviceDocs: browser === false || !docs ? null : docsHandler(project, browser),
    serviceLlmsTxt: isPublished && project.agents.llmsTxt
      ? publishedText(llmsText(project, settings.baseUrl), PLAIN)
      : null,
    serviceRobotsTxt: robots(project),
    ...oauthHandlers(app),
  };
}

/** Endpoints that no description has. */
export function undescribedEndpoints(app: AppContext, options: DiscoveryOptions): Endpoint[] {
  const { metrics, migrations = null, openapi, docs = null } = options;
  const isPublished = openapi !== null && surface.isPublished(app.project);
  return [
    ...(metrics ? [metricsEndpoint(app.project, metrics, migrations)] : []),
    ...(isPublished ? docsAssets(app, docs) : []),
  ];
}

const JSON_TYPE = { "content-type": "application/json" };
const PLAIN = { "content-type": "text/plain; charset=utf-8" };

/** `/robots.txt`, for everyone (contract 4.7, 5.5; RFC 9309). Crawlers have nothing to find in records; the description is theirs where it is everyone's. */
function robots(project: ProjectModel): Handle {
  const isOpen = surface.isPublished(project) && project.openapi.publish === "public";
  const allowed = isOpen
    ? [surface.DISCOVERY_PATHS.docs, surface.DISCOVERY_PATHS.llms, surface.DISCOVERY_PATHS.openapi]
    : [];
  const lines = ["User-agent: *", ...allowed.map((path) => `Allow: ${path}`), "Disallow: /"];
  const text = `${lines.join("\n")}\n`;
  return publicText(text, PLAIN);
}

/** `/.well-known/**` (contract 4.7, 5.5): the API catalog behind the gate, the OAuth documents public. RFC 9727. */
function apiCatalog({ project, settings, switches }: AppContext): Handle {
  const { baseUrl } = settings;
  const { openapi, asyncapi, docs } = surface.DISCOVERY_PATHS;
  const catalog = {
    linkset: [{
      anchor: baseUrl + switches.apiBase,
      "service-desc": [
        { href: baseUrl + openapi, type: "application/vnd.oai.openapi+json" },
        { href: baseUrl + asyncapi, type: surface.ASYNCAPI_MEDIA_TYPE },
      ],
      ...(project.openapi.docs === false
        ? {}
        : { "service-doc": [{ href: baseUrl + docs, type: "text/html" }] }),
      status: [{ href: `${baseUrl}/health`, type: "application/json" }],
    }],
  };
  return publishedText(JSON.stringify(catalog), {
    "content-type": surface.API_CATALOG_MEDIA_TYPE,
    link: `<${baseUrl}${surface.DISCOVERY_PATHS.apiCatalog}>; rel="api-catalog"`,
  });
}

/** Addresses at which clients of users get their tokens (RFC 8414, 7009, 7591, 7636, 9207). */
function grantedTokens(baseUrl: string) {
  return {
    authorization_endpoint: baseUrl + OAUTH_PATHS.authorize,
    token_endpoint: baseUrl + OAUTH_PATHS.token,
    registration_endpoint: baseUrl + OAUTH_PATHS.register,
    revocation_endpoint: baseUrl + OAUTH_PATHS.revoke,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    revocation_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  };
}

/** OAuth metadata (RFC 8414 and RFC 9728), limited to true statements: without `agents.oauth` there is one way to a token, and no consent page. */
function oauthHandlers({ project, settings }: AppContext) {
  const { jwt } = project.auth;
  const { baseUrl } = settings;
  const { apiBase, authBase } = CONTRACT_VERSIONS[project.contract];
  const isServer = isOauthServer(project);
  const server = {
    issuer: baseUrl,
    ...(isServer ? grantedTokens(baseUrl) : {
      token_endpoint: `${baseUrl}${apiBase}/token`,
      response_types_supported: [],
      grant_types_supported: [surface.SESSION_GRANT],
    }),
    token_endpoint_auth_methods_supported: ["none"],
    ...(isServer ? { scopes_supported: scopesOf(project) } : {}),
    ...(jwt?.algorithm === "EdDSA" ? { jwks_uri: `${baseUrl}${authBase}/jwks` } : {}),
  };
  const resource = {
    resource: baseUrl,
    authorization_servers: [jwt?.issuer ?? baseUrl],
    bearer_methods_supported: ["header"],
    resource_name: project.name,
    ...(isServer ? { scopes_supported: scopesOf(project) } : {}),
  };
  const json = (document: object) => publicText(JSON.stringify(document), JSON_TYPE);
  return {
    serviceAuthorizationServer: json(server),
    serviceProtectedResource: json(resource),
    // A path has a document of its own, and clients hold its name against theirs (RFC 9728, 3.1 and 3.3).
    serviceMcpResource: json({ ...resource, resource: baseUrl + MCP_PATH }),
  };
}
