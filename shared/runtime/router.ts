/** Finds the endpoint of a path: compiled once, one entry per path, so that 405 and `Allow` come from the same list. */
import { METHOD_NAME_ALL } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { Endpoint } from "./gate.ts";
import { decodeSegment } from "./request/read_request.ts";

/** The endpoints of one path, by method. */
type PathEndpoints = ReadonlyMap<string, Endpoint>;

interface PathMatch {
  /** The path with its parameter as `:id`. */
  readonly route: string;
  readonly endpoints: PathEndpoints;
  /** The path parameter's value, decoded where it can be; empty where the path has none. */
  readonly id: string;
}

export type Router = (path: string) => PathMatch | null;

/** `reserved` paths are no other path's parameter, even without an endpoint. */
export function createRouter(
  endpoints: readonly Endpoint[],
  reserved: readonly string[] = [],
): Router {
  const router = new SmartRouter<Omit<PathMatch, "id">>({
    routers: [new RegExpRouter(), new TrieRouter()],
  });
  // Reserved paths come first: of several that match, the router takes the first one.
  const paths = new Map(reserved.map((path) => [path, new Map<string, Endpoint>()]));
  for (const endpoint of endpoints) {
    const methods = paths.get(endpoint.path) ?? new Map<string, Endpoint>();
    const other = methods.get(endpoint.method);
    if (other) {
      throw new Error(
        `'${endpoint.id}' and '${other.id}' share ${endpoint.method} ${endpoint.path}`,
      );
    }
    paths.set(endpoint.path, methods.set(endpoint.method, endpoint));
  }
  for (
    const [route, methods] of new Map(
      [...paths].sort(([one], [other]) => specificity(one) < specificity(other) ? -1 : 1),
    )
  ) {
    router.add(METHOD_NAME_ALL, route, { route, endpoints: methods });
  }
  return (path) => {
    const [[first], stash] = router.match(METHOD_NAME_ALL, path);
    if (!first || first[0].endpoints.size === 0) return null;
    const [match, parameters] = first;
    const at = parameters["id"];
    const id = typeof at === "number" ? stash?.[at] : at;
    return { ...match, id: id === undefined ? "" : decodeSegment(id) ?? id };
  };
}

/** `/tickets/batch/close` goes before `/tickets/:id/close`: where two paths fit, a word wins over a parameter. */
function specificity(path: string): string {
  return path.split("/").map((part) => part.startsWith(":") ? "1" : "0").join("");
}
