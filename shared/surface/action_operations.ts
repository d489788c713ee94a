/** Derives every endpoint of a project's actions (contract 4.4), for the router, OpenAPI and the manifests. */
import { CONTRACT_VERSIONS, type RuntimeCode } from "../contract/mod.ts";
import { allOf, hasFiles, isPerOrganization } from "../model/mod.ts";
import type { Access, ActionMethod, ActionModel, ProjectModel } from "../model/mod.ts";
import type { ResourceModel } from "../model/mod.ts";
import { authenticationCodes, COMMON_CODES, JSON_BODY_CODES, RECORD_CODES } from "./codes.ts";
import { hookCodes, updateHooks } from "./record_hooks.ts";
import type { Grant } from "./grants.ts";
import { hasOtherSpellings } from "./ids.ts";
import { pascalCase } from "./names.ts";
import { resourceRate } from "./operations.ts";
import { sentInput } from "./path_input.ts";
import { preconditionCodes } from "./preconditions.ts";
import { recordActionBucket, standaloneActionBucket } from "./rate_buckets.ts";
import { type Route, type RouteRate, SERVICE_TAG } from "./route.ts";
import { whoMayRun } from "./who.ts";

export type ActionKind = "recordAction" | "standaloneAction" | "bulkAction";

export interface ActionOperation extends Route {
  /** Kind of the action: it uses one record, none, or many records in one request. */
  readonly kind: ActionKind;
  readonly method: ActionMethod;
  readonly action: ActionModel;
  readonly resource: ResourceModel | null;
  /** Access rule of the action, and that of the operation that runs it. */
  readonly access: Access;
  readonly grant: Grant;
  readonly rateGate: RouteRate;
  /** Status of a success. */
  readonly status: 200 | 201;
}

type DeclaredAction = Omit<ActionOperation, "tag" | "listedAs" | "feature" | "who" | "keyed">;

/** Completes the record of an action's route. */
function actionRoute(declared: DeclaredAction): ActionOperation {
  const { kind, method, action, resource } = declared;
  return {
    ...declared,
    tag: resource?.name ?? SERVICE_TAG,
    listedAs: kind,
    feature: action.feature,
    who: whoMayRun(declared.access, action),
    // Only JSON responses are stored under an idempotency key.
    keyed: method !== "GET" && action.responseType === "json",
  };
}

/** Returns the operations in the order of the actions' keys. */
export function actionOperationsOf(project: ProjectModel): readonly ActionOperation[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.actions.flatMap((action) => {
    const resource = project.resources.find(({ name }) => name === action.resource) ?? null;
    if (action.verb !== null && resource) {
      // An operation of a resource that runs an action keeps its address, its id, its limit and its status.
      const verb = action.verb;
      const write = resource[verb];
      return [actionRoute({
        ...singleOf(action, resource, base),
        id: `${verb}${pascalCase(resource.name)}`,
        // A create has no existing record to check.
        kind: verb === "create" ? "standaloneAction" : "recordAction",
        access: write === null ? { kind: "nobody" } : allOf(write.access, action.access),
        grant: { resource: resource.name, verbs: [verb] },
        // The operation has the limit of its own verb, whichever action it runs.
        rateGate: resourceRate(resource, verb),
        status: verb === "create" ? 201 : 200,
      })];
    }
    const single = singleOf(action, resource, base);
    return action.bulk && resource
      ? [
        actionRoute(single),
        actionRoute({
          ...single,
          id: single.id.replace(/^run/, "runMany"),
          kind: "bulkAction",
          method: "POST",
          path: `${base}/${resource.segment}/batch/${single.action.segment}`,
        }),
      ]
      : [actionRoute(single)];
  });
}

function singleOf(
  action: ActionModel,
  resource: ResourceModel | null,
  base: string,
): DeclaredAction {
  const name = resource?.name ?? action.feature;
  const path = base + action.path;
  return {
    id: `run${action.key.split(".").map(pascalCase).join("_")}`,
    kind: action.kind === "record" ? "recordAction" : "standaloneAction",
    method: action.method,
    path,
    action,
    resource,
    access: action.access,
    grant: { resource: name, verbs: [action.name] },
    rateGate: {
      limit: action.rateLimit,
      bucketOf: (caller) =>
        action.kind === "record"
          ? recordActionBucket(name, action.name, caller)
          : standaloneActionBucket(path, caller),
    },
    status: 200,
  };
}

/** True when the action does not accept an empty body. */
export function needsInput(operation: Pick<ActionOperation, "path" | "action">): boolean {
  const input = sentInput(operation);
  return input.kind !== "object" ||
    input.members.some(({ schema }) => schema.kind !== "optional" && schema.kind !== "default");
}

/**
 * Returns the codes with which the service itself can refuse each action (contract 4.4, 7.2). The action's own code may refuse
 * with any.
 */
export function actionCodesOf(
  operation: ActionOperation,
  project: ProjectModel,
): readonly RuntimeCode[] {
  const { method, action, rateGate, who } = operation;
  const table = project.tables.find(({ name }) => name === action.table);
  const isOpen = who === "anyone";
  const anchor = { revision: action.verb === null ? null : table?.revision ?? null };
  // `scopeTo` may refuse so, and so may `emitWebhookEvent` and `sendPush`.
  const { webhooks, realtime } = project;
  return [
    ...new Set<RuntimeCode>([
      ...COMMON_CODES,
      ...authenticationCodes(project, { method, isRequired: !isOpen }),
      ...(rateGate.limit === null ? [] : ["RATE_LIMITED" as const]),
      "ACCESS_ROLE_REQUIRED",
      "ACCESS_NO_ORG",
      ...(action.tenantOf
        ? ["FIREWALL_NOT_FOUND" as const]
        : isOpen
        ? ["ORG_REQUIRED" as const, "FIREWALL_ORG_ISOLATION" as const]
        : []),
      ...(isPerOrganization(project) ? ["FIREWALL_ORG_ISOLATION" as const] : []),
      ...(action.unsafe !== null ||
          (action.handler !== null && (webhooks.outbound || realtime.push))
        ? SCOPE_CODES
        : []),
      ...(operation.kind === "recordAction" && table && hasOtherSpellings(table.idStrategy)
        ? ["ROUTE_NOT_FOUND" as const]
        : []),
      ...kindCodes(operation),
      "VALIDATION_INVALID_INPUT",
      "VALIDATION_ERROR",
      ...(method === "GET" ? [] : JSON_BODY_CODES),
      ...(action.handler === null ? [] : [...DATABASE_CODES, "ACTION_TIMEOUT" as const]),
      ...(action.writesRecords ? RECORD_CODES : []),
      ...(action.transition
        ? hookCodes(updateHooks(action.table ?? undefined, project), project)
        : []),
      ...(action.handler === null || !hasFiles(project) ? [] : FILE_CODES),
      ...preconditionCodes(operation, anchor),
      "ACTION_EXECUTION_FAILED",
    ]),
  ];
}

const SCOPE_CODES: readonly RuntimeCode[] = ["FIREWALL_ORG_ISOLATION", "FIREWALL_USER_ISOLATION"];

/** Refusals of a store that a handler's `files` may cause. */
const FILE_CODES: readonly RuntimeCode[] = ["STORAGE_FULL", "STORAGE_UNAVAILABLE"];

/** Database refusals that a handler's writes may cause and its author did not catch. */
const DATABASE_CODES: readonly RuntimeCode[] = [
  "QUOTA_EXCEEDED",
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
