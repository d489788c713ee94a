/** `/.well-known/**` (contract 4.7, 5.5): the API catalog behind the gate, the OAuth documents public. */
import { CONTRACT_VERSIONS } from "../../contract/versions.ts";
import {
  API_CATALOG_MEDIA_TYPE,
  ASYNCAPI_MEDIA_TYPE,
  DISCOVERY_PATHS,
  isAuthorizationServer,
  SESSION_GRANT,
} from "../../surface/discovery_operations.ts";
import { MCP_PATH } from "../../surface/mcp_operation.ts";
import type { AppContext } from "../context.ts";
import type { Endpoint } from "../gate.ts";
import { publicDocument, publishedDocument } from "./documents.ts";

/** RFC 9727. */
export function apiCatalogEndpoint({ project, settings, switches }: AppContext): Endpoint {
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
export function oauthEndpoints({ project, settings }: AppContext): Endpoint[] {
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
    const headers = { "content-type": "application/json" };
    return publicDocument(id, { path, text: JSON.stringify(document), headers }, project);
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
