/** Expiry of a request's credentials, for answers that outlive their request (contract 6.3). */
import { decodeJwt } from "jose";
import type { RequestContext } from "../../context.ts";
import { credentialsOf } from "./credentials.ts";

/** The expiry in milliseconds since the epoch, of an identified request. Null: its credentials have none. */
export function credentialExpiry({ headers, app }: RequestContext): number | null {
  const ends = credentialsOf(headers, app.ports.accounts).flatMap((credential) => {
    const exp = credential.kind === "bearer" ? decodeJwt(credential.token).exp : undefined;
    return exp === undefined ? [] : [exp * 1000];
  });
  return ends.length === 0 ? null : Math.min(...ends);
}
