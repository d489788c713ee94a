/** Which credential a request carries (contract 5.1). Explicit headers win over the cookie that a browser adds by itself. */
import { HEADERS } from "../../../contract/headers.ts";
import type { Accounts } from "../../ports.ts";

export type RequestCredential =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "session" }
  /** There is something, and nothing of ours. */
  | { readonly kind: "unknown" };

/** RFC 6750, 2.1. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export function credentialOf(headers: Headers, accounts: Accounts | null): RequestCredential {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const token = BEARER.exec(authorization)?.[1];
    return token === undefined ? { kind: "unknown" } : { kind: "bearer", token };
  }
  if (headers.has(HEADERS.apiKey)) return { kind: "unknown" };
  return accounts?.hasSessionCookie(headers) ? { kind: "session" } : { kind: "none" };
}
