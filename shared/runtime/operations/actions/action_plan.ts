/** Facts about an action that hold for every request (contract 4.4). */
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { TableModel } from "../../../model/table.ts";
import type {
  ActionImplementation,
  ActionImplementations,
} from "../../../surface/action_implementation.ts";
import { type ActionOperation, actionOperationsOf } from "../../../surface/action_operations.ts";
import type { RowRule } from "../../../surface/admission.ts";
import {
  recordActionBucket,
  resourceBucket,
  standaloneActionBucket,
} from "../../../surface/rate_buckets.ts";
import { zodSchemaOf } from "../../../surface/schema/zod_json.ts";
import { whoMayRun } from "../../../surface/who.ts";
import type { Admitted, Gate } from "../../gate.ts";
import { needsOrganization, type RecordTarget } from "../../layers/3-firewall/scope.ts";
import { requireRole, rolesHeldBy } from "../../layers/4-access/require_role.ts";
import { refuse } from "../../refusal.ts";
import type { AuditTrail } from "./action_audit.ts";

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
      gate: {
        who: whoMayRun(operation),
        rate: {
          limit: operation.rateLimit,
          bucketOf(caller) {
            const name = operation.resource?.name ?? action.feature;
            // An operation counts as itself, whatever it runs.
            if (action.verb !== null) return resourceBucket(name, action.verb, caller);
            return action.kind === "record"
              ? recordActionBucket(name, action.name, caller)
              : standaloneActionBucket(operation.path, caller);
          },
        },
        hasMiddlewares: true,
      },
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

/**
 * Admits callers to an action, and settles its organization (contract 4.4 rules 1 to 3). Refuses with
 * `ACCESS_ROLE_REQUIRED`. Refuses whom neither the access rule nor `unsafe` admits; what is left is asked of the record.
 */
export function requireMayRun(
  { request: { principal }, plan: { operation } }: Pick<ActionCall, "request" | "plan">,
): RowRule | null {
  const rule = requireRole(operation.access, principal);
  if (isSysadminOnly(operation) && principal.userRole !== "sysadmin") {
    refuse("ACCESS_ROLE_REQUIRED", {
      details: { required: ["sysadmin"], current: [...rolesHeldBy(principal)] },
    });
  }
  return rule;
}

/** True when `unsafe` keeps the action for one role, whatever its access rule says (contract 4.4 rule 3). */
export function isSysadminOnly({ action: { unsafe } }: ActionOperation): boolean {
  return unsafe !== null && (unsafe.adminOnly || unsafe.crossTenant);
}

/** Across tenants there is no one organization to act in. */
export function actionNeedsOrganization(
  { table, operation: { action: { unsafe, verb } } }: Pick<ActionPlan, "table" | "operation">,
  principal: Principal,
): boolean {
  if (table === null || unsafe?.crossTenant === true) return false;
  return needsOrganization({ table, makesRows: verb === "create" }, principal);
}
