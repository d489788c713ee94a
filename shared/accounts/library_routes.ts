/** The routes that the account library answers, from its own list of endpoints: the source of 404, 405 and `Allow`. */

interface LibraryRoute {
  /** A segment that begins with a colon stands for any one. */
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/** Every endpoint that the library serves over HTTP, without the disabled paths. */
export function libraryRoutes(
  endpoints: Readonly<Record<string, unknown>>,
  disabledPaths: readonly string[],
): readonly LibraryRoute[] {
  return Object.values(endpoints).flatMap((endpoint) => {
    const path = memberOf(endpoint, "path");
    const options = memberOf(endpoint, "options");
    if (typeof path !== "string" || disabledPaths.includes(path)) return [];
    if (memberOf(memberOf(options, "metadata"), "SERVER_ONLY") === true) return [];
    return [{ segments: path.split("/"), methods: methodList(memberOf(options, "method")) }];
  });
}

/** The methods of a path below the auth base; none for a path that leads nowhere. */
export function methodsOf(routes: readonly LibraryRoute[], path: string): readonly string[] {
  const segments = path.split("/");
  const matching = routes.filter((route) => matches(route, segments));
  return [...new Set(matching.flatMap(({ methods }) => methods))].sort();
}

function matches(route: LibraryRoute, segments: readonly string[]): boolean {
  return route.segments.length === segments.length &&
    route.segments.every((segment, place) =>
      segment.startsWith(":") ? segments[place] !== "" : segment === segments[place]
    );
}

function methodList(method: unknown): readonly string[] {
  const methods = Array.isArray(method) ? method : [method];
  return methods.filter((name) => typeof name === "string");
}

function memberOf(value: unknown, name: string): unknown {
  const holds = (typeof value === "object" && value !== null) || typeof value === "function";
  return holds ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}
