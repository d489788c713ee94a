/** Lists the routes that a project's own rules open, each with the rule and its place (contract 4.1–4.4). */
import type { Access, Origin, ProjectModel, ResourceModel, TableModel } from "../model/mod.ts";
import type { ActionOperation, FileOperation, Operation, PresignedMethod } from "../surface/mod.ts";
import { actionOperationsOf, fileOperationsOf, fileRouteBy, fileRulesOf } from "../surface/mod.ts";
import { operationsOf, presignedMethodsOf, tableNamed, tableOf } from "../surface/mod.ts";
import type { RowUse } from "./explain.ts";
import { isOpen } from "./judge.ts";

export interface RuledRoute {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  /** True when anonymous callers get past authentication. */
  readonly isOpen: boolean;
  readonly use: RowUse;
  /** Table of the route; null: an action without a table. */
  readonly table: TableModel | null;
  readonly resource: Pick<ResourceModel, "name" | "firewallErrorMode">;
  /** Key path of the rule: `read.access`. */
  readonly rule: string;
  readonly origin: Origin;
  readonly subject:
    | { readonly kind: "operation"; readonly operation: Operation }
    | {
      readonly kind: "file";
      readonly operation: FileOperation;
      /** Method that a pre-signed URL of `presignFile` is for. */
      readonly presigned: PresignedMethod | null;
    }
    | { readonly kind: "action"; readonly operation: ActionOperation };
  /** Status codes of a single request's success. */
  readonly success: readonly number[];
}

export function ruledRoutesOf(model: ProjectModel): readonly RuledRoute[] {
  return [
    ...operationsOf(model).map((operation): RuledRoute => ({
      ...recordRoute(operation, model),
      subject: { kind: "operation", operation },
    })),
    // The rules of a record decide who reads and writes its files.
    ...fileOperationsOf(model).flatMap((operation): readonly RuledRoute[] => {
      const { resource, act } = operation;
      if (act !== "presignFile") return [fileRoute(operation, model, null)];
      const rules = fileRulesOf(resource);
      return presignedMethodsOf(resource).map((method, at) => {
        // The first entry has the operation's own name.
        const id = at === 0 ? operation.id : `${operation.id}_${method}`;
        const rule = rules[method];
        const ruled = rule === null ? operation : fileRouteBy(operation, rule);
        return fileRoute({ ...ruled, id }, model, method);
      });
    }),
    ...actionOperationsOf(model).map((operation): RuledRoute => {
      const { id, method, path, access, kind, action, resource, status } = operation;
      const isAcross = action.unsafe?.crossTenant === true;
      const isSysadminOnly = isAcross || action.unsafe?.adminOnly === true;
      return {
        operationId: id,
        method,
        path,
        access: isSysadminOnly
          ? { kind: "all", of: [access, { kind: "userRole", roles: ["sysadmin"] }] }
          : access,
        isOpen: isOpen(access) && !isAcross,
        use: ACTION_USES[kind],
        // A caller whose input names the tenant needs none of its own.
        table: action.table === null || isAcross || action.tenantOf
          ? null
          : tableNamed(action.table, model),
        resource: resource ?? { name: action.feature, firewallErrorMode: "reveal" },
        rule: "access",
        origin: action.origin,
        subject: { kind: "action", operation },
        success: [status],
      };
    }),
  ];
}

function recordRoute(operation: Operation, model: ProjectModel): Omit<RuledRoute, "subject"> {
  const { id, method, path, access, kind, resource } = operation;
  return {
    operationId: id,
    method,
    path,
    access,
    isOpen: isOpen(access),
    use: USES[kind],
    table: tableOf(resource, model),
    resource,
    rule: rulePath(operation),
    origin: resource.origin,
    success: SUCCESS[kind],
  };
}

function fileRoute(
  operation: FileOperation,
  model: ProjectModel,
  presigned: PresignedMethod | null,
): RuledRoute {
  return {
    ...recordRoute(operation, model),
    subject: { kind: "file", operation, presigned },
    ...(operation.act === "addFile" ? { success: [201] } : {}),
  };
}

/**
 * Uses of rows by operation. A read follows contract 4.1 rule 4; a write's firewall checks the row before its role is checked.
 */
const USES: Readonly<Record<Operation["kind"], RowUse>> = {
  list: "collection",
  view: "collection",
  get: "roleFirst",
  history: "anyRow",
  create: "newRow",
  update: "rowFirst",
  delete: "rowFirst",
  upsert: "roleFirst",
  restore: "deletedRow",
  batchCreate: "newRow",
  batchUpdate: "roleFirst",
  batchDelete: "roleFirst",
  batchUpsert: "roleFirst",
};

const SUCCESS: Readonly<Record<Operation["kind"], readonly number[]>> = {
  list: [200],
  view: [200],
  get: [200],
  history: [200],
  create: [201],
  update: [200],
  delete: [200],
  upsert: [200, 201],
  restore: [200],
  batchCreate: [201],
  batchUpdate: [200],
  batchDelete: [200],
  batchUpsert: [200, 201],
};

function rulePath({ kind, view, batch }: Operation): string {
  if (view !== null) return `read.views.${view.name}.access`;
  if (kind === "list" || kind === "get") return "read.access";
  if (kind === "history") return "audit.access";
  if (kind === "restore") return "delete.restore.access";
  const verb = kind.replace(/^batch/, "").toLowerCase();
  return batch === null ? `${verb}.access` : `${verb}.batch.access`;
}

/** Uses of rows by kind of action (contract 4.4 rules 1 and 2). */
const ACTION_USES: Readonly<Record<ActionOperation["kind"], RowUse>> = {
  recordAction: "rowFirst",
  standaloneAction: "none",
  bulkAction: "roleFirst",
};
