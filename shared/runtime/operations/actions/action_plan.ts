/** What is known of an action before any request (contract 4.4). */
import type { ProjectModel } from "../../../model/project.ts";
import type { TableModel } from "../../../model/table.ts";
import type {
  ActionImplementation,
  ActionImplementations,
} from "../../../surface/action_implementation.ts";
import { type ActionOperation, actionOperationsOf } from "../../../surface/action_operations.ts";
import { isPublic } from "../../../surface/admission.ts";
import { queryPlanOf } from "../../../surface/query_plan.ts";
import {
  recordActionBucket,
  resourceBucket,
  standaloneActionBucket,
} from "../../../surface/rate_buckets.ts";
import { zodSchemaOf } from "../../../surface/schema/zod_schema.ts";
import type { AuditTrail } from "./action_audit.ts";
import type { Call, GatedCall, OperationPlan, RateGate } from "../../context.ts";

export interface ActionPlan {
  readonly operation: ActionOperation;
  readonly implementation: ActionImplementation;
  readonly isPublic: boolean;
  readonly rate: RateGate;
  readonly takesBody: boolean;
  /** That it stands for; null: none. */
  readonly table: TableModel | null;
  /** As which the layers judge its record: a change of it. Null: it has none. */
  readonly change: OperationPlan | null;
}

/** One call of an action. */
export interface ActionCall extends GatedCall {
  readonly plan: ActionPlan;
  /** Of its record; empty where it has none. */
  readonly id: string;
  /** Null: nothing is told of it. */
  readonly audit: AuditTrail | null;
}

export function actionPlansOf(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly ActionPlan[] {
  return actionOperationsOf(project).map((operation) => {
    const { action, access, method } = operation;
    return {
      operation,
      implementation: implementationOf(operation, implementations),
      // Whoever looks past the own tenant is somebody (contract 4.4 rule 3).
      isPublic: isPublic(access) && action.unsafe?.crossTenant !== true,
      rate: rateOf(operation),
      takesBody: method !== "GET",
      table: project.tables.find(({ name }) => name === action.table) ?? null,
      change: operation.kind === "standaloneAction" ? null : changeOf(operation, project),
    };
  });
}

function implementationOf(
  { action }: ActionOperation,
  implementations: ActionImplementations,
): ActionImplementation {
  const known = Object.hasOwn(implementations, action.key)
    ? implementations[action.key]
    : undefined;
  if (known && (known.execute !== null || action.handler === null)) return known;
  if (action.handler === null) {
    return { execute: null, input: zodSchemaOf(action.input), output: null };
  }
  throw new Error(`Action "${action.key}" has no code: give \`actions\` to createApp()`);
}

function rateOf({ action, resource, path, rateLimit }: ActionOperation): RateGate {
  return {
    limit: rateLimit,
    bucketOf(caller) {
      const name = resource?.name ?? action.feature;
      // An operation counts as itself, whatever it runs.
      if (action.verb !== null) return resourceBucket(name, action.verb, caller);
      return action.kind === "record"
        ? recordActionBucket(name, action.name, caller)
        : standaloneActionBucket(path, caller);
    },
  };
}

function changeOf(
  { id, method, path, resource, access }: ActionOperation,
  project: ProjectModel,
): OperationPlan {
  const table = project.tables.find(({ name }) => name === resource?.table);
  if (!resource || !table) throw new Error(`Action "${id}" has no resource`);
  const operation = {
    id,
    kind: "update",
    method: method === "PATCH" || method === "DELETE" ? method : "POST",
    path,
    resource,
    view: null,
    access,
    rate: "update",
    batch: null,
  } as const;
  return {
    operation,
    table,
    isPublic: isPublic(access),
    rate: { limit: null, bucketOf: () => "" },
    query: queryPlanOf(operation, project),
    takesBody: method !== "GET",
    checkBody: null,
  };
}

/** The call as the layers see it. */
export function changeCall({ request, plan, id }: ActionCall): Call {
  if (plan.change === null) throw new Error(`Action "${plan.operation.id}" has no record`);
  return { request, plan: plan.change, id };
}
