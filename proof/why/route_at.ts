/** Finds the route of a request among all routes of the model, for people who ask about one (contract 4, 7.1). */
import type { ProjectModel } from "../../shared/model/mod.ts";
import { reservedPathsOf } from "../../shared/surface/mod.ts";
import { type GatedRoute, gatedRoutesOf } from "../../shared/oracle/gated_routes.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";

type RouteAt =
  | { readonly kind: "ruled"; readonly route: RuledRoute; readonly parameters: PathParameters }
  | { readonly kind: "gated"; readonly route: GatedRoute }
  /** The path exists, the method does not. */
  | { readonly kind: "methodNotAllowed"; readonly methods: readonly string[] }
  | { readonly kind: "notFound"; readonly paths: readonly string[] };

type PathParameters = Readonly<Record<string, string>>;

type FindRoute = (asked: {
  readonly method: string;
  /** Path without a query. */
  readonly path: string;
}) => RouteAt;

/** Returns a finder that caches the model's routes, for repeated use. */
export function routeFinder(model: ProjectModel): FindRoute {
  const all = [
    ...ruledRoutesOf(model).map((route) => ({ kind: "ruled", route } as const)),
    ...gatedRoutesOf(model).map((route) => ({ kind: "gated", route } as const)),
  ].map((one) => ({ ...one, parts: one.route.path.split("/") }));
  const reserved = reservedPathsOf(model);
  return ({ method, path }): RouteAt => {
    // `HEAD` is answered like `GET`.
    const wanted = method === "HEAD" ? "GET" : method;
    const segments = path.split("/");
    const fitting = all.filter(({ route, parts }) =>
      // `batch` is never a record's id, with or without batches (contract 4.1).
      parts.length === segments.length &&
      parts.every((part, at) =>
        part.startsWith(":") ? segments[at] !== "" : part === segments[at]
      ) && (route.path === path || !reserved.includes(path))
    );
    const found = closest(fitting, path);
    const match = found.find(({ route }) => route.method === wanted);
    if (match?.kind === "ruled") {
      return {
        kind: "ruled",
        route: match.route,
        parameters: Object.fromEntries(
          match.parts.flatMap((part, at) =>
            part.startsWith(":") ? [[part.slice(1), segments[at] ?? ""]] : []
          ),
        ),
      };
    }
    if (match?.kind === "gated") return { kind: "gated", route: match.route };
    return found.length > 0
      ? { kind: "methodNotAllowed", methods: found.map(({ route }) => route.method).sort() }
      : { kind: "notFound", paths: all.map(({ route }) => route.path) };
  };
}

type Candidate =
  & { readonly parts: readonly string[] }
  & (
    | { readonly kind: "ruled"; readonly route: RuledRoute }
    | { readonly kind: "gated"; readonly route: GatedRoute }
  );

/** Returns the most specific routes: a literal segment comes before a parameter in its place. */
function closest(found: readonly Candidate[], path: string): readonly Candidate[] {
  const literal = found.filter(({ route }) => route.path === path);
  if (literal.length > 0) return literal;
  const counts = found.map(({ parts }) => parts.filter((part) => part.startsWith(":")).length);
  return found.filter((_, at) => counts[at] === Math.min(...counts));
}
