/** Operations that a changeset may hold (definitions 7 "changeset"): the writes of records, and actions. */
import type { ProjectModel } from "../model/project.ts";
import { type ActionOperation, actionOperationsOf } from "./action_operations.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { registersPush } from "./push.ts";

/** Kinds of operations in a changeset. */
export const CHANGESET_OPS = ["create", "update", "delete", "action"] as const;

export type ChangesetOp = typeof CHANGESET_OPS[number];

/** The operations that a resource has by itself, or hands to an action. */
export const CHANGESET_VERBS = CHANGESET_OPS.filter((op) => op !== "action");

/** The reason that keeps an action out of changesets; null: none. */
export function changesetBar({ kind, method, path, action }: ActionOperation): string | null {
  if (kind === "bulkAction") return "takes several records";
  if (action.responseType !== "json") return `answers with a ${action.responseType}`;
  if (method === "GET") return "only reads";
  const parameters = path.split("/").filter((part) => part.startsWith(":"));
  return parameters.every((name) => kind === "recordAction" && name === ":id")
    ? null
    : "takes parameters in its path";
}

/** The actions that a changeset may hold under `op`: those of the resource's own, or those that a verb runs. */
export function changesetActionsOf(
  project: ProjectModel,
  op: ChangesetOp,
): readonly ActionOperation[] {
  return actionOperationsOf(project).filter((operation) =>
    operation.resource !== null && changesetBar(operation) === null &&
    (operation.action.verb ?? "action") === op
  );
}

/** One that asks others before it writes cannot wait for them in the changeset's transaction. */
export function isChangesetOperation(operation: Operation): boolean {
  return !registersPush(operation);
}

/** The operations of that verb that resources have by themselves. */
export function changesetWritesOf(project: ProjectModel, op: ChangesetOp): readonly Operation[] {
  return operationsOf(project).filter((operation) =>
    operation.kind === op && isChangesetOperation(operation)
  );
}
