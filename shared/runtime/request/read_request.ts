/** Turns HTTP into the request that the layers see. It never refuses: faults are flags of the result. */
import ipaddr from "ipaddr.js";
import { holdsReals } from "../../column_types/mod.ts";
import { HEADERS } from "../../contract/mod.ts";
import { HOST_MAX_LENGTH, isHostWellFormed, isLocalOrigin } from "../../lib/http.ts";
import { madeOnce, memo } from "../../lib/memo.ts";
import { uriDecoded } from "../../lib/texts.ts";
import type { AppContext, RequestContext } from "../context.ts";
import type { Connection, Settings } from "../ports.ts";
import { bodyOf } from "./body.ts";

export interface ReadRequest {
  readonly context: RequestContext;
  readonly isHostAccepted: boolean;
  /** False when the path has more than one reading: it has no route. */
  readonly isPathCanonical: boolean;
}

/** Maximum hosts and addresses whose parsed form is kept: a process meets the same ones again and again. */
const KEPT_MAX = 1000;

/** Reads requests to one application. */
export function requestReader(
  app: AppContext,
): (request: Request, connection: Connection) => ReadRequest {
  const { clock, random, timer } = app.ports;
  const reading = { ...(timer && { timer }), reals: madeOnce(() => realColumns(app.tables)) };
  const hosts = memo<boolean>(KEPT_MAX);
  const clients = memo<string | null>(KEPT_MAX);
  let last = { at: NaN, text: "" };
  const time = () => {
    const at = clock.now();
    if (at !== last.at) last = { at, text: new Date(at).toISOString() };
    return last.text;
  };
  return (request, { clientIp, upgrade = null }) => {
    const { headers } = request;
    const host = headers.get("host");
    const isAccepted = host !== null && host.length <= HOST_MAX_LENGTH &&
      hosts(host, () => isHostAccepted(host, app.settings));
    // Some platforms build the URL from the Host header: until that is checked, the path is not trusted.
    const target = isAccepted ? targetOf(request.url) : { raw: "/", path: null, search: "" };
    const context: RequestContext = {
      app,
      requestId: `req_${random.bytes(12).toHex()}`,
      method: request.method,
      path: target.path ?? target.raw,
      search: target.search,
      headers,
      clientIp: clientIp === null ? null : clients(clientIp, () => clientAddress(clientIp)),
      upgrade,
      now: time(),
      body: bodyOf(request, reading),
    };
    return { context, isHostAccepted: isAccepted, isPathCanonical: target.path !== null };
  };
}

/** Returns the names of the columns, of any table, that store any double or a list of doubles. */
function realColumns(tables: AppContext["tables"]): ReadonlySet<string> {
  return new Set(
    [...tables.values()].flatMap(({ columns }) =>
      columns.filter(({ type }) => holdsReals(type)).map(({ name }) => name)
    ),
  );
}

/** True when a request has this header. The platform copies one header for `get`, and all of them for `has`. */
export function hasHeader(headers: Headers, name: string): boolean {
  return headers.get(name) !== null;
}

/**
 * True when the `Host` header (RFC 9110, 7.2) is present, well-formed, and one of this API's own. It is checked before routing:
 * some platforms build the request's URL from it, so that a slash in it would choose the route.
 */
export function isHostAccepted(
  host: string | null,
  { allowedHosts }: Pick<Settings, "allowedHosts">,
): boolean {
  if (host === null || !isHostWellFormed(host)) return false;
  if (allowedHosts === null) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return allowedHosts.some((allowed) => allowed.toLowerCase() === name);
}

/**
 * Returns one spelling per client (definitions 7, "one client by address"), by which everything is counted and kept that goes
 * by address. An IPv6 address becomes the /64 around it, since its client may call from any address in it. Null: the text is no
 * address.
 */
export function clientAddress(text: string | null): string | null {
  if (text === null) return null;
  // The two kinds are separated first: the library throws inside for a text of the other kind.
  if (!text.includes(":")) return ipaddr.IPv4.isValidFourPartDecimal(text) ? text : null;
  if (!ipaddr.IPv6.isValid(text)) return null;
  const { parts } = ipaddr.IPv6.parse(text);
  const [high = 0, low = 0] = parts.slice(6);
  const isMapped = parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;
  return isMapped
    ? [high >> 8, high & 255, low >> 8, low & 255].join(".")
    : `${parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::`;
}

