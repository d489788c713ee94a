/** The API's description as resources of the protocol, for whom the publish gate lets through (contract 5.5). */
import { ErrorCode, McpError, type ReadResourceResult, type Resource } from "./sdk.ts";
import { DISCOVERY_PATHS, isPublished } from "../../surface/discovery_operations.ts";
import { mayReadDescription } from "../discovery/documents.ts";
import type { Admitted } from "../gate.ts";
import type { InnerApi } from "./inner_api.ts";
import { RESOURCE_NOT_FOUND } from "./record_resources.ts";

interface Document extends Omit<Resource, "uri"> {
  readonly path: string;
  /** Of the endpoint. */
  readonly endpoint: string;
  readonly mimeType: string;
}

const OPENAPI: Document = {
  path: DISCOVERY_PATHS.openapi,
  endpoint: "openapi",
  name: "openapi.json",
  title: "API description",
  description: "Every operation over HTTP, with its parameters and answers (OpenAPI 3.1).",
  mimeType: "application/json",
};

const LLMS: Document = {
  path: DISCOVERY_PATHS.llms,
  endpoint: "llmsTxt",
  name: "llms.txt",
  title: "Summary",
  description: "What the API offers, as text.",
  mimeType: "text/plain",
};

export function documentsFor({ app, principal }: Admitted): readonly Resource[] {
  const { project, settings } = app;
  if (!isPublished(project) || !mayReadDescription(project.openapi, principal)) return [];
  return [OPENAPI, ...(project.agents.llmsTxt ? [LLMS] : [])]
    .map(({ path, endpoint: _, ...told }) => ({ uri: settings.baseUrl + path, ...told }));
}

export async function readDocument(
  uri: string,
  { caller, api }: { readonly caller: Admitted; readonly api: InnerApi },
): Promise<ReadResourceResult> {
  const document = [OPENAPI, LLMS].find(({ path }) => caller.app.settings.baseUrl + path === uri);
  const isOffered = documentsFor(caller).some((resource) => resource.uri === uri);
  if (!document || !isOffered) {
    throw new McpError(RESOURCE_NOT_FOUND, "There is no such resource", { uri });
  }
  const { path, endpoint, mimeType } = document;
  const response = await api({
    endpoint,
    method: "GET",
    path,
    query: [],
    headers: {},
    body: null,
    rehearses: false,
  }, caller);
  if (!response.ok) throw new McpError(ErrorCode.InternalError, "The resource cannot be read");
  return { contents: [{ uri, mimeType, text: await response.text() }] };
}
