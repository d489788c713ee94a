/** The request behind a consent page, sealed for the user and session to whom the page was shown: what they allow is what they saw. */
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock, Secrets } from "../ports.ts";
import type { Asked } from "./authorization_request.ts";

/** All that is needed of the request afterwards. */
export type TicketRequest =
  & Pick<Asked, "redirectUri" | "state" | "challenge" | "scopes" | "audience">
  & { readonly clientId: string };

/** Somebody in front of the page. */
export interface TicketHolder {
  readonly userId: string;
  /** When their session began. */
  readonly at: number;
}

export interface Tickets {
  seal(request: TicketRequest, holder: TicketHolder): Promise<string>;
  /** Null for anything that was not sealed here for this holder, or too long ago. */
  open(ticket: string, holder: TicketHolder): Promise<TicketRequest | null>;
}

const LIFETIME_SECONDS = 10 * 60;
/** No token of any other kind has it. */
const TYPE = "quickback-consent";

/** One per application. */
export function createTickets(
  { authSecret, authSecretPrevious = null }: Secrets,
  clock: Clock,
): Tickets {
  const ready = [authSecret, authSecretPrevious].flatMap((secret) => secret ? [keyOf(secret)] : []);
  const holderOf = ({ userId, at }: TicketHolder) => `${userId} ${at}`;
  return {
    async seal(request, holder) {
      const [key] = ready;
      if (key === undefined) throw new Error("There is no key to seal with");
      const now = Math.floor(clock.now() / 1000);
      return await new SignJWT({ request, iat: now, exp: now + LIFETIME_SECONDS })
        .setSubject(holderOf(holder))
        .setProtectedHeader({ alg: "HS256", typ: TYPE })
        .sign(await key());
    },
    async open(ticket, holder) {
      for (const key of ready) {
        try {
          const { payload } = await jwtVerify<{ request: TicketRequest }>(ticket, await key(), {
            algorithms: ["HS256"],
            typ: TYPE,
            subject: holderOf(holder),
            currentDate: new Date(clock.now()),
            requiredClaims: ["exp"],
          });
          return payload.request;
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return null;
    },
  };
}

/** Derived, so that no ticket is ever signed as a token is. */
function keyOf(secret: Uint8Array): () => Promise<CryptoKey> {
  let key: Promise<CryptoKey> | null = null;
  return () => key ??= derivedKey(new Uint8Array(secret));
}

async function derivedKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  return await crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: new TextEncoder().encode("quickback/oauth/consent"),
    },
    base,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}
