/** Compares the routes of the model, its manifest and the API's live description (contract 4.7, 7.1 "405"). */
import { gatedRoutesOf } from "../../shared/oracle/gated_routes.ts";
import { isJsonObject } from "../../shared/lib/json.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { DISCOVERY_PATHS, isPublished } from "../../shared/surface/mod.ts";
import { type Answer, memberOf, shownAnswer } from "./compare_answer.ts";
import { ruledRoutesOf } from "../../shared/oracle/routes.ts";

/** Method and path, such as `GET /api/v1/tickets/{id}`. */
type RouteKey = string;

interface Found {
  readonly route: string;
  readonly differences: readonly string[];
}

/**
 * Checks that the definitions, the manifest and the live description name the same routes, and that no other path answers.
 * Without accounts there are no account routes.
 */
export async function* compareRoutes(
  model: ProjectModel,
  entries: readonly { readonly method: string; readonly path: string }[],
  hasAccounts: boolean,
  ask: (method: string, path: string) => Promise<Answer & { readonly headers: Headers }>,
): AsyncGenerator<Found, void, void> {
  const all = [...ruledRoutesOf(model), ...gatedRoutesOf(model)];
  const own = ["the definitions", keysOf(all)] as const;
  const manifest = setDifferences(own, ["the conformance manifest", keysOf(entries)]);
  if (manifest.length > 0) yield { route: "manifest", differences: manifest };
  if (isPublished(model)) {
    const described = describedRoutes((await ask("GET", DISCOVERY_PATHS.openapi)).body);
    const differences = described === null
      ? ["The API publishes no description at /openapi.json"]
      : setDifferences(own, ["the live /openapi.json", described]);
    if (differences.length > 0) yield { route: "openapi.json", differences };
  }
  for (const [path, methods] of pathsOf(model, hasAccounts)) {
    // A wrong method is answered with 405, and `Allow` lists the allowed ones (contract 7.1).
    for (const method of METHODS.filter((one) => !methods.has(one))) {
      const answer = await ask(method, path);
      const allow = (answer.headers.get("allow") ?? "").split(", ").filter((one) => one !== "");
      const isRight = new Set(allow).symmetricDifference(methods).size === 0;
      if (answer.status === 405 && isRight) continue;
      const shown = `${shownAnswer(answer)}, Allow ${allow.join(", ") || "missing"}`;
      const differences = [
        `${method} answered ${shown}, in place of 405, Allow ${[...methods].join(", ")}`,
      ];
      yield { route: path, differences };
    }
  }
  for (const path of strangePaths(model)) {
    const answer = await ask("GET", path);
    // `batch` and similar segments are no ids, but a record's path matches any other segment.
    if (answer.status === 404 || answer.status === 405) continue;
    yield { route: path, differences: [`answered ${shownAnswer(answer)} in place of 404`] };
  }
}

const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function keysOf(
  routes: readonly { readonly method: string; readonly path: string }[],
): ReadonlySet<RouteKey> {
  return new Set(routes.map(({ method, path }) => routeKey(method, path)));
}

function routeKey(method: string, path: string): RouteKey {
  return `${method} ${path.replace(/:([A-Za-z0-9_]+)/g, "{$1}")}`;
}

/** Reads the routes of a description; null if the document is not one. */
function describedRoutes(document: unknown): ReadonlySet<RouteKey> | null {
  const paths = memberOf(document, "paths");
  if (!isJsonObject(paths)) return null;
  return new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.filter((method) => memberOf(item, method.toLowerCase()) !== undefined)
        .map((method) => routeKey(method, path))
    ),
  );
}

/** Returns the members that only one of two sets has, as sentences. */
function setDifferences(
  [oneName, one]: readonly [string, ReadonlySet<RouteKey>],
  [otherName, other]: readonly [string, ReadonlySet<RouteKey>],
): readonly string[] {
  return [
    ...[...one.difference(other)].map((key) => `${key} is in ${oneName} and not in ${otherName}`),
    ...[...other.difference(one)].map((key) => `${key} is in ${otherName} and not in ${oneName}`),
  ].sort();
}

/** Returns the methods of each path, with an id that no row has. */
function pathsOf(
  model: ProjectModel,
  hasAccounts: boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const gated = gatedRoutesOf(model).filter(({ ofAccounts }) => hasAccounts || !ofAccounts);
  const byPath = Map.groupBy([...ruledRoutesOf(model), ...gated], ({ path }) => path);
  return new Map(
    [...byPath].map(([path, routes]) => [
      path.replace(/:[A-Za-z0-9_]+/g, "conformance"),
      new Set(routes.map(({ method }) => method)),
    ]),
  );
}

/** Returns paths that no route has: none of them may answer. */
function strangePaths(model: ProjectModel): readonly string[] {
  const known = pathsOf(model, true);
  return ruledRoutesOf(model).filter(({ subject }) =>
    subject.kind === "operation" && subject.operation.kind === "list"
  ).flatMap((
    { path },
  ) => [`${path}/batch`, `${path}/views/conformance`, `${path}/conformance/conformance`])
    .filter((path) => !known.has(path));
}
