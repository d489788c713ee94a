/** Matches events with the patterns of an endpoint (contract 6.1.4). */

/** True when one of the patterns names the event: exactly, by prefix (`a.*`, which is not `a` itself), or all (`*`). */
export function matchesEvent(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) =>
    pattern === "*" || pattern === type ||
    (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))
  );
}
