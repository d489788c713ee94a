/** Sign-ins that failed, for the log of their accounts (docs/decisions/accounts.md, "Security events"). */
import type { JsonObject } from "../../lib/json.ts";
import type { AuthOperation } from "../../surface/mod.ts";
import type { Admitted } from "../gate.ts";
import { originOf } from "../request/request_origin.ts";

/**
 * Writes a refused proof: by the address that was typed, with the same writes whether there is such an account or not, or by the
 * account whose first factor was right. What a limit refused was not checked, and what failed here was no guess.
 */
export async function recordFailure(
  { app: { ports: { accounts } }, headers, clientIp }: Admitted,
  { signsIn, challenges }: AuthOperation,
  { body, status }: {
    readonly body: JsonObject | null;
    readonly status: number;
  },
): Promise<void> {
  const given = challenges.find(({ member }) => textAt(body, member) !== null);
  if (accounts === null || given === undefined || signsIn === null) return;
  if (status < 400 || status >= 500 || status === 429) return;
  const details = { by: given.by };
  const origin = originOf({ headers, clientIp });
  const email = given.of === "email" ? textAt(body, "email") : null;
  if (email !== null) {
    return await accounts.securityLog?.recordFailure({ of: { email }, details, origin });
  }
  // Whoever has a session proves a second factor for another reason.
  if (signsIn !== "secondFactor" || accounts.hasSessionCookie(headers)) return;
  const userId = await accounts.challenged(headers);
  if (userId === null) return;
  await accounts.securityLog?.recordFailure({ of: { userId }, details, origin });
}

function textAt(body: JsonObject | null, name: string | null): string | null {
  if (body === null || name === null || !Object.hasOwn(body, name)) return null;
  const value = body[name];
  return typeof value === "string" ? value : null;
}
