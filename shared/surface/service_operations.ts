/** The endpoints of a generated API that belong to no resource (contract 4.7, definitions 7). */
import type { ProjectModel } from "../model/project.ts";
import { authenticationCodes } from "./authentication_codes.ts";
import { changesetOperationsOf } from "./changeset.ts";
import { closed, type ServiceOperation, serviceOperation } from "./service_operation.ts";
import { tokenOperationsOf } from "./token_operations.ts";

export type { ServiceOperation } from "./service_operation.ts";

export function serviceOperationsOf(project: ProjectModel): readonly ServiceOperation[] {
  return [
    health(project),
    ...(project.openapi.generate && project.openapi.publish !== false ? [openApi(project)] : []),
    ...tokenOperationsOf(project),
    ...changesetOperationsOf(project),
  ];
}

function health(project: ProjectModel): ServiceOperation {
  return serviceOperation({
    id: "serviceHealth",
    method: "GET",
    path: "/health",
    summary: "Report whether the API is up",
    description: "Answers 503 with the same body when the database does not answer.",
    auth: "none",
    success: closed({
      status: { type: "string", enum: ["ok", "unavailable"] },
      database: { type: "string", enum: ["ok", "failed"] },
      contract: { const: project.contract },
    }),
    example: { status: "ok", database: "ok", contract: project.contract },
    otherStatuses: [503],
    codes: [],
  });
}

function openApi(project: ProjectModel): ServiceOperation {
  const { publish } = project.openapi;
  const isOpen = publish === "public";
  return serviceOperation({
    id: "serviceOpenApi",
    method: "GET",
    path: "/openapi.json",
    summary: "Read this description",
    description: "The OpenAPI document of this API.",
    auth: isOpen ? "none" : "any",
    success: {
      type: "object",
      properties: { openapi: { const: "3.1.0" } },
      required: ["openapi"],
    },
    example: { openapi: "3.1.0" },
    codes: isOpen ? [] : [
      ...authenticationCodes(project, { method: "GET", isRequired: true }),
      ...(publish === "admin" ? ["ACCESS_ROLE_REQUIRED" as const] : []),
    ],
  });
}