interface Target {
  /** The target as the platform gave it. */
  readonly raw: string;
  /** The path with unreserved characters unescaped (RFC 3986, 6.2.2); null when the path is ambiguous. */
  readonly path: string | null;
  /** The query with its question mark, or empty. */
  readonly search: string;
}

/** Matches almost every path: unreserved characters only, no empty segment, no slash at the end. */
const PLAIN = /^(?:\/[A-Za-z0-9_~@:-][A-Za-z0-9._~@:-]*)+$/;

/**
 * Splits the URL of a request whose `Host` was checked: one canonical path, for routing, rate keys and `instance`. Platforms
 * differ in what they resolve (`%2e%2e`, `//`), so nothing is resolved: a path with more than one reading has no route.
 */
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

/** Encodes a text as one segment of a canonical path. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll("%40", "@").replaceAll("%3A", ":");
}

/**
 * Returns the segment; null for one that could be read as another path: dot segments, hidden slashes, control characters,
 * broken escapes.
 */
function unambiguous(segment: string): string | null {
  const text = decodeSegment(segment);
  if (text === null || text === "" || text === "." || text === "..") return null;
  return /[\p{Cc}/\\]/u.test(text) || !text.isWellFormed() ? null : text;
}

/** Decodes the text of one segment; null when its escapes are broken. */
export function decodeSegment(segment: string): string | null {
  return segment.includes("%") ? uriDecoded(segment) : segment;
}

/** Matches an entity tag: `etagc` excludes the quote, controls and the space (RFC 9110, 8.8.3). */
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
const SEPARATOR = /[ \t]*,[ \t,]*/y;

/** Matches the tag of a revision; the part after the hyphen depends on how much of the record its reader saw. */
const REVISION = /^(\d+)(?:(?:-[0-9a-z]+){3})?$/;

/**
 * Reads headers of a request: its entity tags, its credentials, its origin. True when `If-Match` names this revision, whichever
 * reader got the tag. Weak tags never match (RFC 9110, 13.1.1).
 */
export function matchesRevision(ifMatch: string, revision: number): boolean {
  if (ifMatch.trim() === "*") return true;
  return tagsOf(ifMatch).some(({ isWeak, opaque }) =>
    !isWeak && REVISION.exec(opaque)?.[1] === String(revision)
  );
}

/** True when the caller has the representation with this tag, compared weakly (RFC 9110, 13.1.2). */
export function holdsTag(headers: Headers, tag: string): boolean {
  const header = headers.get(HEADERS.ifNoneMatch);
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const [own] = tagsOf(tag);
  return tagsOf(header).some(({ opaque }) => opaque === own?.opaque);
}

/**
 * Parses the entity tags of `If-Match` or `If-None-Match` (RFC 9110, 8.8.3, 13.1), without their quotes. A text that is not a
 * list of tags gives none: it matches nothing, so a conditional write is refused and a conditional read is answered whole.
 */
function tagsOf(header: string): readonly { isWeak: boolean; opaque: string }[] {
  const text = header.trim();
  const tags: { isWeak: boolean; opaque: string }[] = [];
  for (let at = 0; at < text.length;) {
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    if (!match) return [];
    tags.push({ isWeak: match[1] !== undefined, opaque: match[2] ?? "" });
    at = TAG.lastIndex;
    if (at === text.length) break;
    SEPARATOR.lastIndex = at;
    if (!SEPARATOR.test(text)) return [];
    at = SEPARATOR.lastIndex;
  }
  return tags;
}

/** Headers that prove the caller's identity: authored code must not see them. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key",
]);

export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name.toLowerCase());
}

export function withoutCredentials(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => !isCredentialHeader(name)));
}

/**
 * True for the API's own origin, for the listed ones, and for any local one in development: pages of these origins may read
 * answers and write with cookies (definitions 2, `trustedOrigins`). Never a wildcard.
 */
export function isTrustedOrigin(origin: string, { settings, project }: AppContext): boolean {
  if (origin === settings.baseUrl || project.trustedOrigins.includes(origin)) return true;
  return !settings.production && isLocalOrigin(origin);
}

/** True when a request wants to become a WebSocket (RFC 6455, 4.1). */
export function asksForWebSocket(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}
