/** Lists routes on the records of resources (contract 4.1, 4.2). */
import { BATCH_SEGMENT, CONTRACT_VERSIONS, type RateOperation } from "../contract/mod.ts";
import type { Access, BatchModel, ProjectModel, ResourceModel, ViewModel } from "../model/mod.ts";
import type { WriteModel } from "../model/mod.ts";
import { PUSH_SUBSCRIPTIONS } from "../model/mod.ts";
import { type Grant, HISTORY_SEGMENT, RESTORE_SEGMENT, restoreRuleOf } from "./grants.ts";
import { pascalCase } from "./names.ts";
import { resourceBucket } from "./rate_buckets.ts";
import type { Route, RouteRate } from "./route.ts";
import { whoMayAsk } from "./who.ts";

export type OperationKind =
  | "list"
  | "view"
  | "get"
  | "history"
  | "create"
  | "update"
  | "delete"
  | "upsert"
  | "restore"
  | "batchCreate"
  | "batchUpdate"
  | "batchDelete"
  | "batchUpsert";

/** Effect of an operation on each record. */
export type Verb = "read" | "history" | "create" | "update" | "delete" | "upsert" | "restore";

/** The verb of each kind. */
export const VERBS: Readonly<Record<OperationKind, Verb>> = {
  list: "read",
  view: "read",
  get: "read",
  history: "history",
  create: "create",
  update: "update",
  delete: "delete",
  upsert: "upsert",
  restore: "restore",
  batchCreate: "create",
  batchUpdate: "update",
  batchDelete: "delete",
  batchUpsert: "upsert",
};

/** True when the operation may insert a row. */
export function makesRows(kind: OperationKind): boolean {
  const verb = VERBS[kind];
  return verb === "create" || verb === "upsert";
}

export interface Operation extends Route {
  readonly kind: OperationKind;
  readonly resource: ResourceModel;
  /** The projection of the response: the named view, or the default view of a bare collection. */
  readonly view: ViewModel | null;
  readonly access: Access;
  readonly grant: Grant;
  readonly rate: RateOperation;
  readonly rateGate: RouteRate;
  /** Limits of a batch; null: the operation is no batch. */
  readonly batch: BatchModel | null;
}

/** Facts of an operation on records, without the derived ones. */
type DeclaredOperation =
  & Pick<Operation, "id" | "kind" | "method" | "path" | "access" | "grant" | "rate">
  & Partial<Pick<Operation, "view" | "batch">>;

/** Completes the record of a route on a resource's records. */
export function recordRoute(declared: DeclaredOperation, resource: ResourceModel): Operation {
  const { kind, method, access, rate } = declared;
  return {
    view: null,
    batch: null,
    ...declared,
    resource,
    tag: resource.name,
    listedAs: kind,
    feature: resource.feature,
    who: whoMayAsk(access),
    rateGate: resourceRate(resource, rate),
    keyed: method !== "GET",
  };
}

/** Returns the limit of a resource's operation. */
export function resourceRate(
  { name, rateLimits }: Pick<ResourceModel, "name" | "rateLimits">,
  operation: RateOperation,
): RouteRate {
  return {
    limit: rateLimits[operation],
    bucketOf: (caller) => resourceBucket(name, operation, caller),
  };
}

/** Returns all operations of a project, resources in model order, each resource's in a fixed order. */
export function operationsOf(project: ProjectModel): readonly Operation[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.resources.flatMap((resource) => {
    const collection = `${base}/${resource.segment}`;
    return [
      ...readOperations(resource, collection),
      ...writeOperations(resource, collection),
    ];
  });
}

/**
 * Returns paths that belong to no record, and neither do the paths below them: `batch` looks like an id (contract 4.1, 4.4).
 */
export function reservedPathsOf(project: ProjectModel): readonly string[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.resources.map(({ segment }) => `${base}/${segment}/${BATCH_SEGMENT}`);
}

