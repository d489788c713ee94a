/**
 * Reads of PUBLIC records by whoever has a credential (contract 5.4): judged wholly as the caller, else wholly as nobody in
 * particular, so that signing in never takes a record out of sight. Never as both: no row, column or mask is a mixture.
 */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { actorOf } from "../../model/principal.ts";
import type { Call } from "./call.ts";
import { Refusal } from "../refusal.ts";
import { auditPublicCall } from "./public_audit.ts";

type Read = (call: Call) => Promise<Response>;

/** The caller's own refusal stands where nobody in particular is refused too. */
export function asAnybody(read: Read): Read {
  return async (call) => {
    const { request: { principal }, plan } = call;
    if (plan.gate.who !== "anyone" || principal.credential === "none") return await read(call);
    try {
      return await read(call);
    } catch (error) {
      if (!isOfCaller(error)) throw error;
      const response = await readAnonymously(read, call);
      if (response === null) throw error;
      // Anonymous reads in a tenant are told of, and a credential is no way round that.
      if (plan.table.scope.organization !== null) {
        await auditPublicCall(call, { code: null, actor: actorOf(principal) });
      }
      return response;
    }
  };
}

/** Null: refused. */
async function readAnonymously(read: Read, call: Call): Promise<Response | null> {
  try {
    return await read({ ...call, request: call.request.asNobody() });
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
