/** Which `unsafe` a request may stand on: that of the action which it runs, by whatever way (contract 4.4 rule 3). */
import type { ActionModel, UnsafeModel } from "../model/action.ts";
import type { ProjectModel } from "../model/project.ts";
import { routeFinder } from "../conformance/route_at.ts";
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
  const texts = textsIn(body);
  const named = model.actions.filter((action) =>
    texts.some((text) => isNamed(action, text, texts))
  );
  const [only] = named;
  return named.length === 1 ? only?.unsafe ?? null : null;
}

function isNamed(
  { key, name, segment, resource }: ActionModel,
  text: string,
  texts: readonly string[],
): boolean {
  const isOfResource = resource !== null && texts.includes(resource);
  return text === key || (isOfResource && (text === name || text === segment)) ||
    text.endsWith(`_${segment.replaceAll("-", "_")}`);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
