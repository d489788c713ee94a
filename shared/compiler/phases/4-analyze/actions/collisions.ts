/** No action takes the URL of another one, of a resource or of the service (contract 4.4). */
import type { ActionModel } from "../../../../model/action.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { ActionsInput } from "./action_scope.ts";

export interface PlacedAction {
  readonly model: ActionModel;
  readonly place: Place;
}

/** First segments directly under the API base that the service uses itself. */
const SERVICE_SEGMENTS: ReadonlySet<string> = new Set(["token", "changeset", "auth"]);

export function checkCollisions(actions: readonly PlacedAction[], input: ActionsInput): void {
  const taken = new Map<string, ActionModel>();
  for (const { model, place } of actions) {
    if (model.verb !== null) continue;
    const owner = model.kind === "standalone" ? ownerOf(model.path, input) : null;
    if (owner !== null) {
      input.analysis.report.add("ACTION_PATH_RESERVED", place, { path: model.path, owner });
      continue;
    }
    const url = `${model.method} ${shapeOf(model.path)}`;
    const other = taken.get(url);
    if (!other) taken.set(url, model);
    else {
      const { method, path } = model;
      input.analysis.report.add("ACTION_URL_TWICE", place, { method, path, other: other.name });
    }
  }
}

/** Owner of the routes at this path, in words; null: nobody. */
function ownerOf(path: string, { resources }: ActionsInput): string | null {
  const [first = "", second, third, ...rest] = path.slice(1).split("/");
  if (SERVICE_SEGMENTS.has(first)) return "the service";
  if (first.startsWith(":")) return "all resources";
  const resource = resources.find(({ segment }) => segment === first);
  if (!resource) return null;
  const isCollection = second === undefined;
  const isRecord = second?.startsWith(":") && third === undefined;
  const isBelow = (second === "batch" || second === "views") && rest.length === 0;
  return isCollection || isRecord || isBelow ? `resource ${JSON.stringify(resource.name)}` : null;
}

/** Parameters by position: their names tell no URL apart. */
function shapeOf(path: string): string {
  return path.replaceAll(/:[^/]+/g, ":");
}
