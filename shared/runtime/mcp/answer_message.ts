/**
 * Answers one message of the protocol by its official library, which the first request to `/mcp` loads. Each request has its
 * own server and transport, so any instance answers any request. Refuses invalid messages and unknown versions with
 * `VALIDATION_ERROR`.
 */
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { refuse } from "../refusal.ts";
import { type McpExchange, mcpServerFor } from "./mcp_server.ts";
import * as sdk from "./sdk.ts";
import { type Toolbox, toolboxOf } from "./toolbox.ts";

export async function answerMessage(exchange: McpExchange): Promise<Response> {
  const { message, caller, streams } = exchange;
  const { headers, app, principal } = caller;
  requireKnownVersion(headers);
  if (!sdk.JSONRPCMessageSchema.safeParse(message).success) {
    refuse("VALIDATION_ERROR", {
      detail: "The body is no JSON-RPC 2.0 message",
      hint: 'Send { "jsonrpc": "2.0", "id": …, "method": …, "params": … }',
    });
  }
  const faulty = faultyParams(message);
  if (faulty) return faulty;
  let known: Toolbox | null = null;
  const toolbox = () => known ??= toolboxOf(app.project, principal);
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: answersJson(message, headers, toolbox),
  });
  const server = mcpServerFor({ ...exchange, toolbox });
  await server.connect(transport);
  // The request for the library's transport: this function has chosen the media types, and has read the body.
  const version = headers.get(VERSION_HEADER);
  const request = new Request(app.settings.baseUrl, {
    method: "POST",
    headers: {
      accept: `application/json, ${EVENT_STREAM}`,
      "content-type": "application/json",
      ...(version === null ? {} : { [VERSION_HEADER]: version }),
    },
  });
  if (message["method"] === CANCELLED) {
    const { params } = message;
    streams.cancel(caller, isJsonObject(params) ? params["requestId"] : null);
  }
  const answering = transport.handleRequest(request, { parsedBody: message });
  if (!isStreaming(message, toolbox)) return left(await answering, () => server.close());
  const stopped = Promise.withResolvers<Response>();
  const ended = streams.began(caller, message["id"], () => {
    stopped.resolve(new Response(null, { status: 202 }));
    void server.close();
  });
  return left(await Promise.race([answering, stopped.promise]), () => server.close(), ended);
}

/** Method by which a caller cancels a request; it gets no answer. */
const CANCELLED = "notifications/cancelled";

/** Calls `leave` when the reader of the answer disconnects, and `ended` when the answer is complete. */
function left(answer: Response, leave: () => Promise<void>, ended = () => {}): Response {
  if (answer.body === null) ended();
  return new Response(answer.body && endingWith(answer.body, leave, ended), answer);
}

const VERSION_HEADER = "mcp-protocol-version";

function requireKnownVersion(headers: Headers): void {
  const version = headers.get(VERSION_HEADER);
  if (version === null || sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  refuse("VALIDATION_ERROR", {
    detail: "The version in 'MCP-Protocol-Version' is not spoken here",
    hint: `Use one of ${sdk.SUPPORTED_PROTOCOL_VERSIONS.join(", ")}`,
  });
}

/** Answers faulty parameters briefly: the library would send its validator's whole report, as an error of the server. */
function faultyParams(message: JsonObject): Response | null {
  const isKnown = sdk.ClientRequestSchema.options.some(({ shape }) =>
    shape.method.value === message["method"]
  );
  if (!isKnown || !Object.hasOwn(message, "id")) return null;
  if (sdk.ClientRequestSchema.safeParse(message).success) return null;
  const error = { code: sdk.ErrorCode.InvalidParams, message: "Invalid params" };
  return Response.json({ jsonrpc: "2.0", id: message["id"], error });
}

const EVENT_STREAM = "text/event-stream";

/** True when the answer is one JSON body: the client accepts no events, or accepts JSON and the call does not stream. */
function answersJson(message: JsonObject, headers: Headers, toolbox: () => Toolbox): boolean {
  const accept = headers.get("accept") ?? "*/*";
  if (!accept.includes(EVENT_STREAM)) return true;
  return /application\/(?:json|\*)|\*\/\*/.test(accept) && !isStreaming(message, toolbox);
}

function isStreaming({ method, params }: JsonObject, toolbox: () => Toolbox): boolean {
  if (method !== "tools/call" || !isJsonObject(params)) return false;
  const { name } = params;
  return typeof name === "string" && toolbox().get(name)?.isStreaming === true;
}

/** Returns the same bytes; a reader who stops reading ends the work behind them. */
function endingWith(
  body: ReadableStream<Uint8Array>,
  leave: () => Promise<void>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isLeft = false;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (isLeft) return;
      if (!done) return controller.enqueue(value);
      ended();
      controller.close();
    },
    async cancel(reason) {
      isLeft = true;
      ended();
      await leave();
      await reader.cancel(reason);
    },
  });
}
