/** Plans one request for each layer of the project: its caller, its path, and the refusal that the layer should give. */
import type { Credential } from "../../../playground/mod.ts";
import type { Access, ActionModel, Principal, ProjectModel } from "../../../shared/model/mod.ts";
import type { ResourceModel } from "../../../shared/model/mod.ts";
import { actionOperationsOf, admissionOf, isPublic } from "../../../shared/surface/mod.ts";
import { refusalOf } from "../../../shared/surface/mod.ts";
import type { ApiRequest } from "./api_client.ts";
import { pathOf, type SampleRows } from "./sample_rows.ts";

/** Caller of the tour, with the facts that the API knows about them. */
export interface Visitor {
  /** Caller's name in the tour: `demo`, `agent`. */
  readonly name: string;
  readonly principal: Principal;
  readonly credential: Credential;
}

export interface TourScene {
  readonly project: ProjectModel;
  /** Visitor who may read and write here. */
  readonly demo: Visitor;
  /** Member with fewer rights; null if the project has no such role. */
  readonly member: Visitor | null;
  readonly rows: SampleRows;
  /** Rows of another tenant. */
  readonly foreignRows: SampleRows;
}

export interface TourStep {
  readonly layer: string;
  /** Step in a few words. */
  readonly title: string;
  readonly visitor: Visitor | null;
  readonly request: ApiRequest;
  /** Members of the answer that are shown. */
  readonly shows: readonly string[];
}

/** Returns the steps in the order of the layers (contract 1.3); a layer that this project never uses has no step. */
export function tourOf(scene: TourScene): readonly TourStep[] {
  return [
    plainRead(scene),
    authentication(scene),
    firewall(scene),
    access(scene),
    guards(scene),
    move(scene),
    masking(scene),
  ].filter((step) => step !== null);
}

/**
 * Returns the role that meets the most layers: it sees a mask, and is refused an operation. Null if the project has no roles.
 */
export function tourRole(project: ProjectModel): string | null {
  const scored = project.auth.roles.map((role) => ({ role, score: scoreOf(role, project) }));
  const best = scored.toSorted((a, b) => b.score - a.score)[0];
  return best && best.score > 0 ? best.role : null;
}

function scoreOf(role: string, project: ProjectModel): number {
  const principal: Principal = {
    credential: "token",
    userId: "nobody",
    organizationId: "nowhere",
    teamId: null,
    roles: [role],
    userRole: null,
  };
  const meetsMask = project.resources.some((resource) =>
    maskedFields(resource, principal).length > 0
  );
  const isRefused = project.resources.some((resource) =>
    resource.delete && !isAdmitted(resource.delete.access, principal)
  );
  const reads =
    project.resources.filter((resource) =>
      resource.read && isAdmitted(resource.read.access, principal)
    ).length;
  return reads === 0 ? 0 : (meetsMask ? 1000 : 0) + (isRefused ? 1000 : 0) + reads;
}

function plainRead(scene: TourScene): TourStep | null {
  const resource = readableBy(scene, scene.demo);
  return resource && {
    layer: "all layers passed",
    title: `${scene.demo.name} lists ${resource.segment}`,
    visitor: scene.demo,
    request: {
      method: "GET",
      path: `${pathOf(resource, scene.project)}?limit=5`,
      credential: scene.demo.credential,
    },
    shows: ["pagination"],
  };
}

function authentication(scene: TourScene): TourStep | null {
  const resource = readableBy(scene, scene.demo, ({ read }) => !!read && !isPublic(read.access));
  return resource && {
    layer: "authentication",
    title: "nobody, without a token",
    visitor: null,
    request: { method: "GET", path: pathOf(resource, scene.project), credential: null },
    shows: ["code"],
  };
}

function firewall(scene: TourScene): TourStep | null {
  const resource = readableBy(
    scene,
    scene.demo,
    ({ name, read }) => scene.foreignRows.has(name) && !!read && !isPublic(read.access),
  );
  return resource && {
    layer: "firewall",
    title: `${scene.demo.name} asks for another tenant's row`,
    visitor: scene.demo,
    request: {
      method: "GET",
      path: `${pathOf(resource, scene.project)}/${scene.foreignRows.get(resource.name)}`,
      credential: scene.demo.credential,
    },
    shows: ["code"],
  };
}

function access({ project, member, rows }: TourScene): TourStep | null {
  const resource = member &&
    project.resources.find((resource) =>
      rows.has(resource.name) && resource.delete && isReached(resource, project) &&
      !isAdmitted(resource.delete.access, member.principal)
    );
  return member && resource
    ? {
      layer: "access",
      title: `${member.name} deletes without the role for it`,
      visitor: member,
      request: {
        method: "DELETE",
        path: `${pathOf(resource, project)}/${rows.get(resource.name)}`,
        credential: member.credential,
      },
      shows: ["code", "details"],
    }
    : null;
}

