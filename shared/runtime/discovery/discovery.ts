/** Endpoints that describe the API, with their gates (contract 4.7, 5.5). */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { bySlug, PROBLEM_CODES, PROBLEM_PATH, problemPage } from "../../contract/problem_types.ts";
import { VERSION } from "../../contract/version.ts";
import { CONTRACT_VERSIONS } from "../../contract/versions.ts";
import { prefersJson } from "../../lib/http.ts";
import {
  API_CATALOG_MEDIA_TYPE,
  ASYNCAPI_MEDIA_TYPE,
  DISCOVERY_PATHS,
  isAuthorizationServer,
  isPublished,
  PROBLEM_OPERATION,
  SESSION_GRANT,
} from "../../surface/discovery_operations.ts";
import { llmsText } from "../../surface/llms_text.ts";
import { MCP_PATH } from "../../surface/mcp_operation.ts";
import { healthOperation } from "../../surface/service_operations.ts";
import type { AppContext } from "../context.ts";
import { ping } from "../data/sql.ts";
import { type Endpoint, serviceGate } from "../gate.ts";
import type { DocsBrowser } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { jsonResponse } from "../response/record.ts";
import { docsEndpoints } from "./docs.ts";
import { publicDocument, publishedDocument } from "./documents.ts";

export interface DiscoveryOptions {
  /** The text of `openapi.json`; null: the project has none. */
  readonly openapi: string | null;
  /** The text of `asyncapi.json`, which every project with an `openapi.json` has. */
  readonly asyncapi?: string | null;
  readonly docs?: DocsBrowser;
}

export function discoveryEndpoints(app: AppContext, options: DiscoveryOptions): Endpoint[] {
  return [
    healthEndpoint(app),
    PROBLEM_ENDPOINT,
    ...publishedEndpoints(app, options),
    ...(app.project.agents.robotsTxt ? [robotsEndpoint(app)] : []),
    ...oauthEndpoints(app),
  ];
}

function publishedEndpoints(
  app: AppContext,
  { openapi, asyncapi = null, docs }: DiscoveryOptions,
): Endpoint[] {
  if (openapi === null || !isPublished(app.project)) return [];
  if (asyncapi === null) {
    throw new Error("Cannot start: there is an openapi.json, and no asyncapi.json");
  }
  const { project, settings } = app;
  const { openapi: path, asyncapi: asyncPath, llms } = DISCOVERY_PATHS;
  return [
    publishedDocument("openapi", { path, text: openapi, headers: JSON_TYPE }, project),
    publishedDocument("asyncapi", { path: asyncPath, text: asyncapi, headers: JSON_TYPE }, project),
    apiCatalogEndpoint(app),
    ...(project.agents.llmsTxt
      ? [publishedDocument("llmsTxt", {
        path: llms,
        text: llmsText(project, settings.baseUrl),
        headers: PLAIN,
      }, project)]
      : []),
    ...docsEndpoints(app, docs ?? null),
  ];
}

/** `GET /health`: whether this instance can serve, which takes its database (definitions 7). */
function healthEndpoint({ project }: AppContext): Endpoint {
  const operation = healthOperation(project);
  const { contract, name } = project;
  const about = { contract, version: VERSION, project: name };
  return {
    id: "health",
    method: operation.method,
    path: operation.path,
    gate: serviceGate(operation),
    async handle({ app, database, requestId }) {
      try {
        await ping(database);
        return jsonResponse(JSON.stringify({ status: "ok", database: "ok", ...about }), 200);
      } catch (error) {
        const message = "Database check failed";
        app.ports.logger.log({ level: "error", message, requestId, error });
        const body = { status: "unavailable", database: "failed", ...about };
        return jsonResponse(JSON.stringify(body), 503);
      }
    },
  };
}

const CODES = bySlug(PROBLEM_CODES);

/** `GET /problems/{code}`: what the `type` of a problem document means, for everybody (contract 2.7). */
const PROBLEM_ENDPOINT: Endpoint = {
  id: PROBLEM_OPERATION.id,
  method: PROBLEM_OPERATION.method,
  path: `${PROBLEM_PATH}/:id`,
  gate: serviceGate(PROBLEM_OPERATION),
  // deno-lint-ignore require-await -- What it throws is a rejection, as of every endpoint.
  handle: async (request, slug) => {
    const code = CODES.get(slug) ?? refuse("ROUTE_NOT_FOUND");
    const { baseUrl } = request.app.settings;
    const about = { ...RUNTIME_CODES[code], code };
    return problemPage(about, { baseUrl, asJson: prefersJson(request.headers.get("accept")) });
  },
};

