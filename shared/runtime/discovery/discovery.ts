/** Endpoints that describe the API, with their gates (contract 4.7, 5.5). */
import { DISCOVERY_PATHS, isPublished } from "../../surface/discovery_operations.ts";
import type { AppContext } from "../context.ts";
import type { DocsBrowser } from "../ports.ts";
import type { Endpoint } from "../gate.ts";
import { docsEndpoints } from "./docs.ts";
import { publishedDocument } from "./documents.ts";
import { healthEndpoint } from "./health.ts";
import { PROBLEM_ENDPOINT } from "./problems.ts";
import { llmsEndpoint, robotsEndpoint } from "./texts.ts";
import { apiCatalogEndpoint, oauthEndpoints } from "./well_known.ts";

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
  return [
    description("openapi", openapi, app),
    description("asyncapi", asyncapi, app),
    apiCatalogEndpoint(app),
    ...(app.project.agents.llmsTxt ? [llmsEndpoint(app)] : []),
    ...docsEndpoints(app, docs ?? null),
  ];
}

/** Endpoint of a description that the compiler emitted. */
function description(
  id: "openapi" | "asyncapi",
  text: string,
  { project }: AppContext,
): Endpoint {
  const headers = { "content-type": "application/json" };
  return publishedDocument(id, { path: DISCOVERY_PATHS[id], text, headers }, project);
}
