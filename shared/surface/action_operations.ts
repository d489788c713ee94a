/** Every endpoint that a project's actions imply (contract 4.4): for the router, OpenAPI and the manifests. */
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ActionMethod, ActionModel } from "../model/action.ts";
import type { ProjectModel } from "../model/project.ts";
import type { ResourceModel } from "../model/resource.ts";
import { pascalCase } from "./names.ts";

export interface ActionOperation {
  /** Stable for the same configuration (contract 9.3), unique in the project. */
  readonly id: string;
  /** One record or none, or many records in one request. */
  readonly kind: "action" | "bulkAction";
  readonly method: ActionMethod;
  /** With the contract prefix; path parameters as `:id`. */
  readonly path: string;
  readonly action: ActionModel;
  readonly resource: ResourceModel | null;
}

/** In the order of their keys; actions that an operation of their resource runs have no endpoint of their own. */
export function actionOperationsOf(project: ProjectModel): readonly ActionOperation[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.actions.filter(({ verb }) => verb === null).flatMap((action) => {
    const resource = project.resources.find(({ name }) => name === action.resource) ?? null;
    const name = action.key.split(".").map(pascalCase).join("_");
    const single: ActionOperation = {
      id: `run${name}`,
      kind: "action",
      method: action.method,
      path: base + action.path,
      action,
      resource,
    };
    return action.bulk && resource
      ? [single, bulkOf(single, `${base}/${resource.segment}`)]
      : [single];
  });
}

function bulkOf(single: ActionOperation, collection: string): ActionOperation {
  return {
    ...single,
    id: single.id.replace(/^run/, "runMany"),
    kind: "bulkAction",
    method: "POST",
    path: `${collection}/batch/${single.action.segment}`,
  };
}
