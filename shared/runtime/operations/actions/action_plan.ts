/** Facts about an action that hold for every request (contract 4.4). */
import type { ProjectModel } from "../../../model/project.ts";
import type { TableModel } from "../../../model/table.ts";
import type {
  ActionImplementation,
  ActionImplementations,
} from "../../../surface/action_implementation.ts";
import { type ActionOperation, actionOperationsOf } from "../../../surface/action_operations.ts";
import {
  recordActionBucket,
  resourceBucket,
  standaloneActionBucket,
} from "../../../surface/rate_buckets.ts";
import { zodSchemaOf } from "../../../surface/schema/zod_json.ts";
import { whoMayRun } from "../../../surface/who.ts";
import type { AuditTrail } from "./action_audit.ts";
import type { RateGate } from "../../context.ts";
import type { Admitted, Gate } from "../../gate.ts";
import type { RecordTarget } from "../../layers/3-firewall/scope.ts";

export interface ActionPlan {
  readonly operation: ActionOperation;
  readonly implementation: ActionImplementation;
  readonly gate: Gate;
  readonly takesBody: boolean;
  /** That it stands for; null: none. */
  readonly table: TableModel | null;
  /** Null: it runs on none. */
  readonly records: RecordTarget | null;
}

/** One call of an action. */
export interface ActionCall {
  readonly request: Admitted;
  readonly plan: ActionPlan;
  /** Of its record; empty where it has none. */
  readonly id: string;
  /** Null: the call leaves no audit row. */
  readonly audit: AuditTrail | null;
}

export function actionPlansOf(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly ActionPlan[] {
  return actionOperationsOf(project).map((operation) => {
    const { action, method } = operation;
    return {
      operation,
      implementation: implementationOf(operation, implementations),
      gate: { who: whoMayRun(operation), rate: rateOf(operation), hasMiddlewares: true },
      takesBody: method !== "GET",
      table: project.tables.find(({ name }) => name === action.table) ?? null,
      records: operation.kind === "standaloneAction" ? null : recordTarget(operation, project),
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

function recordTarget({ id, resource }: ActionOperation, project: ProjectModel): RecordTarget {
  const table = project.tables.find(({ name }) => name === resource?.table);
  if (!resource || !table) throw new Error(`Action "${id}" has no resource`);
  return { resource, table, makesRows: false };
}

/** Of an action that has any. */
export function recordsOf({ operation, records }: ActionPlan): RecordTarget {
  if (records === null) throw new Error(`Action "${operation.id}" has no record`);
  return records;
}