function readOperations(resource: ResourceModel, collection: string): Operation[] {
  const { read } = resource;
  if (!read) return [];
  const grant = { resource: resource.name, verbs: ["read"] };
  const made = (declared: Pick<DeclaredOperation, "id" | "kind" | "path" | "access" | "view">) =>
    recordRoute({ ...declared, method: "GET", rate: "read", grant }, resource);
  const defaultView = read.views.find((view) => view.name === read.defaultView) ?? null;
  const name = pascalCase(resource.name);
  return [
    made({
      id: `list${name}`,
      kind: "list",
      path: collection,
      view: defaultView,
      access: defaultView?.access ?? read.access,
    }),
    made({ id: `get${name}`, kind: "get", path: `${collection}/:id`, access: read.access }),
    ...(resource.audit?.access
      ? [made({
        id: `history${name}`,
        kind: "history",
        path: `${collection}/:id/${HISTORY_SEGMENT}`,
        access: resource.audit.access,
      })]
      : []),
    ...read.views.map((view) =>
      made({
        // The underscore separates the view's name, so that view "commentsOpen" of "ticket" and view "open" of "ticketComments"
        // have different ids.
        id: `view${name}_${pascalCase(view.name)}`,
        kind: "view",
        path: `${collection}/views/${view.segment}`,
        view,
        access: view.access,
      })
    ),
  ];
}

const WRITES = ["create", "update", "delete", "upsert"] as const;

type WriteKind = typeof WRITES[number];

const METHODS: Readonly<Record<WriteKind, Operation["method"]>> = {
  create: "POST",
  update: "PATCH",
  delete: "DELETE",
  upsert: "PUT",
};

function writeOperations(resource: ResourceModel, collection: string): Operation[] {
  const writes = WRITES.flatMap((kind) => {
    const write = resource[kind];
    return write ? [{ kind, write }] : [];
  });
  return [
    // A write that runs an action is in the list of actions (`action_operations.ts`).
    ...writes.filter(({ write }) => write.action === null)
      .map(({ kind, write }) =>
        recordRoute({
          id: `${kind}${pascalCase(resource.name)}`,
          kind,
          method: METHODS[kind],
          path: kind === "create" ? collection : `${collection}/:id`,
          access: write.access,
          grant: grantOf(kind, resource),
          rate: rateOf(kind),
        }, resource)
      ),
    ...restorations(resource, collection),
    ...writes.flatMap(({ kind, write }) => batchOf(kind, write, resource, collection)),
  ];
}

function restorations(resource: ResourceModel, collection: string): Operation[] {
  const ruled = restoreRuleOf(resource);
  if (ruled === null) return [];
  return [recordRoute({
    ...ruled,
    id: `restore${pascalCase(resource.name)}`,
    kind: "restore",
    method: "POST",
    path: `${collection}/:id/${RESTORE_SEGMENT}`,
    rate: "update",
  }, resource)];
}

/**
 * Returns the batch of a write. A verb that runs an action has none, because a batch would bypass the action (contract 4.1 rule
 * 9).
 */
function batchOf(
  kind: WriteKind,
  { batch, action }: WriteModel,
  resource: ResourceModel,
  collection: string,
): Operation[] {
  if (batch === null || action !== null) return [];
  return [recordRoute({
    id: `batch${pascalCase(kind)}${pascalCase(resource.name)}`,
    kind: BATCH_KINDS[kind],
    method: METHODS[kind],
    path: `${collection}/batch`,
    access: batch.access,
    grant: grantOf(kind, resource),
    rate: rateOf(kind),
    batch,
  }, resource)];
}

const BATCH_KINDS = {
  create: "batchCreate",
  update: "batchUpdate",
  delete: "batchDelete",
  upsert: "batchUpsert",
} as const satisfies Record<WriteKind, OperationKind>;

function grantOf(kind: WriteKind, { name }: ResourceModel): Grant {
  return { resource: name, verbs: kind === "upsert" ? ["create", "update"] : [kind] };
}

/** Returns the operation whose limit a write has. Contract 8.1 has no limit for an upsert: it counts as an update. */
function rateOf(kind: WriteKind): RateOperation {
  return kind === "upsert" ? "update" : kind;
}

/**
 * True for the operation that registers a push subscription. It sends the destination's name to a resolver before it writes
 * (contract 8.2).
 */
export function registersPush({ kind, resource }: Pick<Operation, "kind" | "resource">): boolean {
  return kind === "create" && resource.builtIn === PUSH_SUBSCRIPTIONS;
}
