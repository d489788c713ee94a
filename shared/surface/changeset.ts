/** The endpoint of several writes in one transaction (definitions 7 "changeset"): there where the project asks for it. */
import type { RuntimeCode } from "../contract/codes.ts";
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ProjectModel } from "../model/project.ts";
import { actionCodesOf } from "./action_responses.ts";
import { authenticationCodes } from "./authentication_codes.ts";
import { changesetBody } from "./changeset_body.ts";
import {
  CHANGESET_OPS,
  CHANGESET_VERBS,
  changesetActionsOf,
  changesetWritesOf,
} from "./changeset_parts.ts";
import { JSON_BODY_CODES } from "./common_codes.ts";
import type { JsonSchema } from "./parameters.ts";
import { preconditionCodes } from "./preconditions.ts";
import { codesOf } from "./responses.ts";
import { closed, type ServiceOperation, serviceOperation } from "./service_operation.ts";

export function changesetOperationsOf(project: ProjectModel): readonly ServiceOperation[] {
  return project.changeset ? [changeset(project)] : [];
}

/** The route's path, for whoever serves it. */
export function changesetPath(project: ProjectModel): string {
  return `${CONTRACT_VERSIONS[project.contract].apiBase}/changeset`;
}

function changeset(project: ProjectModel): ServiceOperation {
  return serviceOperation({
    id: "serviceChangeset",
    method: "POST",
    path: changesetPath(project),
    summary: "Write several records at once",
    description:
      'All or nothing, in order, each operation as its own route does it, at the cost of its own rate token. An action takes its input as `data`. A value `{ "$ref": "<as>.<member>" }`, as `id` or as a field of `data`, takes what an earlier operation answered. The first refusal is the answer: `details.failedAt` says which operation it was.',
    who: "caller",
    isKeyed: true,
    isBodyRequired: true,
    body: changesetBody(project),
    bodyExample: bodyExample(project),
    success: closed({
      results: {
        type: "array",
        items: { type: "object" },
        description: "What each operation's own route answers, in their order.",
      },
    }),
    example: { results: [] },
    codes: changesetCodes(project),
  });
}

function bodyExample(project: ProjectModel): JsonSchema {
  const [first] = changesetWritesOf(project, "delete");
  const operations = first
    ? [{ op: "delete", resource: first.resource.name, id: "<record_id>" }]
    : [];
  return { operations };
}

/** Codes of the changeset itself and of all its operations. */
function changesetCodes(project: ProjectModel): readonly RuntimeCode[] {
  const path = changesetPath(project);
  const writes = CHANGESET_VERBS.flatMap((op) => changesetWritesOf(project, op));
  const actions = CHANGESET_OPS.flatMap((op) => changesetActionsOf(project, op));
  const own: readonly RuntimeCode[] = [
    ...authenticationCodes(project, { method: "POST", isRequired: true }),
    ...preconditionCodes({ path, method: "POST" }, { revision: null }),
    "VALIDATION_INVALID_INPUT",
    "VALIDATION_ERROR",
    ...JSON_BODY_CODES,
    "BATCH_SIZE_EXCEEDED",
  ];
  // No operation inside has a condition of its own.
  return [
    ...own,
    // What an action's own code refuses with.
    ...(actions.length === 0 ? [] : ["BATCH_FAIL_FAST_STOPPED" as const]),
    ...writes.flatMap((write) => codesOf(write, project)),
    ...actions.flatMap((action) => actionCodesOf(action, project)),
  ].filter((code) => code !== "PRECONDITION_FAILED");
}
