/** Lists the routes that a changeset may contain, by resource: the writes of its records, and its actions (definitions 7). */
import type { ProjectModel, ResourceModel, TableModel } from "../../../model/mod.ts";
import type { ActionImplementations, ChangesetOp } from "../../../surface/mod.ts";
import { CHANGESET_OPS, changesetBar, isChangesetOperation } from "../../../surface/mod.ts";
import type { RateGate } from "../../context.ts";
import type { Admitted, Gate } from "../../gate.ts";
import { requireOrganization } from "../../layers/3-firewall/firewall.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import { auditTrail } from "../actions/action_audit.ts";
import type { AuditTrail } from "../actions/audit_trail.ts";
import { type ActionPlan, actionPlansOf, requireMayRun } from "../actions/action_plan.ts";
import { runAction } from "../actions/action_endpoints.ts";
import { operationRoutes, type Route } from "../endpoints.ts";

/** One operation of a changeset, as a call of its route. */
export interface PartCall {
  readonly request: Admitted;
  /** The record's id; empty where the operation binds no record. */
  readonly id: string;
}

export interface ChangesetRoute {
  readonly rate: RateGate | null;
  readonly home: Gate["home"];
  readonly method: string;
  readonly path: string;
  /** The table whose records' ids the operation takes; null: it binds none. */
  readonly bound: TableModel | null;
  readonly data: "required" | "optional" | "none";
  /** Refuses callers whom the operation never admits. */
  requireAccess(call: PartCall): void;
  /** Returns the audit trail; null: the call leaves no audit row. `call` does not run on the transaction yet. */
  audit(call: PartCall): AuditTrail | null;
  run(call: PartCall, audit: AuditTrail | null): Promise<Response>;
}

/** Routes of one resource. */
interface ResourceRoutes {
  readonly ops: ReadonlyMap<ChangesetOp, ChangesetRoute>;
  /** Actions by name and by URL segment; a text says why the action cannot be part of a changeset. */
  readonly actions: ReadonlyMap<string, ChangesetRoute | string>;
}

/** Routes by the resource's name and by its URL segment. */
export type ChangesetRoutes = ReadonlyMap<string, ResourceRoutes>;

interface Drafted {
  readonly ops: Map<ChangesetOp, ChangesetRoute>;
  readonly actions: Map<string, ChangesetRoute | string>;
}

export function changesetRoutes(
  project: ProjectModel,
  implementations: ActionImplementations,
): ChangesetRoutes {
  const routes = new Map<string, Drafted>();
  for (const { name } of project.resources) routes.set(name, drafted());
  for (const { name, segment } of project.resources) {
    // A segment that is also a resource's name belongs to that resource.
    routes.set(segment, routes.get(segment) ?? routes.get(name) ?? drafted());
  }
  const of = ({ name }: ResourceModel) => routes.get(name) ?? drafted();
  for (const route of operationRoutes(project)) {
    const { kind, resource } = route.plan.operation;
    const op = CHANGESET_OPS.find((one) => one === kind);
    if (op && isChangesetOperation(route.plan.operation)) {
      of(resource).ops.set(op, recordRoute(route));
    }
  }
  for (const plan of actionPlansOf(project, implementations)) {
    const { kind, resource, action } = plan.operation;
    if (resource === null || kind === "bulkAction") continue;
    const route = changesetBar(plan.operation) ?? actionRoute(plan);
    const { ops, actions } = of(resource);
    if (action.verb === null) actions.set(action.segment, route).set(action.name, route);
    else if (typeof route !== "string") ops.set(action.verb, route);
  }
  return routes;
}

function drafted(): Drafted {
  return { ops: new Map(), actions: new Map() };
}

function recordRoute({ plan, handle }: Route): ChangesetRoute {
  const { kind, method, path } = plan.operation;
  return {
    rate: plan.gate.rate,
    home: plan.gate.home,
    method,
    path,
    bound: kind === "create" ? null : plan.table,
    data: kind === "delete" ? "none" : "required",
    requireAccess({ request: { principal } }) {
      requireOrganization(plan, principal);
      requireRole(plan.operation, principal);
    },
    audit: () => null,
    run: ({ request, id }) => handle({ request, plan, id }),
  };
}

function actionRoute(plan: ActionPlan): ChangesetRoute {
  const { method, path } = plan.operation;
  return {
    rate: plan.gate.rate,
    home: plan.gate.home,
    method,
    path,
    bound: plan.records?.table ?? null,
    data: "optional",
    requireAccess: (call) => void requireMayRun({ ...call, plan }),
    audit: (call) => auditTrail({ ...call, plan }),
    run: (call, audit) => runAction({ ...call, plan, audit }),
  };
}
