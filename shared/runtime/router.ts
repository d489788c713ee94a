/**
 * Finds the endpoint of a path. It is compiled once, with one entry per path, so that 405 and `Allow` come from the same list.
 */
import type { Endpoint } from "./gate.ts";
import { decodeSegment } from "./request/read_request.ts";

/** The endpoints of one path, by method. */
type PathEndpoints = ReadonlyMap<string, Endpoint>;

interface PathMatch {
  /** The path with its parameter as `:id`. */
  readonly route: string;
  readonly endpoints: PathEndpoints;
  /** The path parameter's value, decoded where possible; empty where the path has none. */
  readonly id: string;
}

export type Router = (path: string) => PathMatch | null;

/**
 * Builds the router. A `reserved` path, and every path below it, is never read as another path's parameter, even without an
 * endpoint.
 */
export function createRouter(
  endpoints: readonly Endpoint[],
  reserved: readonly string[] = [],
): Router {
  const paths = new Map<string, Map<string, Endpoint>>();
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
  const root = newPlace();
  for (const [route, endpoints] of paths) placeOf(root, route).match = { route, endpoints };
  for (const path of reserved) placeOf(root, path).isReserved = true;
  return (path) => {
    const found = foundBelow(root, path, 1);
    if (found === null) return null;
    const { match, id } = found;
    return { ...match, id: decodeSegment(id) ?? id };
  };
}

/** One place in the tree of routes: the words or the one parameter that may follow it, and the route that ends here. */
interface Place {
  readonly words: Map<string, Place>;
  parameter: Place | null;
  match: Omit<PathMatch, "id"> | null;
  /** True when its word is never read as a parameter. */
  isReserved: boolean;
}

function newPlace(): Place {
  return { words: new Map(), parameter: null, match: null, isReserved: false };
}

/** Returns the place where a route ends, and makes it if it is missing. */
function placeOf(root: Place, route: string): Place {
  let place = root;
  for (const segment of route.slice(1).split("/")) {
    if (segment.startsWith(":")) {
      place = place.parameter ??= newPlace();
      continue;
    }
    const next = place.words.get(segment) ?? newPlace();
    place.words.set(segment, next);
    place = next;
  }
  return place;
}

interface Found {
  readonly match: Omit<PathMatch, "id">;
  readonly id: string;
}

/**
 * Finds the route of a path's segments from `start` on: where two fit, a word wins over a parameter, and the first segment
 * decides first.
 */
function foundBelow(place: Place, path: string, start: number): Found | null {
  if (start > path.length) return place.match && { match: place.match, id: "" };
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(start, end);
  const word = place.words.get(segment);
  const found = word ? foundBelow(word, path, end + 1) : null;
  if (found !== null || word?.isReserved || segment === "") return found;
  if (place.parameter === null) return null;
  const beyond = foundBelow(place.parameter, path, end + 1);
  return beyond && { match: beyond.match, id: segment };
}
