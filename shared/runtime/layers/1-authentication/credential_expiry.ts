/** When what a request was let in with is over, for answers that outlive their request (contract 6.3). */
import { decodeJwt } from "jose";
import type { RequestContext } from "../../context.ts";
import { credentialsOf } from "./credentials.ts";

/** Of a request that was identified; milliseconds since the epoch. Null: its credentials do not say. */
export function credentialExpiry({ headers, app }: RequestContext): number | null {
  const ends = credentialsOf(headers, app.ports.accounts).flatMap((credential) => {
    const exp = credential.kind === "bearer" ? decodeJwt(credential.token).exp : undefined;
    return exp === undefined ? [] : [exp * 1000];
  });
  return ends.length === 0 ? null : Math.min(...ends);
}
