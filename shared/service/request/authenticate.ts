/**
 * Admits callers of `POST /compile` (contract 5.9, definitions 7): one of the configured keys in `x-api-key`, or a session
 * token as a bearer.
 */
import { HEADERS } from "../../contract/headers.ts";
import { bytesEqual, hex } from "../../lib/bytes.ts";
import { ServiceRefusal } from "../refusal.ts";
import { type Sessions, sessionVerdict } from "./session_tokens.ts";

/** Resolves to whose request it is, as text that is no credential; refuses when nobody's. */
export type Authenticate = (headers: Headers) => Promise<string>;

/** A request with both is judged by its key. `sessions` null: nobody can sign in. */
export function authentication(
  apiKeys: readonly string[],
  sessions: Sessions | null = null,
): Authenticate {
  const byKey = keyAuthentication(apiKeys);
  return async (headers) => {
    const authorization = headers.get("authorization");
    if (sessions === null || authorization === null || headers.has(HEADERS.apiKey)) {
      return await byKey(headers);
    }
    const [, token = ""] = /^Bearer +([A-Za-z0-9._-]{1,4096})$/i.exec(authorization) ?? [];
    const verdict = await sessionVerdict(token, sessions);
    if (verdict.kind !== "valid") throw refusedSession(verdict.kind);
    return `session ${verdict.subject}`;
  };
}

/** Keys are compared as hashes of one length, each with all of them: the time taken says nothing about any. */
function keyAuthentication(apiKeys: readonly string[]): Authenticate {
  if (apiKeys.length === 0 || apiKeys.some((key) => key === "")) {
    throw new Error("The build service needs at least one API key, and none may be empty");
  }
  const known = Promise.all(apiKeys.map(digestOf));
  return async (headers) => {
    const key = headers.get(HEADERS.apiKey);
    if (key === null) throw headers.has("authorization") ? noBearer() : missing();
    const digest = await digestOf(key);
    const matches = (await known).map((candidate) => bytesEqual(candidate, digest));
    if (!matches.includes(true)) throw wrong();
    return `key ${hex(digest)}`;
  };
}

async function digestOf(key: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
}

// RFC 9110, 11.6.1: a 401 names a scheme.
const CHALLENGE = { "www-authenticate": 'ApiKey realm="quickback"' };

function missing(): ServiceRefusal {
  return new ServiceRefusal("AUTH_MISSING", { headers: CHALLENGE });
}

function noBearer(): ServiceRefusal {
  return new ServiceRefusal("AUTH_INVALID_TOKEN", {
    detail: "The credentials in 'Authorization' are not known",
    hint: "Send the key of the service in 'x-api-key': a key is no bearer token",
    headers: CHALLENGE,
  });
}

function refusedSession(verdict: "expired" | "invalid"): ServiceRefusal {
  return new ServiceRefusal(verdict === "expired" ? "AUTH_EXPIRED" : "AUTH_INVALID_TOKEN", {
    detail: verdict === "expired"
      ? "The session in 'Authorization' is over"
      : "The session in 'Authorization' is not known",
    hint: "Sign in again: quickback login --service <url>",
    headers: { "www-authenticate": 'Bearer realm="quickback", error="invalid_token"' },
  });
}

function wrong(): ServiceRefusal {
  return new ServiceRefusal("AUTH_INVALID_TOKEN", {
    detail: "The key in 'x-api-key' is not known",
    headers: CHALLENGE,
  });
}
