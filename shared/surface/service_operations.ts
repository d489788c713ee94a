/** Lists the endpoints of a generated API that belong to no resource (contract 4.7, definitions 7). */
import type { ProjectModel } from "../model/mod.ts";
import { changesetOperationsOf } from "./changeset.ts";
import { discoveryOperationsOf, PROBLEM_OPERATION } from "./discovery_operations.ts";
import { jobOperationsOf } from "./job_operations.ts";
import { mcpOperationsOf } from "./mcp_operation.ts";
import { oauthOperationsOf } from "./oauth_operations.ts";
import { closed } from "./schema/json_schema.ts";
import { okOrUnavailable, type SystemRoute, systemRoute } from "./system_route.ts";
import { realtimeOperationsOf } from "./realtime.ts";
import { tokenOperationsOf } from "./token_operations.ts";
import { webhookOperationsOf } from "./webhook_operations.ts";

export const HEALTH_PATH = "/health";
export const READY_PATH = "/ready";
/** Path of the metrics. No description lists it, because it is for the API's operators. */
export const METRICS_PATH = "/metrics";

/** Returns the routes. The runtime has a handler for each id; the return type lists all ids. */
export function serviceOperationsOf(project: ProjectModel) {
  return [
    healthOperation(project),
    READY_OPERATION,
    PROBLEM_OPERATION,
    ...discoveryOperationsOf(project),
    ...tokenOperationsOf(project),
    ...realtimeOperationsOf(project),
    ...changesetOperationsOf(project),
    ...mcpOperationsOf(project),
    ...oauthOperationsOf(project),
  ];
}

/** Ids of the routes of the service that need a handler of their own. */
export type ServiceRouteId = ReturnType<typeof serviceOperationsOf>[number]["id"];

/** Returns the routes of the service except those of files' addresses, in the order of their descriptions. */
export function systemRoutesOf(project: ProjectModel): readonly SystemRoute[] {
  return [
    ...serviceOperationsOf(project),
    ...webhookOperationsOf(project),
    ...jobOperationsOf(project),
  ];
}

export function healthOperation(project: ProjectModel) {
  return systemRoute({
    id: "serviceHealth",
    method: "GET",
    path: HEALTH_PATH,
    summary: "Report whether the API is up",
    description: "Answers 503 with the same body when the database does not answer.",
    who: "unasked",
    isStatic: true,
    answers: okOrUnavailable(
      "ServiceHealth",
      closed({
        status: {
          type: "string",
          enum: ["ok", "unavailable"],
          description: "Whether requests can be answered.",
        },
        database: {
          type: "object",
          properties: {
            mode: {
              type: "string",
              enum: ["file", "remote", "replica"],
              description:
                "Where it is: in a file beside the API, on a server, or on a server with a copy beside the API.",
            },
            reachable: {
              type: "boolean",
              description: "Whether it answered; of a copy, whether its primary did.",
            },
            behindFrames: {
              type: "integer",
              minimum: 0,
              description: "Of a copy: pages that the primary is known to have written since.",
            },
            behindMs: {
              type: "integer",
              minimum: 0,
              description: "Of a copy: milliseconds since it was known to have all.",
            },
          },
          required: ["mode", "reachable"],
          additionalProperties: false,
          description: "The API's database.",
        },
        contract: {
          const: project.contract,
          description: "Version of the contract that it keeps.",
        },
        version: { type: "string", description: "Version of the compiler that it comes from." },
        project: { const: project.name, description: "Name of the project." },
      }),
      {
        status: "ok",
        database: { mode: "file", reachable: true },
        contract: project.contract,
        version: "1.0.0",
        project: project.name,
      },
    ),
    codes: [],
  });
}

const CHECK = { type: "string", enum: ["ok", "failed"] };

/** Route `GET /ready`, for programs that decide where to send requests. */
export const READY_OPERATION = systemRoute({
  id: "serviceReady",
  method: "GET",
  path: READY_PATH,
  summary: "Report whether the API may be sent requests",
  description: "Answers 503 with the same body when one of its checks failed.",
  who: "unasked",
  isStatic: true,
  answers: okOrUnavailable("ServiceReady", {
    type: "object",
    properties: {
      ready: { type: "boolean", description: "Whether every check is ok." },
      checks: {
        type: "object",
        description: "The checks by name.",
        properties: {
          database: { ...CHECK, description: "The database answers." },
          migrations: { ...CHECK, description: "No migration of this API waits." },
          copy: { ...CHECK, description: "The copy of the database is young enough." },
        },
        required: ["database"],
        additionalProperties: false,
      },
    },
    required: ["ready", "checks"],
    additionalProperties: false,
  }, { ready: true, checks: { database: "ok", migrations: "ok" } }),
  codes: [],
});
