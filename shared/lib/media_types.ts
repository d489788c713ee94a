/** Media types that a client accepts (RFC 9110, 12.5). */

/** True when JSON is asked for by name, and not less than a page; a problem document is JSON, too. */
export function prefersJson(accept: string | null): boolean {
  const weights = acceptedWeights(accept);
  const json = Math.max(
    weights.get("application/json") ?? 0,
    weights.get("application/problem+json") ?? 0,
  );
  return json > 0 && json >= (weights.get("text/html") ?? 0);
}

/** Names of a header such as `Accept` by their `q`, which is 1 unless it says otherwise and 0 when it is no number. */
export function acceptedWeights(header: string | null): ReadonlyMap<string, number> {
  const items = (header ?? "").toLowerCase().split(",").map((item) => item.trim());
  return new Map(
    items.filter((item) => item !== "").map((item) => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const;
    }),
  );
}
