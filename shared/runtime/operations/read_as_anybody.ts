/**
 * Reads of PUBLIC records by whoever has a credential (contract 5.4): judged wholly as the caller, else wholly as nobody in
 * particular, so that signing in never takes a record out of sight. Never as both: no row, column or mask is a mixture.
 */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { actorOf, ANONYMOUS } from "../../model/principal.ts";
import type { Call } from "../context.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { Refusal } from "../refusal.ts";
import { auditPublicCall } from "./public_audit.ts";

type Read = (call: Call) => Promise<Response>;

/** The caller's own refusal stands where nobody in particular is refused too. */
export function asAnybody(read: Read): Read {
  return async (call) => {
    if (!call.plan.isPublic) return await read(call);
    const principal = await authenticate(call);
    await limitRate(call, principal);
    try {
      return await read({ ...call, admitted: principal });
    } catch (error) {
      if (principal.credential === "none" || !isOfCaller(error)) throw error;
      const response = await readAnonymously(read, call);
      if (response === null) throw error;
      // Anonymous reads in a tenant are told of, and a credential is no way round that.
      if (call.plan.table.scope.organization !== null) {
        await auditPublicCall(call, { code: null, actor: actorOf(principal) });
      }
      return response;
    }
  };
}

/** Null: refused. */
async function readAnonymously(read: Read, call: Call): Promise<Response | null> {
  try {
    return await read({ ...call, admitted: ANONYMOUS });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** A refusal that another caller might not meet. */
function isOfCaller(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  const { layer } = RUNTIME_CODES[error.code];
  return layer === "firewall" || layer === "access";
}
