/** The authentication gate of an operation (contract 5.1). Refuses with `AUTH_MISSING` besides what `identify` refuses. */
import type { Principal } from "../../../model/principal.ts";
import { enter, type GatedCall } from "../../context.ts";
import { refuse } from "../../refusal.ts";

/** The caller; anonymous ones only where the operation is PUBLIC. */
export async function authenticate(call: GatedCall): Promise<Principal> {
  if (call.admitted) return call.admitted;
  enter(call, "authentication");
  const principal = await call.request.app.identify(call.request);
  if (principal.credential === "none" && !call.plan.isPublic) refuse("AUTH_MISSING");
  await call.request.pass(principal);
  return principal;
}
