/** Credentials that a request carries (contract 5.1), the explicit ones first: the first one decides. */
import { HEADERS } from "../../../contract/headers.ts";
import type { Accounts } from "../../ports.ts";

export type RequestCredential =
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "apiKey"; readonly key: string }
  | { readonly kind: "session" }
  /** Another scheme: of a delegated principal, or nothing of ours. */
  | { readonly kind: "other"; readonly authorization: string };

/** RFC 6750, 2.1. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export function credentialsOf(
  headers: Headers,
  accounts: Accounts | null,
): readonly RequestCredential[] {
  const credentials: RequestCredential[] = [];
  const authorization = headers.get("authorization");
  if (authorization !== null) credentials.push(authorizationCredential(authorization));
  const key = headers.get(HEADERS.apiKey);
  if (key !== null) credentials.push({ kind: "apiKey", key });
  if (accounts?.hasSessionCookie(headers)) credentials.push({ kind: "session" });
  return credentials;
}

function authorizationCredential(authorization: string): RequestCredential {
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined ? { kind: "other", authorization } : { kind: "bearer", token };
}
