/**
 * Serves records as resources of the protocol, by one template: people attach them to a conversation by themselves. A read of
 * one is the call of the tool that reads records, through the same layers.
 */
import { z } from "zod";
import { isJsonObject } from "../../lib/json.ts";
import { uriDecoded } from "../../lib/texts.ts";
import type { Principal, ProjectModel } from "../../model/mod.ts";
import { DISCOVERY_PATHS, isPublished, kebabCase, type ServiceRouteId } from "../../surface/mod.ts";
import { mayReadDescription } from "../discovery/documents.ts";
import type { Admitted } from "../gate.ts";
import type { InnerApi } from "./inner_api.ts";
import { reachOf } from "./reach.ts";
import * as sdk from "./sdk.ts";
import { callOf } from "./tool.ts";
import { untrustedText } from "./tool_result.ts";
import type { Toolbox } from "./toolbox.ts";

const RECORD_TEMPLATE = "quickback://{resource}/{id}";

const RECORD_URI = /^quickback:\/\/([^/?#]+)\/([^/?#]+)$/;
const TOOL = "get_record";
const MEDIA_TYPE = "text/plain";

export function recordTemplates(toolbox: Toolbox): readonly sdk.ResourceTemplate[] {
  if (!toolbox.has(TOOL)) return [];
  return [{
    uriTemplate: RECORD_TEMPLATE,
    name: "record",
    title: "A record",
    description: "One record as you may see it, by the name of its resource and its id.",
    mimeType: MEDIA_TYPE,
  }];
}

/** The protocol's code for a missing resource. */
const RESOURCE_NOT_FOUND = -32002;

export function isRecordUri(uri: string): boolean {
  return RECORD_URI.test(uri);
}

export async function readRecord(
  uri: string,
  caller: Admitted,
  api: InnerApi,
  toolbox: Toolbox,
): Promise<sdk.ReadResourceResult> {
  const [resource, id] = (RECORD_URI.exec(uri) ?? []).slice(1).map((part) => uriDecoded(part));
  // A URI with broken percent escapes names no record.
  if (!resource || !id) throw unreadable(uri);
  // A URI does not show whether an id is a text or, where the database counts, a number.
  const meaning = [id, Number(id)].map((one) => toolbox.get(TOOL)?.mean({ resource, id: one }))
    .find((meaning) => meaning?.kind === "call");
  if (meaning === undefined) throw unreadable(uri);
  const response = await api(meaning.call, caller);
  const text = await response.text();
  if (!response.ok) throw unreadable(uri, CODE.parse(JSON.parse(text)));
  const { random } = caller.app.ports;
  return { contents: [{ uri, mimeType: MEDIA_TYPE, text: untrustedText(text, random) }] };
}

const CODE = z.object({ code: z.string() });

function unreadable(uri: string, why: z.infer<typeof CODE> | null = null): sdk.McpError {
  return new sdk.McpError(RESOURCE_NOT_FOUND, "The record cannot be read", { uri, ...why });
}

interface Document extends Omit<sdk.Resource, "uri"> {
  readonly path: string;
  /** Id of the endpoint. */
  readonly endpoint: ServiceRouteId;
  readonly mimeType: string;
}

const OPENAPI: Document = {
  path: DISCOVERY_PATHS.openapi,
  endpoint: "serviceOpenApi",
  name: "openapi.json",
  title: "API description",
  description: "Every operation over HTTP, with its parameters and answers (OpenAPI 3.1).",
  mimeType: "application/json",
};

const LLMS: Document = {
  path: DISCOVERY_PATHS.llms,
  endpoint: "serviceLlmsTxt",
  name: "llms.txt",
  title: "Summary",
  description: "What the API offers, as text.",
  mimeType: "text/plain",
};

/** Lists the API's description as resources of the protocol, for callers whom the publish gate admits (contract 5.5). */
export function documentsFor({ app, principal }: Admitted): readonly sdk.Resource[] {
  const { project, settings } = app;
  if (!isPublished(project) || !mayReadDescription(project.openapi, principal)) return [];
  return [OPENAPI, ...(project.agents.llmsTxt ? [LLMS] : [])]
    .map(({ path, endpoint: _, ...told }) => ({ uri: settings.baseUrl + path, ...told }));
}

export async function readDocument(
  uri: string,
  caller: Admitted,
  api: InnerApi,
): Promise<sdk.ReadResourceResult> {
  const document = [OPENAPI, LLMS].find(({ path }) => caller.app.settings.baseUrl + path === uri);
  const isOffered = documentsFor(caller).some((resource) => resource.uri === uri);
  if (!document || !isOffered) {
    throw new sdk.McpError(RESOURCE_NOT_FOUND, "There is no such resource", { uri });
  }
  const { path, endpoint, mimeType } = document;
  const { call } = callOf({ endpoint, method: "GET", path });
  const response = await api(call, caller);
  if (!response.ok) {
    throw new sdk.McpError(sdk.ErrorCode.InternalError, "The resource cannot be read");
  }
  return { contents: [{ uri, mimeType, text: await response.text() }] };
}

const OVERVIEW = "overview";
const RESOURCE = "work_with_resource";

export const PROMPTS: readonly sdk.Prompt[] = [
  {
    name: OVERVIEW,
    title: "What can I do here?",
    description: "Has the model tell what this API lets you do.",
  },
  {
    name: RESOURCE,
    title: "Work with a resource",
    description: "Has the model read a resource's description before it does anything.",
    arguments: [{ name: "resource", description: "Which one.", required: true }],
  },
];

/** Builds a prompt that a person may pick: how to begin, or how to work with one resource. */
export function promptFor(
  { name, arguments: args = {} }: sdk.GetPromptRequest["params"],
  toolbox: Toolbox,
): sdk.GetPromptResult {
  switch (name) {
    case OVERVIEW:
      return spoken(
        `Tell me briefly what I can do with these tools: ${[...toolbox.keys()].join(", ")}.`,
      );
    case RESOURCE: {
      const tool = toolbox.get("describe_resource");
      const meaning = tool?.mean({ resource: args["resource"] ?? "" });
      if (meaning?.kind !== "told" || !isJsonObject(meaning.data)) {
        throw new sdk.McpError(sdk.ErrorCode.InvalidParams, "There is no such resource");
      }
      return spoken(
        `We work with "${meaning.data["resource"]}". This is what I may do with it:\n${
          JSON.stringify(meaning.data)
        }\n` +
          "Ask me what to do.",
      );
    }
    default:
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, "There is no such prompt");
  }
}

function spoken(text: string): sdk.GetPromptResult {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}

const COMPLETIONS_MAX = 100;

/** Suggests names of resources that the caller reaches; other arguments get no suggestion. */
export function completionsFor(
  { ref, argument }: sdk.CompleteRequest["params"],
  project: ProjectModel,
  principal: Principal,
): sdk.CompleteResult {
  const isPrompt = ref.type === "ref/prompt";
  const isKnown = isPrompt ? ref.name === RESOURCE : ref.uri === RECORD_TEMPLATE;
  const names = !isKnown || argument.name !== "resource"
    ? []
    : [...reachOf(project, principal).resources.values()]
      .filter(({ records }) => isPrompt || records.has("get"))
      .map(({ resource }) => resource.name)
      .filter((name) =>
        [name.toLowerCase(), kebabCase(name)].some((form) =>
          form.startsWith(argument.value.toLowerCase())
        )
      );
  return {
    completion: {
      values: names.slice(0, COMPLETIONS_MAX),
      total: names.length,
      hasMore: names.length > COMPLETIONS_MAX,
    },
  };
}
