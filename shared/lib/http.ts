/** Parts of HTTP messages: addresses, hosts, origins and media types. */

const PATH_CHARACTER = "(?:[a-z0-9\\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})";
const HTTP_URL = new RegExp(
  "^https?://" +
    "(?:\\[[0-9a-f:.]+\\]|(?:[a-z0-9\\-._~]|%[0-9a-f]{2})+)" +
    "(?::\\d{1,5})?" +
    `(?:/${PATH_CHARACTER}*)*` +
    `(?:\\?(?:${PATH_CHARACTER}|[/?])*)?` +
    `(?:#(?:${PATH_CHARACTER}|[/?])*)?$`,
  "i",
);

/**
 * True for an absolute http or https URL in the syntax of RFC 3986, without credentials. It is stricter than `new URL`, which
 * accepts `javascript:`, strips line breaks and reads backslashes as slashes.
 */
export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text);
}

const NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?";
const HOST = new RegExp(`^(?:${NAME}(?:\\.${NAME})*\\.?|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?$`);
/** Longest `Host` header: a name of 253 characters, a colon and a port, or an address in brackets. */
export const HOST_MAX_LENGTH = 262;

/**
 * True for a well-formed `Host` header (RFC 9110, 7.2): a name or an address, with or without a port. A character that would
 * change the meaning of a URL made from it, such as a slash, makes it false.
 */
export function isHostWellFormed(host: string): boolean {
  return host.length <= HOST_MAX_LENGTH && HOST.test(host);
}

const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** True for pages of this machine, such as `http://localhost:5173`, which are trusted in development. */
export function isLocalOrigin(origin: string): boolean {
  return LOCAL_ORIGIN.test(origin);
}

/* Media types that a client accepts (RFC 9110, 12.5). */

/** True when the header names JSON, or a problem document, with at least the weight of HTML. */
export function prefersJson(accept: string | null): boolean {
  const weights = acceptedWeights(accept);
  const json = Math.max(
    weights.get("application/json") ?? 0,
    weights.get("application/problem+json") ?? 0,
  );
  return json > 0 && json >= (weights.get("text/html") ?? 0);
}

/** Returns the names of a header such as `Accept` with their `q`. The default is 1; a value that is no number counts as 0. */
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

/** Media types of JSON and of formats based on it (RFC 6839, 3.1). */
export const JSON_MEDIA_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.-]+\+json)$/;
