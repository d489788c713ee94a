/**
 * Lists the operations that one caller may run: those of the project that their roles admit, by resource (contract 5.4, 5.5).
 */
import type { Principal, ProjectModel, ResourceModel, TableModel } from "../../model/mod.ts";
import type { ActionOperation, Operation, OperationKind } from "../../surface/mod.ts";
import { actionOperationsOf, admissionOf, makesRows, operationsOf } from "../../surface/mod.ts";
import { tableNamed, tableOf } from "../../surface/mod.ts";
import { needsOrganization } from "../layers/3-firewall/firewall.ts";
import { actionNeedsOrganization, isSysadminOnly } from "../operations/actions/action_plan.ts";

/** Kinds of operations on one record, or on many. */
export type RecordKind = Exclude<OperationKind, "list" | "view">;

export interface RecordOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The action that the verb runs instead; null: the verb has its ordinary effect. */
  readonly action: ActionOperation | null;
}

export interface ResourceReach {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  readonly list: Operation | null;
  /** Views by name. */
  readonly views: ReadonlyMap<string, Operation>;
  readonly records: ReadonlyMap<RecordKind, RecordOperation>;
}

export interface Reach {
  /** Resources by name; a resource without an operation is absent. */
  readonly resources: ReadonlyMap<string, ResourceReach>;
  /** Actions with a URL of their own: of one record, or standalone. */
  readonly actions: readonly ActionOperation[];
  /** Actions on many records in one request. */
  readonly bulkActions: readonly ActionOperation[];
}

export function reachOf(project: ProjectModel, principal: Principal): Reach {
  const operations = operationsOf(project).filter((one) => {
    const table = tableOf(one.resource, project);
    return admissionOf(one, principal).kind !== "refused" &&
      (principal.organizationId !== null ||
        !needsOrganization({ table, makesRows: makesRows(one.kind) }, principal));
  });
  const actions = actionOperationsOf(project).filter((one) => {
    const { table: name } = one.action;
    const table = name === null ? null : tableNamed(name, project);
    return admissionOf(one, principal).kind !== "refused" &&
      (!isSysadminOnly(one) || principal.userRole === "sysadmin") &&
      (principal.organizationId !== null ||
        !actionNeedsOrganization({ operation: one, table }, principal));
  });
  const resources = project.resources.map((resource): ResourceReach => ({
    resource,
    table: tableOf(resource, project),
    ...reachWithin(operations.filter((one) => one.resource === resource)),
    records: new Map<RecordKind, RecordOperation>([
      ...operations.filter((one) => one.resource === resource).flatMap((
        { kind, id, method, path },
      ) =>
        kind === "list" || kind === "view"
          ? []
          : [[kind, { id, method, path, action: null }] as const]
      ),
      // A verb that runs an action.
      ...actions.filter((one) => one.resource === resource).flatMap((action) => {
        const { id, method, path, action: { verb } } = action;
        return verb === null ? [] : [[verb, { id, method, path, action }] as const];
      }),
    ]),
  }));
  const own = actions.filter(({ action }) => action.verb === null);
  return {
    resources: new Map(
      resources.filter(({ list, views, records }) =>
        list !== null || views.size > 0 || records.size > 0
      ).map((reach) => [reach.resource.name, reach]),
    ),
    actions: own.filter(({ kind }) => kind !== "bulkAction"),
    bulkActions: own.filter(({ kind }) => kind === "bulkAction"),
  };
}

function reachWithin(operations: readonly Operation[]): Pick<ResourceReach, "list" | "views"> {
  return {
    list: operations.find(({ kind }) => kind === "list") ?? null,
    views: new Map(
      operations.flatMap((one) =>
        one.kind === "view" && one.view ? [[one.view.name, one] as const] : []
      ),
    ),
  };
}
