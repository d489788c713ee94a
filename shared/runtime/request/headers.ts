/** Headers of a request: its entity tags, its credentials, its origin. */
import { HEADERS } from "../../contract/headers.ts";
import { isLocalOrigin } from "../../lib/http.ts";
import type { AppContext } from "../context.ts";

/** RFC 9110, 8.8.3: `etagc` excludes the quote, controls and the space. */
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
const SEPARATOR = /[ \t]*,[ \t,]*/y;

/** Of a revision; what follows the hyphen says how much of the record its reader saw. */
const REVISION = /^(\d+)(?:(?:-[0-9a-z]+){3})?$/;

/** True when `If-Match` names this revision, whoever read it. Weak tags never do (RFC 9110, 13.1.1). */
export function matchesRevision(ifMatch: string, revision: number): boolean {
  if (ifMatch.trim() === "*") return true;
  return tagsOf(ifMatch).some(({ isWeak, opaque }) =>
    !isWeak && REVISION.exec(opaque)?.[1] === String(revision)
  );
}

/** True when the caller holds the representation with this tag, compared weakly (RFC 9110, 13.1.2). */
export function holdsTag(headers: Headers, tag: string): boolean {
  const header = headers.get(HEADERS.ifNoneMatch);
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const [own] = tagsOf(tag);
  return tagsOf(header).some(({ opaque }) => opaque === own?.opaque);
}

/**
 * Entity tags of `If-Match` or `If-None-Match` (RFC 9110, 8.8.3, 13.1), without their quotes. None for a text that is no list
 * of tags: it matches nothing, so a conditional write is refused and a conditional read is answered whole.
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

/** Headers that prove who calls: authored code has no business with them. */
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
 * Origins whose pages may read answers and write with cookies (definitions 2, `trustedOrigins`). True for the API's own
 * origin, the listed ones, and any local one in development. Never a wildcard.
 */
export function isTrustedOrigin(origin: string, { settings, project }: AppContext): boolean {
  if (origin === settings.baseUrl || project.trustedOrigins.includes(origin)) return true;
  return !settings.production && isLocalOrigin(origin);
}

/** True when a request asks to become a WebSocket (RFC 6455, 4.1). */
export function asksForWebSocket(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}
