/** Compares the routes of the model, its manifest and the living description (contract 4.7, 7.1 "405"). */
import { gatedRoutesOf } from "../../shared/oracle/gated_routes.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { ruledRoutesOf } from "../../shared/oracle/routes.ts";

/** `GET /api/v1/tickets/{id}`. */
type RouteKey = string;

interface RoutePath {
  readonly path: string;
  /** Those that the path answers. */
  readonly methods: readonly string[];
}

export function modelRoutes(model: ProjectModel): ReadonlySet<RouteKey> {
  return new Set(
    [...ruledRoutesOf(model), ...gatedRoutesOf(model)].map(({ method, path }) =>
      routeKey(method, path)
    ),
  );
}

export function manifestRoutes(
  entries: readonly { readonly method: string; readonly path: string }[],
): ReadonlySet<RouteKey> {
  return new Set(entries.map(({ method, path }) => routeKey(method, path)));
}

/** Null: it is no description. */
export function describedRoutes(document: unknown): ReadonlySet<RouteKey> | null {
  const paths = memberOf(document, "paths");
  if (typeof paths !== "object" || paths === null) return null;
  return new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.filter((method) => memberOf(item, method.toLowerCase()) !== undefined)
        .map((method) => routeKey(method, path))
    ),
  );
}

/** Members that one set has and the other lacks, as sentences. */
export function setDifferences(
  [oneName, one]: readonly [string, ReadonlySet<RouteKey>],
  [otherName, other]: readonly [string, ReadonlySet<RouteKey>],
): readonly string[] {
  return [
    ...[...one.difference(other)].map((key) => `${key} is in ${oneName} and not in ${otherName}`),
    ...[...other.difference(one)].map((key) => `${key} is in ${otherName} and not in ${oneName}`),
  ].sort();
}

export const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * One path for each set of methods, with an id that no row has. The account library's own paths are left out: it has more than
 * the description lists.
 */
export function pathsOf(
  model: ProjectModel,
  { hasAccounts }: { readonly hasAccounts: boolean },
): readonly RoutePath[] {
  const methods = new Map<string, string[]>();
  const gated = gatedRoutesOf(model).filter(({ operationId, ofAccounts }) =>
    !operationId.startsWith("auth") && (hasAccounts || !ofAccounts)
  );
  for (const { method, path } of [...ruledRoutesOf(model), ...gated]) {
    methods.set(path, [...methods.get(path) ?? [], method]);
  }
  return [...methods].map(([path, known]) => ({
    path: path.replace(/:[A-Za-z0-9_]+/g, "conformance"),
    methods: [...new Set(known)],
  }));
}

/** Paths beside those that there are: nothing may answer there. */
export function strangePaths(model: ProjectModel): readonly string[] {
  const known = new Set(pathsOf(model, { hasAccounts: true }).map(({ path }) => path));
  return ruledRoutesOf(model).filter(({ subject }) =>
    subject.kind === "operation" && subject.operation.kind === "list"
  ).flatMap((
    { path },
  ) => [`${path}/batch`, `${path}/views/conformance`, `${path}/conformance/conformance`])
    .filter((path) => !known.has(path));
}

function routeKey(method: string, path: string): RouteKey {
  return `${method} ${path.replace(/:([A-Za-z0-9_]+)/g, "{$1}")}`;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
