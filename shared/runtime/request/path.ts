/**
 * One canonical path per request: for routing, rate keys and `instance`. Platforms differ in what they resolve
 * (`%2e%2e`, `//`), so nothing is resolved: a path with more than one reading has no route.
 */

interface Target {
  /** As the platform gave it. */
  readonly raw: string;
  /** With unreserved characters unescaped (RFC 3986, 6.2.2); null when the path is ambiguous. */
  readonly path: string | null;
  /** The query with its question mark, or empty. */
  readonly search: string;
}

/** Almost every path: unreserved characters only, no empty segment, no slash at the end. */
const PLAIN = /^(?:\/[A-Za-z0-9_~@:-][A-Za-z0-9._~@:-]*)+$/;

/** Splits the URL of a request whose `Host` was checked. */
export function targetOf(url: string): Target {
  const authority = url.indexOf("//") + 2;
  const start = url.indexOf("/", authority);
  const fragment = url.indexOf("#");
  const whole = url.slice(start, fragment === -1 ? undefined : fragment);
  const question = whole.indexOf("?");
  const raw = question === -1 ? whole : whole.slice(0, question);
  const search = question === -1 ? "" : whole.slice(question);
  return { raw, path: canonicalPath(raw), search };
}

function canonicalPath(raw: string): string | null {
  if (raw === "/" || PLAIN.test(raw)) return raw;
  const segments: string[] = [];
  for (const segment of raw.slice(1).split("/")) {
    const text = unambiguous(segment);
    if (text === null) return null;
    segments.push(encodeSegment(text));
  }
  return `/${segments.join("/")}`;
}

/** A text as one segment of a canonical path. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll("%40", "@").replaceAll("%3A", ":");
}

/** Null for what could be read as another path: dot segments, hidden slashes, control characters, broken escapes. */
function unambiguous(segment: string): string | null {
  const text = decodeSegment(segment);
  if (text === null || text === "" || text === "." || text === "..") return null;
  return /[\p{Cc}/\\]/u.test(text) || !text.isWellFormed() ? null : text;
}

/** The text of one segment; null when its escapes are broken. */
export function decodeSegment(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
