/** The `unsafe` that a request may rely on: that of the action it runs, by whatever way (contract 4.4 rule 3). */
import type { ActionModel, UnsafeModel } from "../../shared/model/action.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { routeFinder } from "../why/route_at.ts";
import type { RecordedRequest } from "./statement_record.ts";

export type UnsafeOf = (request: Pick<RecordedRequest, "method" | "path" | "body">) =>
  | UnsafeModel
  | null;

export function unsafeFinder(model: ProjectModel): UnsafeOf {
  const find = routeFinder(model);
  return ({ method, path, body }) => {
    const match = find({ method, path: path.split("?")[0] ?? "" });
    if (match.kind !== "ruled") return unsafeNamed(model, body);
    const { subject } = match.route;
    return subject.kind === "action" ? subject.operation.action.unsafe : null;
  };
}

/** A changeset and a tool call name their actions in the body; several that differ are none. */
function unsafeNamed(model: ProjectModel, body: unknown): UnsafeModel | null {
  const called = [...calledTools(body), ...calledInChangeset(body)];
  const named = model.actions.filter((action) => called.some((one) => isCalled(action, one)));
  const [only] = named;
  return named.length === 1 ? only?.unsafe ?? null : null;
}

interface CalledAction {
  /** A tool's name, an action's key, or its name. */
  readonly action: string;
  /** Null: the action's name says it all. */
  readonly resource: string | null;
}

function calledTools(body: unknown): readonly CalledAction[] {
  const params = memberOf(body, "params");
  const names = [memberOf(params, "name"), memberOf(memberOf(params, "arguments"), "action")];
  return names.flatMap((action) => typeof action === "string" ? [{ action, resource: null }] : []);
}

function calledInChangeset(body: unknown): readonly CalledAction[] {
  const operations = memberOf(body, "operations");
  if (!Array.isArray(operations)) return [];
  return operations.flatMap((operation: unknown) => {
    const [action, resource] = [memberOf(operation, "action"), memberOf(operation, "resource")];
    return typeof action === "string" && typeof resource === "string" ? [{ action, resource }] : [];
  });
}

/** Tools have their action's name in snake case, perhaps behind their resource's (docs/mcp.md). */
function isCalled({ key, name, segment, resource }: ActionModel, called: CalledAction): boolean {
  if (called.resource !== null) return called.resource === resource && called.action === name;
  const tool = segment.replaceAll("-", "_");
  return called.action === key || called.action === tool || called.action.endsWith(`_${tool}`);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
