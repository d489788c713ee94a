/** What a client accepts (RFC 9110, 12.5): only what the build service asks for. */

/** True when the header lists the coding, or `*`, and does not refuse it. */
export function acceptsEncoding(headers: Headers, coding: string): boolean {
  const listed = weightsOf(headers.get("accept-encoding"));
  return (listed.get(coding) ?? listed.get("*") ?? 0) > 0;
}

/** True when the type is asked for by name, and not less than JSON by name. */
export function prefersMediaType(headers: Headers, type: string): boolean {
  const listed = weightsOf(headers.get("accept"));
  const weight = listed.get(type) ?? 0;
  return weight > 0 && weight >= (listed.get("application/json") ?? 0);
}

/** Name → `q`, which is 1 unless it says otherwise and 0 when it is no number. */
function weightsOf(header: string | null): ReadonlyMap<string, number> {
  const items = (header ?? "").toLowerCase().split(",").map((item) => item.trim());
  return new Map(
    items.filter((item) => item !== "").map((item) => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const;
    }),
  );
}
