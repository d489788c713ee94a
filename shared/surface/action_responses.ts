/**
 * Codes with which the service itself can refuse each action (contract 4.4, 7.2); the action's own code refuses as it likes.
 */
import type { RuntimeCode } from "../contract/codes.ts";
import type { ProjectModel } from "../model/project.ts";
import type { ActionOperation } from "./action_operations.ts";
import { authenticationCodes } from "./authentication_codes.ts";
import { COMMON_CODES, JSON_BODY_CODES } from "./common_codes.ts";
import { hasOtherSpellings } from "./id_spelling.ts";
import { preconditionCodes } from "./preconditions.ts";
import { whoMayRun } from "./who.ts";

export function actionCodesOf(
  operation: ActionOperation,
  project: ProjectModel,
): readonly RuntimeCode[] {
  const { method, action, rateLimit } = operation;
  const table = project.tables.find(({ name }) => name === action.table);
  const isOpen = whoMayRun(operation) === "anyone";
  const anchor = { revision: action.verb === null ? null : table?.revision ?? null };
  return [
    ...new Set<RuntimeCode>([
      ...COMMON_CODES,
      ...authenticationCodes(project, { method, isRequired: !isOpen }),
      ...(rateLimit === null ? [] : ["RATE_LIMITED" as const]),
      "ACCESS_ROLE_REQUIRED",
      "ACCESS_NO_ORG",
      ...(isOpen ? ["ORG_REQUIRED" as const, "FIREWALL_ORG_ISOLATION" as const] : []),
      ...(namesScopes(operation, project) ? SCOPE_CODES : []),
      ...(operation.kind === "recordAction" && table && hasOtherSpellings(table.idStrategy)
        ? ["ROUTE_NOT_FOUND" as const]
        : []),
      ...kindCodes(operation),
      "VALIDATION_INVALID_INPUT",
      "VALIDATION_ERROR",
      ...(method === "GET" ? [] : JSON_BODY_CODES),
      ...(action.handler === null ? [] : DATABASE_CODES),
      ...preconditionCodes(operation, anchor),
      "ACTION_EXECUTION_FAILED",
    ]),
  ];
}

/** `scopeTo` does, and so do `emitWebhookEvent` and `sendPush`. */
function namesScopes({ action }: ActionOperation, project: ProjectModel): boolean {
  const { webhooks, realtime } = project;
  return action.unsafe !== null ||
    (action.handler !== null && (webhooks.outbound || realtime.push));
}

const SCOPE_CODES: readonly RuntimeCode[] = ["FIREWALL_ORG_ISOLATION", "FIREWALL_USER_ISOLATION"];

/** Database refusals that a handler's writes may meet and its author did not catch. */
const DATABASE_CODES: readonly RuntimeCode[] = [
  "DB_UNIQUE_VIOLATION",
  "DB_NOT_NULL_VIOLATION",
  "DB_REFERENCE_VIOLATION",
];

function kindCodes({ kind, resource }: ActionOperation): readonly RuntimeCode[] {
  switch (kind) {
    case "recordAction":
      return [
        ...(resource?.firewallErrorMode === "hide"
          ? ["NOT_FOUND" as const]
          : ["FIREWALL_NOT_FOUND" as const, "FIREWALL_SOFT_DELETED" as const]),
        "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
        "ACCESS_TRANSITION_LOST",
      ];
    case "standaloneAction":
      return ["ACCESS_TRANSITION_LOST"];
    case "bulkAction":
      return ["BATCH_MISSING_IDS", "BATCH_SIZE_EXCEEDED", "BATCH_FAIL_FAST_STOPPED"];
  }
}
