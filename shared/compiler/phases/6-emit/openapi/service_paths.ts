/** The endpoints that belong to no resource as operation objects. */
import type { ProjectModel } from "../../../../model/project.ts";
import { isBodyOptional, MEMBER } from "../../../../surface/accounts/operation.ts";
import {
  authBaseOf,
  type AuthOperation,
  authOperationsOf,
} from "../../../../surface/auth_operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { schemaExample } from "../../../../surface/schema/examples.ts";
import { zodJson } from "../../../../surface/schema/zod_json.ts";
import {
  type ServiceOperation,
  serviceOperationsOf,
} from "../../../../surface/service_operations.ts";
import { COMMON_HEADERS, responseRef, securityOf } from "./component_names.ts";
import { headerParameterRef } from "./parameters.ts";
import {
  ACCOUNTS_TAG,
  jsonContent,
  type PathEntry,
  refusalResponses,
  SERVICE_TAG,
  templated,
} from "./path_entry.ts";

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

/** The account routes as operation objects. */
export function authPathEntries(project: ProjectModel): readonly PathEntry[] {
  const base = authBaseOf(project);
  return authOperationsOf(project).map((operation) => ({
    path: templated(base + operation.path),
    method: operation.method,
    operation: accountOperation(operation, project),
  }));
}

function accountOperation(operation: AuthOperation, project: ProjectModel): JsonSchema {
  const { id, summary, body, bodyExample, who } = operation;
  const parameters = [
    ...operation.path.split("/").filter((segment) => segment.startsWith(":")).map((segment) => ({
      name: segment.slice(1),
      in: "path",
      required: true,
      ...parameterMembers(zodJson(MEMBER.token, "input")),
    })),
    ...Object.entries(operation.query.shape).map(([name, schema]) => ({
      name,
      in: "query",
      required: !schema.safeParse(undefined).success,
      ...parameterMembers(zodJson(schema, "input")),
    })),
  ];
  const { success, accepted, redirects } = operation;
  return {
    operationId: id,
    tags: [ACCOUNTS_TAG],
    summary,
    description: "Answered by the account library, whose refusals are flat JSON.",
    security: securityOf(project, { who }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === null ? {} : {
      requestBody: {
        required: !isBodyOptional(operation),
        content: jsonContent(zodJson(body, "input"), bodyExample),
      },
    }),
    responses: {
      ...(success === null ? {} : { "200": answered("Success.", success) }),
      ...(accepted === null ? {} : { "202": answered("Begun; it goes on by itself.", accepted) }),
      ...(redirects ? { "302": REDIRECT } : {}),
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [String(status), responseRef("AccountRefusal")]),
      ),
    },
  };
}

function answered(description: string, schema: JsonSchema): JsonSchema {
  const content = jsonContent(schema, schemaExample(schema));
  return { description, headers: COMMON_HEADERS, content };
}

const REDIRECT: JsonSchema = {
  description: "Leads on to the address that the link named.",
  headers: {
    ...COMMON_HEADERS,
    Location: { description: "Where to.", required: true, schema: { type: "string" } },
  },
};

/** A parameter has its description beside its schema. */
function parameterMembers({ description, ...schema }: JsonSchema): JsonSchema {
  return { ...(description === undefined ? {} : { description }), schema };
}

/**
 * The service itself refuses a wrong host, a body that is too large, too slow or no JSON, a foreign page, too many attempts,
 * what somebody else took meanwhile, and what broke.
 */
function statusesOf({ method, refusals }: AuthOperation): readonly number[] {
  const own = [400, 429, 500, 503, ...(method === "POST" ? [401, 403, 408, 409, 413, 415] : [])];
  return [...new Set([...refusals, ...own])].sort((a, b) => a - b);
}
