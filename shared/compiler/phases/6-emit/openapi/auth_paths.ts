/** The account routes as operation objects. */
import type { ProjectModel } from "../../../../model/project.ts";
import {
  authBaseOf,
  type AuthOperation,
  authOperationsOf,
} from "../../../../surface/auth_operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { schemaExample } from "../../../../surface/schema/schema_example.ts";
import { COMMON_HEADERS, responseRef } from "./component_names.ts";
import { jsonContent } from "./json_content.ts";
import type { PathEntry } from "./path_entry.ts";
import { SESSION_ONLY } from "./security.ts";
import { ACCOUNTS_TAG } from "./tags.ts";

export function authPathEntries(project: ProjectModel): readonly PathEntry[] {
  const base = authBaseOf(project);
  return authOperationsOf(project).map((operation) => ({
    path: base + operation.path,
    method: operation.method,
    operation: operationObject(operation),
  }));
}

function operationObject(operation: AuthOperation): JsonSchema {
  const { id, summary, body, bodyExample, needsSession, success } = operation;
  return {
    operationId: id,
    tags: [ACCOUNTS_TAG],
    summary,
    description: "Answered by the account library, whose refusals are flat JSON.",
    security: needsSession ? SESSION_ONLY : [],
    ...(body === null || bodyExample === null ? {} : {
      requestBody: {
        required: true,
        content: jsonContent(body, bodyExample),
      },
    }),
    responses: {
      "200": {
        description: "Success.",
        headers: COMMON_HEADERS,
        content: jsonContent(success, schemaExample(success)),
      },
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [String(status), responseRef("AccountRefusal")]),
      ),
    },
  };
}

/**
 * The service itself refuses a wrong host, a body that is too large, too slow or no JSON, a foreign page, too many attempts, and
 * what broke.
 */
function statusesOf({ method, refusals }: AuthOperation): readonly number[] {
  const own = [400, 429, 500, 503, ...(method === "POST" ? [401, 403, 408, 413, 415] : [])];
  return [...new Set([...refusals, ...own])].sort((a, b) => a - b);
}
