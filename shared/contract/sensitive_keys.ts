/** Names whose values never reach a problem document (contract 2.7) or a response unmasked (definitions 4.4). */

/** Replaced with `[REDACTED]` in `request.body` and in the query part of `request.url`; compared without case. */
export const REDACTED_KEYS: ReadonlySet<string> = new Set([
  "password",
  "token",
  "secret",
  "apikey",
  "otp",
  "code",
  "authorization",
  "sessiontoken",
  "eventsessiontoken",
  "scopejwt",
  "scopetoken",
  "wsticket",
  "invitetoken",
  "jwt",
  "signature",
]);

export const REDACTED = "[REDACTED]";

/** Endings that name a credential in compound names; bare words such as `code` are only matched whole. */
const SENSITIVE_ENDINGS = ["password", "token", "secret", "apikey", "signature", "jwt"] as const;

/** True for the well-known names and for compounds of the unmistakable ones, with or without separators. */
export function isSensitiveKey(key: string): boolean {
  const name = key.toLowerCase().replace(/[-_\s]/g, "");
  return REDACTED_KEYS.has(name) || SENSITIVE_ENDINGS.some((ending) => name.endsWith(ending));
}

/** A query string without the values of sensitive parameters, `token.eq` and `fields[token]` included. */
export function redactedSearch(search: string): string {
  if (search === "" || search === "?") return "";
  const pairs = search.slice(1).split("&").map((pair) => {
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    return equals !== -1 && isSensitiveParameter(name) ? `${name}=${REDACTED}` : pair;
  });
  return `?${pairs.join("&")}`;
}

function isSensitiveParameter(name: string): boolean {
  const words = formDecoded(name).split(/[.[\]]/);
  return words.some(isSensitiveKey);
}

/** As `URLSearchParams` reads a name, which never fails. */
function formDecoded(name: string): string {
  const [first] = new URLSearchParams(`${name}=`).keys();
  return first ?? name;
}
