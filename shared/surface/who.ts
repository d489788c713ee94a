/**
 * Callers that an endpoint lets in: the one fact behind the runtime's gate, OpenAPI's `security` and the manifests (contract
 * 5.1, 5.4).
 */
import type { Access, ActionModel } from "../model/mod.ts";
import { isPublic } from "./admission.ts";

export type Who =
  /** Everybody: credentials are not looked at. */
  | "unasked"
  /** Somebody with good credentials, or with none. */
  | "anyone"
  /** Somebody with good credentials. */
  | "caller"
  /** The holder of a session's cookie: no other credentials count. */
  | "session"
  /** Somebody with good credentials: a cookie is none. */
  | "header";

/** The callers of an operation on records. */
export function whoMayAsk(access: Access): Who {
  return isPublic(access) ? "anyone" : "caller";
}

/** The callers of an action: one that looks past the own tenant needs an identity (contract 4.4 rule 3). */
export function whoMayRun(access: Access, action: ActionModel): Who {
  return action.unsafe?.crossTenant === true ? "caller" : whoMayAsk(access);
}
