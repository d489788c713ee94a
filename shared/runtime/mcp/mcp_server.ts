/** The protocol's server for one message: what is asked of it, and who answers that. */
import type { JsonObject } from "../../lib/json_object.ts";
import { callTool } from "./call_tool.ts";
import { documentsFor, readDocument } from "./documents.ts";
import type { Admitted } from "../gate.ts";
import type { InnerApi } from "./inner_api.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { listenerFor } from "./listener.ts";
import type { LogLevels } from "./log_levels.ts";
import { completionsFor, promptFor, PROMPTS } from "./prompts.ts";
import { isRecordUri, readRecord, recordTemplates } from "./record_resources.ts";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CompleteRequest,
  CompleteRequestSchema,
  ErrorCode,
  type GetPromptRequest,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type ReadResourceRequest,
  ReadResourceRequestSchema,
  Server,
  type ServerNotification,
  type SetLevelRequest,
  SetLevelRequestSchema,
} from "./sdk.ts";
import type { RunningStreams } from "./running_streams.ts";
import type { Tool } from "./tool.ts";
import { OUTPUT_SCHEMA } from "./tool_result.ts";
import type { Toolbox } from "./toolbox.ts";

export interface McpExchange {
  readonly caller: Admitted;
  readonly api: InnerApi;
  readonly levels: LogLevels;
  readonly streams: RunningStreams;
  /** The JSON-RPC message. */
  readonly message: JsonObject;
}

interface McpServerOptions extends Omit<McpExchange, "message" | "streams"> {
  readonly toolbox: () => Toolbox;
}

export function mcpServerFor(options: McpServerOptions): Server {
  const { caller: { app } } = options;
  const server = new Server(
    { name: app.project.name, version: app.project.contract },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      instructions: INSTRUCTIONS,
    },
  );
  answerTools(server, options);
  answerDocuments(server, options);
  answerPrompts(server, options);
  return server;
}

function answerTools(server: Server, { caller, api, levels, toolbox }: McpServerOptions): void {
  const handle = guardedBy(caller);
  server.setRequestHandler(
    ListToolsRequestSchema,
    handle(() => ({ tools: [...toolbox().values()].map(toldTool) })),
  );
  server.setRequestHandler(
    CallToolRequestSchema,
    handle(({ params }: CallToolRequest, { signal, sendNotification: send }) => {
      const { name, arguments: args = {}, _meta } = params;
      const progressToken = _meta?.progressToken;
      const listener = listenerFor(caller, { levels, signal, progressToken, tool: name, send });
      return callTool(toolbox().get(name), { caller, api, args, listener });
    }),
  );
  server.setRequestHandler(
    SetLevelRequestSchema,
    handle(({ params: { level } }: SetLevelRequest) => {
      levels.keep(caller, level);
      return {};
    }),
  );
}

function answerDocuments(server: Server, { caller, api, toolbox }: McpServerOptions): void {
  const handle = guardedBy(caller);
  server.setRequestHandler(
    ListResourcesRequestSchema,
    handle(() => ({ resources: [...documentsFor(caller)] })),
  );
  server.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    handle(() => ({ resourceTemplates: [...recordTemplates(toolbox())] })),
  );
  server.setRequestHandler(
    ReadResourceRequestSchema,
    handle(({ params: { uri } }: ReadResourceRequest) =>
      isRecordUri(uri)
        ? readRecord(uri, { caller, api, toolbox: toolbox() })
        : readDocument(uri, { caller, api })
    ),
  );
}

function answerPrompts(server: Server, { caller, toolbox }: McpServerOptions): void {
  const { app: { project }, principal } = caller;
  const handle = guardedBy(caller);
  server.setRequestHandler(ListPromptsRequestSchema, handle(() => ({ prompts: [...PROMPTS] })));
  server.setRequestHandler(
    GetPromptRequestSchema,
    handle(({ params }: GetPromptRequest) => promptFor(params, toolbox())),
  );
  server.setRequestHandler(
    CompleteRequestSchema,
    handle(({ params }: CompleteRequest) => completionsFor(params, { project, principal })),
  );
}

/** Context that the library gives with a message. */
interface Extra {
  readonly signal: AbortSignal;
  readonly sendNotification: (notification: ServerNotification) => Promise<void>;
}

/** Guards a method of the server: the caller learns nothing of an error that was thrown (architecture, invariant 5). */
function guardedBy({ app, requestId }: Admitted) {
  return <Message, Result>(
    handler: (message: Message, extra: Extra) => Result | Promise<Result>,
  ) =>
  async (message: Message, extra: Extra): Promise<Result> => {
    try {
      return await handler(message, extra);
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
