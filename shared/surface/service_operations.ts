/** The endpoints of a generated API that belong to no resource (contract 4.7, definitions 7). */
import type { ProjectModel } from "../model/project.ts";
import { changesetOperationsOf } from "./changeset.ts";
import { discoveryOperationsOf, PROBLEM_OPERATION } from "./discovery_operations.ts";
import { mcpOperationsOf } from "./mcp_operation.ts";
import { closed, type ServiceOperation, serviceOperation } from "./service_operation.ts";
import { realtimeOperationsOf } from "./realtime.ts";
import { tokenOperationsOf } from "./token_operations.ts";

export type { ServiceOperation } from "./service_operation.ts";

export function serviceOperationsOf(project: ProjectModel): readonly ServiceOperation[] {
  return [
    healthOperation(project),
    PROBLEM_OPERATION,
    ...discoveryOperationsOf(project),
    ...tokenOperationsOf(project),
    ...realtimeOperationsOf(project),
    ...changesetOperationsOf(project),
    ...mcpOperationsOf(project),
  ];
}

export function healthOperation(project: ProjectModel): ServiceOperation {
  return serviceOperation({
    id: "serviceHealth",
    method: "GET",
    path: "/health",
    summary: "Report whether the API is up",
    description: "Answers 503 with the same body when the database does not answer.",
    who: "unasked",
    isStatic: true,
    success: closed({
      status: {
        type: "string",
        enum: ["ok", "unavailable"],
        description: "Whether requests can be answered.",
      },
      database: {
        type: "string",
        enum: ["ok", "failed"],
        description: "Whether the database answered.",
      },
      contract: { const: project.contract, description: "Version of the contract that it keeps." },
      version: { type: "string", description: "Version of the compiler that it comes from." },
      project: { const: project.name, description: "Name of the project." },
    }),
    example: {
      status: "ok",
      database: "ok",
      contract: project.contract,
      version: "1.0.0",
      project: project.name,
    },
    otherStatuses: [503],
    codes: [],
  });
}
