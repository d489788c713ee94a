/** Finds the route of a request among all that the model implies, for people who ask about one (contract 4, 7.1). */
import type { ProjectModel } from "../../shared/model/project.ts";
import { reservedPathsOf } from "../../shared/surface/operations.ts";
import { type GatedRoute, gatedRoutesOf } from "../../shared/oracle/gated_routes.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";

type RouteAt =
  | { readonly kind: "ruled"; readonly route: RuledRoute; readonly parameters: PathParameters }
  | { readonly kind: "gated"; readonly route: GatedRoute }
  /** The path is there, the method is not. */
  | { readonly kind: "methodNotAllowed"; readonly methods: readonly string[] }
  | { readonly kind: "notFound"; readonly paths: readonly string[] };

type PathParameters = Readonly<Record<string, string>>;

interface AskedRoute {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
}

type FindRoute = (asked: AskedRoute) => RouteAt;

/** Keeps the model's routes: for whoever asks often. */
export function routeFinder(model: ProjectModel): FindRoute {
  const all = candidates(model);
  const reserved = reservedPathsOf(model);
  return (asked) => routeAmong({ all, reserved }, asked);
}

interface Routes {
  readonly all: readonly Candidate[];
  /** Paths that are no record's. */
  readonly reserved: readonly string[];
}

/** `HEAD` is answered as `GET` is. */
function routeAmong({ all, reserved }: Routes, { method, path }: AskedRoute): RouteAt {
  const wanted = method === "HEAD" ? "GET" : method;
  const found = closest(all.filter(({ route }) => meets(route.path, path, reserved)), path);
  const match = found.find(({ route }) => route.method === wanted);
  if (match?.kind === "ruled") {
    return { kind: "ruled", route: match.route, parameters: parametersOf(match.route.path, path) };
  }
  if (match?.kind === "gated") return { kind: "gated", route: match.route };
  return found.length > 0
    ? { kind: "methodNotAllowed", methods: found.map(({ route }) => route.method).sort() }
    : { kind: "notFound", paths: all.map(({ route }) => route.path) };
}

type Candidate =
  | { readonly kind: "ruled"; readonly route: RuledRoute }
  | { readonly kind: "gated"; readonly route: GatedRoute };

function candidates(model: ProjectModel): readonly Candidate[] {
  return [
    ...ruledRoutesOf(model).map((route) => ({ kind: "ruled", route } as const)),
    ...gatedRoutesOf(model).map((route) => ({ kind: "gated", route } as const)),
  ];
}

/** `batch` is no record's id, whether or not there are batches (contract 4.1). */
function meets(template: string, path: string, reserved: readonly string[]): boolean {
  const [parts, segments] = [template.split("/"), path.split("/")];
  const fits = parts.length === segments.length &&
    parts.every((part, at) => part.startsWith(":") ? segments[at] !== "" : part === segments[at]);
  return fits && (template === path || !reserved.includes(path));
}

/** A path that is written out comes before one with a parameter in its place. */
function closest(found: readonly Candidate[], path: string): readonly Candidate[] {
  const literal = found.filter(({ route }) => route.path === path);
  if (literal.length > 0) return literal;
  const counts = found.map(({ route }) => parameterCount(route.path));
  return found.filter((_, at) => counts[at] === Math.min(...counts));
}

function parameterCount(template: string): number {
  return template.split("/").filter((part) => part.startsWith(":")).length;
}

function parametersOf(template: string, path: string): PathParameters {
  const segments = path.split("/");
  return Object.fromEntries(
    template.split("/").flatMap((part, at) =>
      part.startsWith(":") ? [[part.slice(1), segments[at] ?? ""]] : []
    ),
  );
}
