/**
 * The cookie that holds a session (definitions 7, "session cookie"). A host beside ours may set one of the same name, and
 * a browser then sends both (RFC 6265, 5.4): two that differ are two callers, and prove neither.
 */

/** The library's own name; `__Secure-` under https. */
const SESSION_COOKIE = /^(?:__Secure-)?better-auth\.session_token$/;

interface CookiePair {
  readonly name: string;
  /** As it was sent. */
  readonly text: string;
}

export function hasSessionCookie(headers: Headers): boolean {
  return sessionCookies(headers).length > 0;
}

/** The cookies without a session that another one contradicts; null when there are none. */
export function undisputedCookies(headers: Headers): string | null {
  const cookie = headers.get("cookie");
  if (cookie === null) return null;
  const sessions = sessionCookies(headers);
  const isDisputed = ({ name, text }: CookiePair) =>
    sessions.some((other) => other.name === name && other.text !== text);
  if (!sessions.some(isDisputed)) return cookie;
  return pairsOf(cookie).filter((pair) => !isDisputed(pair)).map(({ text }) => text).join("; ");
}

function sessionCookies(headers: Headers): readonly CookiePair[] {
  return pairsOf(headers.get("cookie") ?? "").filter(({ name }) => SESSION_COOKIE.test(name));
}

function pairsOf(cookie: string): readonly CookiePair[] {
  return cookie.split(";").map((pair) => {
    const text = pair.trim();
    return { name: /^([^=]*?)\s*=/.exec(text)?.[1] ?? "", text };
  });
}
