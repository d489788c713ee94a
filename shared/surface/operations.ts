/**
 * Every endpoint that a model implies: the one list behind the router, 405 `Allow`, OpenAPI and the manifests
 * (contract 4.1, 4.2).
 */
import type { RateOperation } from "../contract/rate_limits.ts";
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { Access } from "../model/access.ts";
import type { ProjectModel } from "../model/project.ts";
import type { ResourceModel } from "../model/resource.ts";
import type { ViewModel } from "../model/view.ts";
import { pascalCase } from "./names.ts";

export type OperationKind = "list" | "view" | "get" | "create" | "update" | "delete";

export interface Operation {
  /** Stable for the same configuration (contract 9.3), unique in the project. */
  readonly id: string;
  readonly kind: OperationKind;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With the contract prefix; path parameters as `:id`. */
  readonly path: string;
  readonly resource: ResourceModel;
  /** The projection that answers: the named view, or the default view of a bare collection. */
  readonly view: ViewModel | null;
  readonly access: Access;
  readonly rate: RateOperation;
}

/** All operations of a project, resources in model order, each resource's in a fixed order. */
export function operationsOf(project: ProjectModel): readonly Operation[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.resources.flatMap((resource) => resourceOperations(resource, base));
}

function resourceOperations(resource: ResourceModel, base: string): Operation[] {
  const collection = `${base}/${resource.segment}`;
  const record = `${collection}/:id`;
  return [
    ...readOperations(resource, collection),
    ...(resource.create
      ? [write("create", "POST", collection, resource, resource.create.access)]
      : []),
    ...(resource.update
      ? [write("update", "PATCH", record, resource, resource.update.access)]
      : []),
    ...(resource.delete
      ? [write("delete", "DELETE", record, resource, resource.delete.access)]
      : []),
  ];
}

function readOperations(resource: ResourceModel, collection: string): Operation[] {
  const { read } = resource;
  if (!read) return [];
  const common = { method: "GET", resource, rate: "read" } as const;
  const defaultView = read.views.find((view) => view.name === read.defaultView) ?? null;
  const name = pascalCase(resource.name);
  return [
    {
      ...common,
      id: `list${name}`,
      kind: "list",
      path: collection,
      view: defaultView,
      access: defaultView?.access ?? read.access,
    },
    {
      ...common,
      id: `get${name}`,
      kind: "get",
      path: `${collection}/:id`,
      view: null,
      access: read.access,
    },
    ...read.views.map((view): Operation => ({
      ...common,
      // The underscore keeps view "commentsOpen" of "ticket" apart from view "open" of "ticketComments".
      id: `view${name}_${pascalCase(view.name)}`,
      kind: "view",
      path: `${collection}/views/${view.segment}`,
      view,
      access: view.access,
    })),
  ];
}

function write(
  kind: "create" | "update" | "delete",
  method: Operation["method"],
  path: string,
  resource: ResourceModel,
  access: Access,
): Operation {
  return {
    id: `${kind}${pascalCase(resource.name)}`,
    kind,
    method,
    path,
    resource,
    view: null,
    access,
    rate: kind,
  };
}
