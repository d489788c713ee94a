/** Reads `Accept` headers (RFC 9110, 12.5), as far as the build service needs them. */
import { acceptedWeights } from "../../lib/http.ts";

/** True when the header lists the coding, or `*`, and does not refuse it. */
export function acceptsEncoding(headers: Headers, coding: string): boolean {
  const listed = acceptedWeights(headers.get("accept-encoding"));
  return (listed.get(coding) ?? listed.get("*") ?? 0) > 0;
}

/** True when the type is asked for by name, and not less than JSON by name. */
export function prefersMediaType(headers: Headers, type: string): boolean {
  const listed = acceptedWeights(headers.get("accept"));
  const weight = listed.get(type) ?? 0;
  return weight > 0 && weight >= (listed.get("application/json") ?? 0);
}
