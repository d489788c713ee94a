/** The endpoints that belong to no resource as operation objects. */
import type { ProjectModel } from "../../../../model/project.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import {
  type ServiceOperation,
  serviceOperationsOf,
} from "../../../../surface/service_operations.ts";
import { COMMON_HEADERS } from "./component_names.ts";
import { headerParameterRef } from "./header_parameters.ts";
import { jsonContent, refusalResponses } from "./json_content.ts";
import { type PathEntry, templated } from "./path_entry.ts";
import { securityOf } from "./security.ts";
import { SERVICE_TAG } from "./tags.ts";

export function servicePathEntries(project: ProjectModel): readonly PathEntry[] {
  return serviceOperationsOf(project).map((operation) => ({
    path: templated(operation.path),
    method: operation.method,
    operation: operationObject(operation, project),
  }));
}

function operationObject(operation: ServiceOperation, project: ProjectModel): JsonSchema {
  const { id, summary, description, body, isBodyRequired, isKeyed } = operation;
  const parameters = [
    ...operation.parameters,
    ...(isKeyed ? [headerParameterRef("IdempotencyKey")] : []),
  ];
  return {
    operationId: id,
    tags: [SERVICE_TAG],
    summary,
    description,
    security: securityOf(project, operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === null ? {} : {
      requestBody: { required: isBodyRequired, content: jsonContent(body, operation.bodyExample) },
    }),
    responses: responsesOf(operation),
  };
}

const LINKSET = "application/linkset+json";

const LINK: JsonSchema = {
  description: "Where the catalog stands (RFC 9727).",
  required: true,
  schema: { type: "string" },
};

function responsesOf(
  {
    method,
    mediaType,
    success,
    example,
    otherContent,
    emptyStatus,
    otherStatuses,
    upgrades,
    codes,
  }: ServiceOperation,
): JsonSchema {
  const alternatives = Object.entries(otherContent).map(([name, schema]) => [name, { schema }]);
  const content = {
    [mediaType]: { schema: success, example },
    ...Object.fromEntries(alternatives),
  };
  const others = otherStatuses.map((status) =>
    [String(status), {
      description: "The same body, telling what is missing.",
      headers: COMMON_HEADERS,
      content,
    }] as const
  );
  return {
    "200": {
      description: "Success.",
      headers: mediaType === LINKSET ? { ...COMMON_HEADERS, Link: LINK } : COMMON_HEADERS,
      content,
    },
    ...(emptyStatus === null ? {} : {
      [emptyStatus]: { description: "Taken, and nothing to answer.", headers: COMMON_HEADERS },
    }),
    ...(upgrades ? { "101": { description: "The connection is a WebSocket now." } } : {}),
    ...refusalResponses(codes, method),
    ...Object.fromEntries(others),
  };
}
