/** The account routes as operation objects. */
import type { ProjectModel } from "../../../../model/project.ts";
import {
  authBaseOf,
  type AuthOperation,
  authOperationsOf,
} from "../../../../surface/auth_operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { schemaExample } from "../../../../surface/schema/examples.ts";
import { isBodyOptional, MEMBER } from "../../../../surface/accounts/operation.ts";
import { zodJson } from "../../../../surface/schema/zod_json.ts";
import { COMMON_HEADERS, responseRef } from "./component_names.ts";
import { jsonContent } from "./json_content.ts";
import { type PathEntry, templated } from "./path_entry.ts";
import { securityOf } from "./security.ts";
import { ACCOUNTS_TAG } from "./tags.ts";

export function authPathEntries(project: ProjectModel): readonly PathEntry[] {
  const base = authBaseOf(project);
  return authOperationsOf(project).map((operation) => ({
    path: templated(base + operation.path),
    method: operation.method,
    operation: operationObject(operation, project),
  }));
}

function operationObject(operation: AuthOperation, project: ProjectModel): JsonSchema {
  const { id, summary, body, bodyExample, who } = operation;
  const parameters = [...pathParameters(operation), ...queryParameters(operation)];
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
    responses: responsesOf(operation),
  };
}

function responsesOf(operation: AuthOperation): JsonSchema {
  const { success, accepted, redirects } = operation;
  return {
    ...(success === null ? {} : { "200": answered("Success.", success) }),
    ...(accepted === null ? {} : { "202": answered("Begun; it goes on by itself.", accepted) }),
    ...(redirects ? { "302": REDIRECT } : {}),
    ...Object.fromEntries(
      statusesOf(operation).map((status) => [String(status), responseRef("AccountRefusal")]),
    ),
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

function pathParameters({ path }: AuthOperation): readonly JsonSchema[] {
  return path.split("/").filter((segment) => segment.startsWith(":")).map((segment) => ({
    name: segment.slice(1),
    in: "path",
    required: true,
    ...parameterMembers(zodJson(MEMBER.token, "input")),
  }));
}

function queryParameters({ query }: AuthOperation): readonly JsonSchema[] {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: "query",
    required: !schema.safeParse(undefined).success,
    ...parameterMembers(zodJson(schema, "input")),
  }));
}

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
