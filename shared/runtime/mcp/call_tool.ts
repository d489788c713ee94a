/** Runs one call of a tool: interprets its arguments, asks the API, and turns the answer into the tool's result. */
import type { JsonObject } from "../../lib/json_object.ts";
import type { Admitted } from "../gate.ts";
import type { InnerApi } from "./inner_api.ts";
import type { CallToolResult } from "./sdk.ts";
import { streamedResult, type StreamListener } from "./stream_result.ts";
import type { Tool } from "./tool.ts";
import { answerResult, refusedResult, toldResult } from "./tool_result.ts";

interface ToolCall {
  readonly caller: Admitted;
  readonly api: InnerApi;
  readonly args: JsonObject;
  readonly listener: StreamListener;
}

const EVENT_STREAM = "text/event-stream";

export async function callTool(
  tool: Tool | undefined,
  { caller, api, args, listener }: ToolCall,
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
      const { ports: { random }, settings: { baseUrl } } = caller.app;
      const response = await api(meaning.call, caller);
      const options = { random, url: baseUrl + meaning.call.path };
      return response.ok && response.headers.get("content-type")?.startsWith(EVENT_STREAM)
        ? await streamedResult(response, { ...options, listener })
        : await answerResult(response, options);
    }
  }
}
