/** The account routes as operation objects. */
import type { ProjectModel } from "../../../../model/project.ts";
import {
  authBaseOf,
  type AuthOperation,
  authOperationsOf,
} from "../../../../surface/auth_operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { responseRef } from "./component_names.ts";
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
  const { id, summary, body, bodyExample, needsSession, success, refusals } = operation;
  return {
    operationId: id,
    tags: [ACCOUNTS_TAG],
    summary,
    description: "Answered by the account library, whose refusals are flat JSON.",
    security: needsSession ? SESSION_ONLY : [],
    ...(body === null || bodyExample === null ? {} : {
      requestBody: {
        required: true,
        content: { "application/json": { schema: body, example: bodyExample } },
      },
    }),
    responses: {
      "200": { description: "Success.", content: { "application/json": { schema: success } } },
      ...Object.fromEntries(
        [...refusals, 429, 500].map((status) => [String(status), responseRef("AccountRefusal")]),
      ),
    },
  };
}
