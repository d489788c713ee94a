/**
 * A request as the account library receives it: at the library's one address, with values that only the platform can have set.
 */
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import type { ProjectModel } from "../model/mod.ts";
import type { Connection } from "../runtime/ports.ts";

/**
 * Header with the client's address for the account library. The service sets it on every request, and removes a caller's own
 * value.
 */
export const CLIENT_IP_HEADER = "x-quickback-client-ip";

/** Returns the request below the auth base, with the client's address from the platform. */
export function libraryRequest(
  request: Request,
  { project, baseUrl, production, connection }: {
    readonly project: ProjectModel;
    readonly baseUrl: string;
    readonly production: boolean;
    readonly connection: Connection | undefined;
  },
): Request {
  const { authBase, authAlias } = CONTRACT_VERSIONS[project.contract];
  const url = new URL(request.url);
  if (authAlias !== null && url.pathname.startsWith(`${authAlias}/`)) {
    url.pathname = authBase + url.pathname.slice(authAlias.length);
  }
  const sent = new Request(url, request);
  sent.headers.delete(CLIENT_IP_HEADER);
  if (connection?.clientIp) sent.headers.set(CLIENT_IP_HEADER, connection.clientIp);
  const cookies = undisputedCookies(sent.headers);
  if (cookies !== null) sent.headers.set("cookie", cookies);
  if (comesFromNoOtherPage(sent.headers, production)) sent.headers.set("origin", baseUrl);
  return sent;
}

const OWN_SITES: readonly string[] = ["same-origin", "none"];

/**
 * True when no other site's page can have sent the request. The library refuses a cookie without an origin. A browser that
 * writes for a foreign page always sends `Origin` or `Sec-Fetch-Site`, so a request without both comes from a program that
 * holds the cookie knowingly. In production such programs must send an origin.
 */
function comesFromNoOtherPage(headers: Headers, production: boolean): boolean {
  if (headers.has("origin") || headers.has("referer")) return false;
  const site = headers.get("sec-fetch-site");
  return site === null ? !production : OWN_SITES.includes(site);
}

/*
 * The cookies that hold a session, or a first factor that waits for the second (definitions 7, "session cookie"). A host beside
 * ours may set one of the same name, and a browser then sends both (RFC 6265, 5.4): two that differ are two callers, and prove
 * neither.
 */

/** The library's name for the session cookie. Over https it has the prefix `__Secure-`. */
const SESSION_NAME = "better-auth.session_token";
const SESSION_NAMES = namesOf(SESSION_NAME);
/** Name of the cookie with a first factor. */
const TWO_FACTOR_NAME = "better-auth.two_factor";
const PROOF_NAMES: readonly string[] = [...SESSION_NAMES, ...namesOf(TWO_FACTOR_NAME)];

interface CookiePair {
  readonly name: string;
  /** The cookie as it was sent. */
  readonly text: string;
}

/** Returns the value of the session cookie for this kind of address; null without one, or if two values differ. */
export function sessionCookie(headers: Headers, isSecure: boolean): string | null {
  return onlyCookie(headers, SESSION_NAME, isSecure);
}

/** Returns the value of the first-factor cookie in the same way. */
export function twoFactorCookie(headers: Headers, isSecure: boolean): string | null {
  return onlyCookie(headers, TWO_FACTOR_NAME, isSecure);
}

export function sessionCookieName(isSecure: boolean): string {
  return cookieName(SESSION_NAME, isSecure);
}

function cookieName(plainName: string, isSecure: boolean): string {
  return isSecure ? `__Secure-${plainName}` : plainName;
}

function onlyCookie(headers: Headers, plainName: string, isSecure: boolean): string | null {
  const name = cookieName(plainName, isSecure);
  const [first, ...others] = cookiesOf(headers, [name]);
  if (first === undefined || others.some(({ text }) => text !== first.text)) return null;
  return first.text.slice(first.text.indexOf("=") + 1).trim();
}

export function hasSessionCookie(headers: Headers): boolean {
  // `has` would make the platform copy every header.
  return headers.get("cookie") !== null && cookiesOf(headers, SESSION_NAMES).length > 0;
}

/** Returns the cookies, without session or first-factor cookies that contradict each other; null when none are left. */
export function undisputedCookies(headers: Headers): string | null {
  const cookie = headers.get("cookie");
  if (cookie === null) return null;
  const proofs = cookiesOf(headers, PROOF_NAMES);
  const isDisputed = ({ name, text }: CookiePair) =>
    proofs.some((other) => other.name === name && other.text !== text);
  if (!proofs.some(isDisputed)) return cookie;
  return pairsOf(cookie).filter((pair) => !isDisputed(pair)).map(({ text }) => text).join("; ");
}

function cookiesOf(headers: Headers, names: readonly string[]): readonly CookiePair[] {
  return pairsOf(headers.get("cookie") ?? "").filter(({ name }) => names.includes(name));
}

/** Returns both names of a cookie: over http and over https. */
function namesOf(plainName: string): readonly string[] {
  return [plainName, `__Secure-${plainName}`];
}

function pairsOf(cookie: string): readonly CookiePair[] {
  return cookie.split(";").map((pair) => {
    const text = pair.trim();
    return { name: /^([^=]*?)\s*=/.exec(text)?.[1] ?? "", text };
  });
}
