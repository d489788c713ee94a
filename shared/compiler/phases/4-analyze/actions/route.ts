/** Reads the method and path of an action and checks that no other action has them (contract 4.1 rule 9, 4.4). */
import { BATCH_SEGMENT } from "../../../../contract/mod.ts";
import { rulesOf } from "../../../../column_types/mod.ts";
import type { ActionMethod, ActionModel, MappedVerb } from "../../../../model/mod.ts";
import { HISTORY_SEGMENT, kebabCase, RESTORE_SEGMENT } from "../../../../surface/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import { read } from "../read/read_member.ts";
import type { ActionScope, ActionsInput, Route } from "./action_scope.ts";

const VERB_METHODS: Readonly<Record<MappedVerb, ActionMethod>> = {
  create: "POST",
  update: "PATCH",
  delete: "DELETE",
};

/** Returns the route; null if it is wrong, which is reported. */
export function readRoute(scope: ActionScope): Route | null {
  const { fields, found, resource, verb } = scope;
  const method = read(fields, "method") ?? "POST";
  if (verb !== null) {
    const own = fields.entries.get("path") ?? fields.entries.get("method");
    if (own) {
      scope.analysis.report.add("ACTION_MAPPED_PATH", own.keyPlace, { action: found.name, verb });
    }
    if (!resource) return null;
    const collection = `/${resource.segment}`;
    return {
      method: VERB_METHODS[verb],
      path: verb === "create" ? collection : `${collection}/:id`,
    };
  }
  if (fields.entries.has("path")) {
    const path = readPath(scope);
    return path === null ? null : { method, path };
  }
  if (resource) return { method, path: `/${resource.segment}/:id/${kebabCase(found.name)}` };
  reportMissingResource(scope);
  return null;
}

function reportMissingResource({ analysis, found, table }: ActionScope): void {
  if (analysis.brokenFiles.size > 0) return;
  if (!table) {
    return analysis.report.add("ACTION_WITHOUT_TABLE", found.place, { action: found.name });
  }
  const details = { action: found.name, table: table.name };
  analysis.report.add("ACTION_WITHOUT_RESOURCE", found.place, details);
}

const PATH_MAX = 200;
const SEGMENT = /^(?::[A-Za-z][A-Za-z0-9]*|[A-Za-z0-9._~-]+)$/;

/**
 * Returns the path below the contract prefix. `./name` is below the resource, or below the feature if the action has no
 * resource.
 */
function readPath({ fields, found, resource, analysis }: ActionScope): string | null {
  const word = read(fields, "path");
  if (!word) return null;
  const problem = pathProblem(word.text);
  if (problem !== null) {
    analysis.report.add("ACTION_PATH_INVALID", word.place, { path: word.text, problem });
    return null;
  }
  const area = resource?.segment ?? kebabCase(found.feature);
  return word.text.startsWith("./") ? `/${area}${word.text.slice(1)}` : word.text;
}

function pathProblem(path: string): string | null {
  if (!path.startsWith("/") && !path.startsWith("./")) return 'must begin with "/" or "./"';
  if (path.length > PATH_MAX) return `is longer than ${PATH_MAX} characters`;
  const segments = path.slice(path.indexOf("/") + 1).split("/");
  if (segments.some((segment) => segment === "")) return "has an empty segment";
  if (segments.some((segment) => segment === "." || segment === "..")) return "leads elsewhere";
  const wrong = segments.find((segment) => !SEGMENT.test(segment));
  if (wrong !== undefined) return `has the segment ${JSON.stringify(wrong)}`;
  const names = segments.filter((segment) => segment.startsWith(":"));
  return new Set(names).size < names.length ? "has two parameters of one name" : null;
}

export interface PlacedAction {
  readonly model: ActionModel;
  readonly place: Place;
}

/** First path segments below the API base that the service itself uses. */
const SERVICE_SEGMENTS: ReadonlySet<string> = new Set(["token", "changeset", "auth"]);

/** Reports an action that takes the URL of another action, of a resource or of the service (contract 4.4). */
export function checkCollisions(actions: readonly PlacedAction[], input: ActionsInput): void {
  const taken = new Map<string, ActionModel>();
  for (const { model, place } of actions) {
    if (model.verb !== null) continue;
    const owner = model.kind === "standalone"
      ? ownerOf(model.path, input) ?? filesOwner(model, input)
      : recordOwner(model, input) ?? filesOwner(model, input);
    if (owner !== null) {
      input.analysis.report.add("ACTION_PATH_RESERVED", place, { path: model.path, owner });
      continue;
    }
    // Parameters are compared by position: their names do not make two URLs different.
    const url = `${model.method} ${model.path.replaceAll(/:[^/]+/g, ":")}`;
    const other = taken.get(url);
    if (!other) taken.set(url, model);
    else {
      const { method, path } = model;
      input.analysis.report.add("ACTION_URL_TWICE", place, { method, path, other: other.name });
    }
  }
}

/** Describes the resource that has a route of its own under the action's name; null if there is none. */
function recordOwner(
  { resource, segment, path }: ActionModel,
  { resources }: ActionsInput,
): string | null {
  const own = resources.find(({ name }) => name === resource);
  const taken = [
    ...(own?.delete?.restore ? [RESTORE_SEGMENT] : []),
    ...(own?.audit ? [HISTORY_SEGMENT] : []),
  ];
  const isTaken = taken.some((name) => segment === name || path.endsWith(`/:id/${name}`));
  return own && isTaken ? `resource ${JSON.stringify(own.name)}` : null;
}

/** Describes the file column whose route has this path, with any parameter name; null if there is none. */
function filesOwner({ path }: ActionModel, { resources, analysis }: ActionsInput): string | null {
  const [first, id, column = "", ...rest] = path.slice(1).split("/");
  const isRecord = id?.startsWith(":") || id === BATCH_SEGMENT;
  const own = resources.find(({ segment }) => segment === first);
  if (!own || !isRecord || rest.length > 0) return null;
  const table = analysis.tables.find(({ name }) => name === own.table);
  const type = table?.columns.get(column)?.type;
  return type && rulesOf(type).isFile ? `file column ${JSON.stringify(column)}` : null;
}

/** Describes the owner of the routes at this path; null if they have none. */
function ownerOf(path: string, { resources }: ActionsInput): string | null {
  const [first = "", second, third, ...rest] = path.slice(1).split("/");
  if (SERVICE_SEGMENTS.has(first)) return "the service";
  if (first.startsWith(":")) return "all resources";
  const resource = resources.find(({ segment }) => segment === first);
  if (!resource) return null;
  const isCollection = second === undefined;
  const isRecord = second?.startsWith(":") && third === undefined;
  const isBelow = (second === BATCH_SEGMENT || second === "views") && rest.length === 0;
  return isCollection || isRecord || isBelow ? `resource ${JSON.stringify(resource.name)}` : null;
}
