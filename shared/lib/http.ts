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

/** An absolute http or https URL in the syntax of RFC 3986, without credentials: stricter than `new URL`, which accepts `javascript:`, strips line breaks and reads backslashes as slashes. */
export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text);
}

const NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?";
const HOST = new RegExp(`^(?:${NAME}(?:\\.${NAME})*\\.?|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?$`);
/** Characters of a `Host` header: a name of 253, a dot, a colon and a port, and the brackets of an address. */
export const HOST_MAX_LENGTH = 262;

/** The form of a `Host` header (RFC 9110, 7.2), a name or an address, and a port. False for what would change how a URL made from it is read, such as a slash. */
export function isHostWellFormed(host: string): boolean {
  return host.length <= HOST_MAX_LENGTH && HOST.test(host);
}

const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** True for `http://localhost:5173` and the like, pages that this machine serves: trusted in development. */
export function isLocalOrigin(origin: string): boolean {
  return LOCAL_ORIGIN.test(origin);
}

/* Media types that a client accepts (RFC 9110, 12.5). */

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

/** JSON, and what is written as JSON (RFC 6839, 3.1). */
export const JSON_MEDIA_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.-]+\+json)$/;