const JSON_TYPE = { "content-type": "application/json" };
const PLAIN = { "content-type": "text/plain; charset=utf-8" };

/** `/robots.txt`, for everyone (contract 4.7, 5.5; RFC 9309). Crawlers have nothing to find in records; the description is theirs where it is everyone's. */
function robotsEndpoint({ project }: AppContext): Endpoint {
  const isOpen = isPublished(project) && project.openapi.publish === "public";
  const allowed = isOpen
    ? [DISCOVERY_PATHS.docs, DISCOVERY_PATHS.llms, DISCOVERY_PATHS.openapi]
    : [];
  const lines = ["User-agent: *", ...allowed.map((path) => `Allow: ${path}`), "Disallow: /"];
  const text = `${lines.join("\n")}\n`;
  return publicDocument(
    "robotsTxt",
    { path: DISCOVERY_PATHS.robots, text, headers: PLAIN },
    project,
  );
}

/** `/.well-known/**` (contract 4.7, 5.5): the API catalog behind the gate, the OAuth documents public. RFC 9727. */
function apiCatalogEndpoint({ project, settings, switches }: AppContext): Endpoint {
  const { baseUrl } = settings;
  const { openapi, asyncapi, docs } = DISCOVERY_PATHS;
  const catalog = {
    linkset: [{
      anchor: baseUrl + switches.apiBase,
      "service-desc": [
        { href: baseUrl + openapi, type: "application/vnd.oai.openapi+json" },
        { href: baseUrl + asyncapi, type: ASYNCAPI_MEDIA_TYPE },
      ],
      ...(project.openapi.docs === false
        ? {}
        : { "service-doc": [{ href: baseUrl + docs, type: "text/html" }] }),
      status: [{ href: `${baseUrl}/health`, type: "application/json" }],
    }],
  };
  return publishedDocument("apiCatalog", {
    path: DISCOVERY_PATHS.apiCatalog,
    text: JSON.stringify(catalog),
    headers: {
      "content-type": API_CATALOG_MEDIA_TYPE,
      link: `<${baseUrl}${DISCOVERY_PATHS.apiCatalog}>; rel="api-catalog"`,
    },
  }, project);
}

/** OAuth metadata (RFC 8414 and RFC 9728), limited to true statements: there is one way to a token, and no consent page. */
function oauthEndpoints({ project, settings }: AppContext): Endpoint[] {
  const { jwt } = project.auth;
  if (jwt === null) return [];
  const { baseUrl } = settings;
  const { apiBase, authBase } = CONTRACT_VERSIONS[project.contract];
  const server = {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}${apiBase}/token`,
    response_types_supported: [],
    grant_types_supported: [SESSION_GRANT],
    token_endpoint_auth_methods_supported: ["none"],
    ...(jwt.algorithm === "EdDSA" ? { jwks_uri: `${baseUrl}${authBase}/jwks` } : {}),
  };
  const resource = {
    resource: baseUrl,
    authorization_servers: [jwt.issuer ?? baseUrl],
    bearer_methods_supported: ["header"],
    resource_name: project.name,
  };
  const json = (id: string, path: string, document: object) => {
    const text = JSON.stringify(document);
    return publicDocument(id, { path, text, headers: JSON_TYPE }, project);
  };
  return [
    ...(isAuthorizationServer(project)
      ? [json("authorizationServer", DISCOVERY_PATHS.authorizationServer, server)]
      : []),
    json("protectedResource", DISCOVERY_PATHS.protectedResource, resource),
    // A path has a document of its own, and clients hold its name against theirs (RFC 9728, 3.1 and 3.3).
    ...(project.agents.mcp
      ? [
        json("mcpResource", DISCOVERY_PATHS.mcpResource, {
          ...resource,
          resource: baseUrl + MCP_PATH,
        }),
      ]
      : []),
  ];
}
