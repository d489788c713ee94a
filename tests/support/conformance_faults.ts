/** Faults that a conformance run must find: an API that obeys a changed model, or something between it and its callers. */
import { type Access, hasRole } from "../../shared/model/access.ts";
import type { ActionModel } from "../../shared/model/action.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { ResourceModel, ViewModel } from "../../shared/model/resource.ts";
import type { TableModel } from "../../shared/model/table.ts";
import { isRecord } from "./api.ts";

export type Send = (request: Request) => Promise<Response>;

export interface Fault {
  readonly name: string;
  /** What the first finding must say. */
  readonly finds: RegExp;
  /** What the API obeys in place of its definitions. */
  readonly change?: (model: ProjectModel) => ProjectModel;
  /** Requests that meet the changed API; others meet the true one. Default: all. */
  readonly when?: (request: Request) => boolean;
  /** Name of the class of callers that finds it. Default: whichever is first. */
  readonly only?: string;
  /** Stands between: `faulty` is the changed API. */
  readonly between?: (request: Request, send: Send, faulty: Send) => Promise<Response>;
}

type Change<T> = (one: T) => T;

/** One resource of a model, changed. */
export function inResource(name: string, change: Change<ResourceModel>): Change<ProjectModel> {
  return (model) => ({ ...model, resources: changedOne(model.resources, name, change) });
}

export function inTable(name: string, change: Change<TableModel>): Change<ProjectModel> {
  return (model) => ({ ...model, tables: changedOne(model.tables, name, change) });
}

export function inAction(key: string, change: Change<ActionModel>): Change<ProjectModel> {
  return (model) => {
    const actions = model.actions.map((one) => one.key === key ? change(one) : one);
    if (!model.actions.some((one) => one.key === key)) throw new Error(`No action "${key}"`);
    return { ...model, actions };
  };
}

function changedOne<T extends { readonly name: string }>(
  all: readonly T[],
  name: string,
  change: Change<T>,
): readonly T[] {
  if (!all.some((one) => one.name === name)) throw new Error(`The model has no "${name}"`);
  return all.map((one) => one.name === name ? change(one) : one);
}

export function withoutPredicate(table: string, kind: string): Change<ProjectModel> {
  return inTable(table, (one) => {
    const firewall = one.firewall.filter((predicate) => predicate.kind !== kind);
    if (firewall.length === one.firewall.length) throw new Error(`"${table}" has no ${kind}`);
    return { ...one, firewall };
  });
}

/** `fields` of the read model, its own access included. */
export function inRead(
  name: string,
  change: Change<NonNullable<ResourceModel["read"]>>,
): Change<ProjectModel> {
  return inResource(name, (resource) => {
    if (resource.read === null) throw new Error(`"${name}" is never read`);
    return { ...resource, read: change(resource.read) };
  });
}

export function inView(
  name: string,
  view: string,
  change: Change<ViewModel>,
): Change<ProjectModel> {
  return inRead(name, (read) => {
    if (!read.views.some((one) => one.name === view)) throw new Error(`No view "${view}"`);
    return { ...read, views: read.views.map((one) => one.name === view ? change(one) : one) };
  });
}

export function withAccess(
  name: string,
  verb: "create" | "update" | "delete",
  access: Access,
): Change<ProjectModel> {
  return inResource(name, (resource) => {
    const write = resource[verb];
    if (write === null) throw new Error(`"${name}" has no ${verb}`);
    return { ...resource, [verb]: { ...write, access } };
  });
}

export function withRestoreAccess(name: string, access: Access): Change<ProjectModel> {
  return inResource(name, (resource) => {
    if (!resource.delete?.restore) throw new Error(`"${name}" restores nothing`);
    return { ...resource, delete: { ...resource.delete, restore: { access } } };
  });
}

export function withBatchAccess(
  name: string,
  verb: "create" | "update" | "delete",
  access: Access,
): Change<ProjectModel> {
  return inResource(name, (resource) => {
    const write = resource[verb];
    if (!write?.batch) throw new Error(`"${name}" has no batch ${verb}`);
    return { ...resource, [verb]: { ...write, batch: { ...write.batch, access } } };
  });
}

export function withoutMasks(name: string): Change<ProjectModel> {
  return inResource(name, (resource) => {
    if (Object.keys(resource.masks).length === 0) throw new Error(`"${name}" masks nothing`);
    return { ...resource, masks: {} };
  });
}

/** The rule with these changed: every part of it, inner ones first. */
export function rewritten(access: Access, change: Change<Access>): Access {
  return access.kind === "all" || access.kind === "any"
    ? change({ ...access, of: access.of.map((part) => rewritten(part, change)) })
    : change(access);
}

/** Roles alone are left. */
export const withoutConditions: Change<Access> = (access) =>
  rewritten(
    access,
    (part) => part.kind === "record" ? { ...part, conditions: [] } : part,
  );

export const ANYONE: Access = hasRole("AUTHENTICATED");

export const pathOf = ({ url }: Request): string => new URL(url).pathname;
export const hasQuery = (name: string) => ({ url }: Request): boolean =>
  new URL(url).searchParams.has(name);
export const isMethod = (...methods: readonly string[]) => ({ method }: Request): boolean =>
  methods.includes(method);
export const isBatch = (request: Request): boolean => pathOf(request).endsWith("/batch");

/** The answer with its JSON changed. */
export async function rewrittenJson(
  response: Response,
  change: (body: Readonly<Record<string, unknown>>) => unknown,
): Promise<Response> {
  if (!/json/.test(response.headers.get("content-type") ?? "")) return response;
  const body: unknown = await response.json();
  return Response.json(isRecord(body) ? change(body) : body, {
    status: response.status,
    headers: withoutLength(response.headers),
  });
}

function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("content-length");
  return kept;
}

/** A layer that answers before those that should have been asked first. */
export function answersFirst(
  judge: (request: Request, text: string) => { status: number; code: string } | null,
): NonNullable<Fault["between"]> {
  return async (request, send) => {
    const text = request.body === null ? "" : await request.clone().text();
    const refusal = judge(request, text);
    if (refusal === null) return await send(request);
    return Response.json(refusal, {
      status: refusal.status,
      headers: { "content-type": "application/problem+json" },
    });
  };
}
