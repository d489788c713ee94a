/** Describes the origin of an act on an account, for the account's log (docs/decisions/accounts.md, "Security events"). */
import type { RequestContext } from "../context.ts";
import type { RequestOrigin } from "../ports.ts";

export function originOf(
  { clientIp, headers }: Pick<RequestContext, "clientIp" | "headers">,
): RequestOrigin {
  return {
    clientIp,
    userAgent: headers.get("user-agent"),
    languages: headers.get("accept-language"),
  };
}
