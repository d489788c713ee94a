/**
 * Defines the callers that an endpoint admits, for the runtime's gate, OpenAPI's `security` and the manifests (contract 5.1,
 * 5.4).
 */
import type { Access, ActionModel } from "../model/mod.ts";
import { isPublic } from "./admission.ts";

export type Who =
  /** Every caller: credentials are not read. */
  | "unasked"
  /** A caller with valid credentials, or with none. */
  | "anyone"
  /** A caller with valid credentials. */
  | "caller"
  /** A caller with a session's cookie: other credentials do not count. */
  | "session"
  /** A caller with valid credentials other than a cookie. */
  | "header";

/** Returns the callers of an operation on records. */
export function whoMayAsk(access: Access): Who {
  return isPublic(access) ? "anyone" : "caller";
}

/** Returns the callers of an action. An action beyond the caller's own tenant needs an identity (contract 4.4 rule 3). */
export function whoMayRun(access: Access, action: ActionModel): Who {
  return action.unsafe?.crossTenant === true ? "caller" : whoMayAsk(access);
}
