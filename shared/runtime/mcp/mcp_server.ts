/**
 * The protocol, by its official library: loaded with the first request to `/mcp`. A server and a transport per request:
 * nothing is kept between requests, so that any instance answers any of them.
 */
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ClientRequestSchema,
  type CompleteRequest,
  CompleteRequestSchema,
  ErrorCode,
  type GetPromptRequest,
  GetPromptRequestSchema,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type ReadResourceRequest,
  ReadResourceRequestSchema,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "./sdk.ts";
import type { JsonObject } from "../context.ts";
import { refuse } from "../refusal.ts";
import { documentsFor, readDocument } from "./documents.ts";
import type { InnerApi, McpCaller } from "./inner_api.ts";
import { completionsFor, promptFor, PROMPTS } from "./prompts.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { type Toolbox, toolboxOf } from "./toolbox.ts";
import type { Tool } from "./tool.ts";
import { answerResult, OUTPUT_SCHEMA, refusedResult, toldResult } from "./tool_result.ts";

export interface McpExchange {
  readonly caller: McpCaller;
  readonly api: InnerApi;
  /** The JSON-RPC message, not yet looked at. */
  readonly message: JsonObject;
}

/** Answers one message. Refuses with `VALIDATION_ERROR` what is none, and versions that nobody speaks here. */
export async function answerMessage(exchange: McpExchange): Promise<Response> {
  const { message, caller: { request: { headers, app } } } = exchange;
  requireKnownVersion(headers);
  requireMessage(message);
  const faulty = faultyParams(message);
  if (faulty) return faulty;
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: acceptsJson(headers),
  });
  const server = serverFor(exchange);
  await server.connect(transport);
  const version = headers.get(VERSION_HEADER);
  const request = new Request(app.settings.baseUrl, {
    method: "POST",
    headers: {
      // What is acceptable was decided above.
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(version === null ? {} : { [VERSION_HEADER]: version }),
    },
  });
  const answer = await transport.handleRequest(request, { parsedBody: message });
  return new Response(answer.body, answer);
}

const VERSION_HEADER = "mcp-protocol-version";

function requireKnownVersion(headers: Headers): void {
  const version = headers.get(VERSION_HEADER);
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  refuse("VALIDATION_ERROR", {
    detail: "The version in 'MCP-Protocol-Version' is not spoken here",
    hint: `Use one of ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}`,
  });
}

function requireMessage(message: JsonObject): void {
  if (JSONRPCMessageSchema.safeParse(message).success) return;
  refuse("VALIDATION_ERROR", {
    detail: "The body is no JSON-RPC 2.0 message",
    hint: 'Send { "jsonrpc": "2.0", "id": …, "method": …, "params": … }',
  });
}

/** The library tells its validator's whole account of them, as a failure of its own: a request's fault is told shortly. */
function faultyParams(message: JsonObject): Response | null {
  const isKnown = ClientRequestSchema.options.some(({ shape }) =>
    shape.method.value === message["method"]
  );
  if (!isKnown || !Object.hasOwn(message, "id")) return null;
  if (ClientRequestSchema.safeParse(message).success) return null;
  const error = { code: ErrorCode.InvalidParams, message: "Invalid params" };
  return Response.json({ jsonrpc: "2.0", id: message["id"], error });
}

/** One JSON body unless only events are accepted. */
function acceptsJson(headers: Headers): boolean {
  const accept = headers.get("accept") ?? "*/*";
  return /application\/(?:json|\*)|\*\/\*/.test(accept) || !accept.includes("text/event-stream");
}

function serverFor({ caller, api }: McpExchange): Server {
  const { request: { app }, principal } = caller;
  const server = new Server(
    { name: app.project.name, version: app.project.contract },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: INSTRUCTIONS,
    },
  );
  let known: Toolbox | null = null;
  const toolbox = () => known ??= toolboxOf(app.project, principal);
  const handle = guardedBy(caller);
  server.setRequestHandler(
    ListToolsRequestSchema,
    handle(() => ({ tools: [...toolbox().values()].map(toldTool) })),
  );
  server.setRequestHandler(
    CallToolRequestSchema,
    handle(({ params: { name, arguments: args = {} } }: CallToolRequest) =>
      callTool(toolbox().get(name), args, { caller, api })
    ),
  );
  server.setRequestHandler(
    ListResourcesRequestSchema,
    handle(() => ({ resources: [...documentsFor(caller)] })),
  );
  server.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    handle(() => ({ resourceTemplates: [] })),
  );
  server.setRequestHandler(
    ReadResourceRequestSchema,
    handle(({ params: { uri } }: ReadResourceRequest) => readDocument(uri, { caller, api })),
  );
  server.setRequestHandler(ListPromptsRequestSchema, handle(() => ({ prompts: [...PROMPTS] })));
  server.setRequestHandler(
    GetPromptRequestSchema,
    handle(({ params }: GetPromptRequest) => promptFor(params, toolbox())),
  );
  server.setRequestHandler(
    CompleteRequestSchema,
    handle(({ params }: CompleteRequest) =>
      completionsFor(params, { project: app.project, principal })
    ),
  );
  return server;
}

/** What is thrown tells nothing of itself to the caller (architecture, invariant 5). */
function guardedBy({ request: { app, requestId } }: McpCaller) {
  return <Message, Result>(handler: (message: Message) => Result | Promise<Result>) =>
  async (message: Message): Promise<Result> => {
    try {
      return await handler(message);
    } catch (error) {
      if (error instanceof McpError) throw error;
      app.ports.logger.log({ level: "error", message: "A tool failed", requestId, error });
      throw new McpError(ErrorCode.InternalError, "Internal error", { requestId });
    }
  };
}

function toldTool({ name, title, description, effects, inputSchema }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: "object" as const },
    outputSchema: OUTPUT_SCHEMA,
    annotations: { title, ...effects, openWorldHint: false },
  };
}

async function callTool(
  tool: Tool | undefined,
  args: JsonObject,
  { caller, api }: Pick<McpExchange, "caller" | "api">,
): Promise<CallToolResult> {
  if (tool === undefined) {
    return refusedResult({
      detail: "There is no such tool, or the caller may not use it",
      hint: "List the tools",
    });
  }
  const meaning = tool.mean(args);
  switch (meaning.kind) {
    case "told":
      return toldResult(meaning.data);
    case "refused":
      return refusedResult(meaning.problem);
    case "call": {
      const { ports: { random }, settings: { baseUrl } } = caller.request.app;
      const response = await api(meaning.call, caller);
      return await answerResult(response, { random, url: baseUrl + meaning.call.path });
    }
  }
}
