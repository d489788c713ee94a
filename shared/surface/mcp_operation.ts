/** Describes `/mcp`: the Model Context Protocol over streamable HTTP (contract 5.5, definitions 2 `agents.mcp`). */
import type { ProjectModel } from "../model/mod.ts";
import { authenticationCodes, JSON_BODY_CODES } from "./codes.ts";
import { closed } from "./schema/json_schema.ts";
import { bodyOf, emptyAnswer, ok, systemRoute } from "./system_route.ts";
import type { JsonSchema } from "./parameters.ts";

export const MCP_PATH = "/mcp";

/**
 * Returns the route of `POST` only. There are no sessions to end with `DELETE`, and no messages for a client that keeps a `GET`
 * open.
 */
export function mcpOperationsOf(project: ProjectModel) {
  if (!project.agents.mcp) return [];
  return [systemRoute({
    id: "serviceMcp",
    method: "POST",
    path: MCP_PATH,
    summary: "Call tools as a language model does",
    description:
      "The Model Context Protocol: one JSON-RPC message per request, stateless, answered as JSON or, where only that is accepted, as one server-sent event. The tools are what the caller may do. Cookies are ignored here.",
    who: "header",
    strays: "ignored",
    body: bodyOf(MESSAGE, { jsonrpc: "2.0", id: 1, method: "tools/list" }),
    answers: {
      ...ok(ANSWER, { jsonrpc: "2.0", id: 1, result: { tools: [] } }, {
        others: { "text/event-stream": { type: "string" } },
      }),
      202: emptyAnswer("Taken, and nothing to answer."),
    },
    codes: [
      ...authenticationCodes(project, { method: "POST", isRequired: true }),
      ...JSON_BODY_CODES,
      "VALIDATION_ERROR",
    ],
  })];
}

const VERSION: JsonSchema = { const: "2.0", description: "Of JSON-RPC." };
const ID: JsonSchema = { type: ["string", "integer"], description: "Of the request." };

const MESSAGE: JsonSchema = {
  type: "object",
  description: "A request, a notification or a response (JSON-RPC 2.0).",
  properties: {
    jsonrpc: VERSION,
    id: ID,
    method: { type: "string", description: "Of a request or a notification." },
    params: { type: "object", description: "Of the method." },
    result: { type: "object", description: "Of a response." },
    error: { type: "object", description: "Of a response that failed." },
  },
  required: ["jsonrpc"],
};

const ANSWER: JsonSchema = {
  type: "object",
  description: "What the request asked for, or why not.",
  properties: {
    jsonrpc: VERSION,
    id: ID,
    result: { type: "object", description: "What was asked for." },
    error: {
      ...closed({
        code: { type: "integer", description: "What is wrong, for programs." },
        message: { type: "string", description: "What is wrong." },
      }),
      description: "In place of `result`, when the request failed.",
      additionalProperties: true,
    },
  },
  required: ["jsonrpc", "id"],
  additionalProperties: false,
};