/** Codes of guards, the most instructive first. */
const GUARD_CODES = [
  "GUARD_FIELD_PROTECTED",
  "GUARD_FIELD_IMMUTABLE",
  "GUARD_FIELD_NOT_UPDATABLE",
  "GUARD_SYSTEM_MANAGED",
] as const;

function guards({ project, demo, rows }: TourScene): TourStep | null {
  const candidates = project.resources.flatMap((resource) => {
    const table = project.tables.find(({ name }) => name === resource.table);
    const id = rows.get(resource.name);
    if (!table || id === undefined || !resource.update) return [];
    if (!isAdmitted(resource.update.access, demo.principal)) return [];
    return table.columns.map((column) => ({
      path: `${pathOf(resource, project)}/${id}`,
      column,
      code: refusalOf("update", column.name, resource, table),
    }));
  });
  const found = GUARD_CODES.map((code) => candidates.find((one) => one.code === code))
    .find((one) => one !== undefined);
  return found
    ? {
      layer: "guards",
      title: `${demo.name} writes ${found.column.name} directly`,
      visitor: demo,
      request: {
        method: "PATCH",
        path: found.path,
        credential: demo.credential,
        body: { [found.column.name]: "changed" },
      },
      shows: ["code", "details"],
    }
    : null;
}

/** Plans a transition that the service makes by itself. It is a dry run: the tour changes no row. */
function move({ project, demo, rows }: TourScene): TourStep | null {
  const suitable = actionOperationsOf(project).find(({ kind, action, resource, access }) =>
    kind === "recordAction" && action.verb === null && action.method === "POST" &&
    action.handler === null && action.transition !== null && action.unsafe === null &&
    resource !== null && rows.has(resource.name) && isAdmitted(access, demo.principal) &&
    leavesFirstState(action, project) && action.input.kind === "object" &&
    action.input.members.every(({ schema }) =>
      schema.kind === "optional" || schema.kind === "default"
    )
  );
  const { resource, action, path } = suitable ?? {};
  return resource && action && path
    ? {
      layer: "action",
      title: `${demo.name} rehearses ${action.name}`,
      visitor: demo,
      request: {
        method: "POST",
        path: `${path.replace(":id", rows.get(resource.name) ?? "")}?dryRun=true`,
        credential: demo.credential,
        body: {},
      },
      shows: ["success", action.transition?.field ?? ""],
    }
    : null;
}

/** True when the transition starts from the state of a new row, as the demo's rows have it. */
function leavesFirstState({ table, transition }: ActionModel, project: ProjectModel): boolean {
  const column = project.tables.find(({ name }) => name === table)?.columns
    .find(({ name }) => name === transition?.field);
  const first = column?.default?.kind === "literal" ? String(column.default.value) : null;
  return first !== null && transition?.target.kind === "to" && transition.guard.length === 0 &&
    (transition.fromTo[first] ?? []).includes(transition.target.state);
}

function masking({ project, demo, member, rows }: TourScene): TourStep | null {
  for (const visitor of [member, demo]) {
    const resource = visitor &&
      project.resources.find((resource) =>
        rows.has(resource.name) && isReached(resource, project) &&
        maskedFields(resource, visitor.principal).length > 0
      );
    if (!visitor || !resource) continue;
    return {
      layer: "masking",
      title: `${visitor.name} reads what is masked for them`,
      visitor,
      request: {
        method: "GET",
        path: `${pathOf(resource, project)}/${rows.get(resource.name)}`,
        credential: visitor.credential,
      },
      shows: maskedFields(resource, visitor.principal),
    };
  }
  return null;
}

/** True when every member can see the resource's rows: no rule of its firewall depends on other rows or other credentials. */
function isReached({ table }: ResourceModel, project: ProjectModel): boolean {
  const firewall = project.tables.find(({ name }) => name === table)?.firewall ?? [];
  return firewall.every(({ kind }) => kind !== "rule");
}

function readableBy(
  { project, rows }: TourScene,
  visitor: Visitor,
  fits: (resource: ResourceModel) => boolean = () => true,
): ResourceModel | null {
  // The resource with the most references to others is the project's main subject.
  return project.resources.filter((resource) =>
    rows.has(resource.name) && resource.read &&
    isAdmitted(resource.read.access, visitor.principal) && fits(resource)
  ).toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? null;
}

function weightOf(resource: ResourceModel): number {
  return (resource.read?.views.length ?? 0) * 10 + resource.labels.length;
}

function isAdmitted(access: Access, principal: Principal): boolean {
  return admissionOf({ access, grant: null }, principal).kind !== "refused";
}

/** Returns columns that this caller may read only masked, even as the row's owner. */
function maskedFields(resource: ResourceModel, principal: Principal): readonly string[] {
  if (!resource.read || !isAdmitted(resource.read.access, principal)) return [];
  return Object.entries(resource.masks)
    .filter(([, rule]) => !rule.showRoles.some((role) => principal.roles.includes(role)))
    .map(([column]) => column);
}
