/** The endpoints that belong to no resource as operation objects. */
import type { JsonSchema, ServiceOperation } from "../../../../surface/mod.ts";
import { pascalCase, REFERENCE_SCHEMA, serviceOperationsOf } from "../../../../surface/mod.ts";
import { securityOf } from "./component_names.ts";
import type { Components } from "./components.ts";
import { headerParameter } from "./parameters.ts";
import { entriesOf, type PathEntry, SERVICE_TAG } from "./path_entry.ts";
import type { Describing } from "./resource_schemas.ts";
import { answerHeaders, jsonContent, refusalResponses, writeHeaders } from "./responses.ts";

export function servicePathEntries(context: Describing): readonly PathEntry[] {
  const { project, components } = context;
  if (project.changeset) components.refer("schemas", "ChangesetReference", () => REFERENCE_SCHEMA);
  const operations = serviceOperationsOf(project);
  return entriesOf(operations, (operation) => operationObject(operation, context));
}

function operationObject(
  operation: ServiceOperation,
  { project, components }: Describing,
): JsonSchema {
  const { id, summary, description, body, isBodyRequired, isKeyed } = operation;
  const parameters = [
    ...operation.parameters,
    ...(isKeyed ? [headerParameter("IdempotencyKey", components)] : []),
  ];
  return {
    operationId: id,
    tags: [SERVICE_TAG],
    summary,
    description,
    security: securityOf(project, operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === null ? {} : {
      requestBody: {
        required: isBodyRequired,
        content: jsonContent(body, {
          example: operation.bodyExample,
          mediaType: operation.bodyMediaType,
        }),
      },
    }),
    responses: responsesOf(operation, components),
  };
}

const LINKSET = "application/linkset+json";

const LINK: JsonSchema = {
  description: "Where the catalog stands (RFC 9727).",
  required: true,
  schema: { type: "string" },
};

function responsesOf(operation: ServiceOperation, components: Components): JsonSchema {
  const { method, mediaType, success, example, codes, isKeyed } = operation;
  const headers = answerHeaders(components, writeHeaders(method, isKeyed));
  const alternatives = Object.entries(operation.otherContent)
    .map(([name, schema]) => [name, { schema }]);
  // What several statuses have stands once.
  const schema = operation.otherStatuses.length === 0
    ? success
    : components.refer("schemas", pascalCase(operation.id), () => success);
  const content = {
    ...jsonContent(schema, { example, mediaType }),
    ...Object.fromEntries(alternatives),
  };
  const others = operation.otherStatuses.map((status) =>
    [String(status), {
      description: "The same body, telling what is missing.",
      headers: answerHeaders(components),
      content,
    }] as const
  );
  return {
    [operation.successStatus]: {
      description: "Success.",
      headers: mediaType === LINKSET ? { ...headers, Link: LINK } : headers,
      content,
    },
    ...(operation.emptyStatus === null ? {} : {
      [operation.emptyStatus]: { description: "Taken, and nothing to answer.", headers },
    }),
    ...(operation.upgrades ? { "101": { description: "The connection is a WebSocket now." } } : {}),
    ...(operation.redirectStatus === null ? {} : {
      [operation.redirectStatus]: {
        description: "Leads on.",
        headers: { ...headers, Location: LOCATION },
      },
    }),
    ...refusalResponses(codes, { method, isKeyed, forms: operation.refusals }, components),
    ...Object.fromEntries(others),
  };
}

const LOCATION: JsonSchema = {
  description: "Where to.",
  required: true,
  schema: { type: "string" },
};
