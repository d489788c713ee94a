/** Sign-ins that failed, for the log of their accounts (docs/decisions/accounts.md, "Security events"). */
import type { JsonObject } from "../../lib/json.ts";
import type { AuthOperation } from "../../surface/mod.ts";
import type { Admitted } from "../gate.ts";
import { originOf } from "../request/request_origin.ts";

/**
 * Records a refused sign-in: by the typed address, with the same writes whether the account exists or not, or by the account
 * whose first factor was right. Attempts that a limit refused, or that failed in the service, do not count.
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
  // With a session the second factor is proved for another purpose.
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
