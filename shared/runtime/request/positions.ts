/**
 * Seals places in the database's history, which clients carry from a write to a read (definitions 7 "Several instances"): in
 * `Database-Position`, and for pages in a cookie. The seal keeps clients from making a copy wait for a place that no instance
 * has named.
 */
import { HEADERS } from "../../contract/mod.ts";
import type { Soon } from "../../lib/soon.ts";
import { memo } from "../../lib/memo.ts";
import type { ProjectModel } from "../../model/mod.ts";
import type { RequestContext } from "../context.ts";
import type { Ports, Settings } from "../ports.ts";

export interface PositionCarrier {
  /** Makes the copy catch up to the request's positions. Throws `DatabaseUnavailableError` when the primary is unreachable. */
  reach(request: RequestContext): Soon<void>;
  /** Adds the place of the last commit to the answer of a request that may have written. */
  mark(request: Pick<RequestContext, "method" | "headers">, response: Response): Soon<Response>;
}

/** Seconds after which a browser forgets the cookie: every copy is further by then. */
const COOKIE_SECONDS = 60;
const COOKIE = "better-auth.position";
/** Matches a sealed place. The longest has 64 characters: a place and 128 bits. */
const POSITION = /^([A-Za-z0-9]{1,40})\.([A-Za-z0-9_-]{22})$/;
const SEAL_BYTES = 16;
const SEALS_KEPT = 100;

export function createPositionCarrier(
  project: ProjectModel,
  { database: { positions }, copy, accounts }: Ports,
  settings: Settings,
): PositionCarrier {
  const seal = sealOf(settings.authSecret, project.name);
  const { authSecretPrevious: before } = settings;
  const seals = before ? [seal, sealOf(before, project.name)] : [seal];
  const isSecure = settings.baseUrl.startsWith("https://");
  const cookieName = isSecure ? `__Secure-${COOKIE}` : COOKIE;
  const opened = async (text: string | null) => {
    const [, place, given] = POSITION.exec(text ?? "") ?? [];
    if (place === undefined) return null;
    for (const one of seals) if (given === await one(place)) return place;
    return null;
  };
  const marked = async (place: string, headers: Headers, response: Response) => {
    const text = `${place}.${await seal(place)}`;
    response.headers.set(HEADERS.databasePosition, text);
    if (!accounts?.hasSessionCookie(headers) && !response.headers.has("set-cookie")) {
      return response;
    }
    response.headers.append(
      "set-cookie",
      `${cookieName}=${text}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_SECONDS}${
        isSecure ? "; Secure" : ""
      }`,
    );
    return response;
  };
  const reached = async (copy: NonNullable<Ports["copy"]>, { headers }: RequestContext) => {
    for (const text of [headers.get(HEADERS.databasePosition), cookieOf(headers, cookieName)]) {
      const place = await opened(text);
      if (place !== null) await copy.reach(place);
    }
  };
  return {
    reach: (request) => copy ? reached(copy, request) : undefined,
    mark(request, response) {
      const place = positions?.last() ?? null;
      const { status } = response;
      const hasWritten = !READING.includes(request.method) && status >= 200 && status < 400;
      return place === null || !hasWritten ? response : marked(place, request.headers, response);
    },
  };
}

const READING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

function cookieOf(headers: Headers, name: string): string | null {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/**
 * Returns the seal of a place in this project's history, with a key of its own. It protects no secret: it spares a copy
 * needless look-ups.
 */
function sealOf(authSecret: Uint8Array, project: string): (place: string) => Promise<string> {
  const bytes = new Uint8Array(authSecret);
  let ready: Promise<CryptoKey> | null = null;
  const seals = memo<Promise<string>>(SEALS_KEPT);
  return (place) =>
    seals(place, async () => {
      const key = await (ready ??= sealingKey(bytes));
      const message = new TextEncoder().encode(JSON.stringify([project, place]));
      const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
      return signed.slice(0, SEAL_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
    });
}

async function sealingKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode("quickback/position");
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    base,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign"],
  );
}
