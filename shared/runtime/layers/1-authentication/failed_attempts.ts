/**
 * Credentials that proved nothing, counted by the caller's address (contract 7.2): beyond the limit they are refused with
 * `AUTH_RATE_LIMITED`. A good credential from the same address still counts: nobody locks out their neighbours.
 */
import { FAILED_ATTEMPTS, RETRY_AFTER_SECONDS } from "../../../contract/rate_limits.ts";
import { failedAttemptsBucket } from "../../../surface/rate_buckets.ts";
import type { RequestContext } from "../../context.ts";
import type { CredentialVerdict } from "../../ports.ts";
import { refuse } from "../../refusal.ts";

type Refused = Extract<CredentialVerdict, { kind: "refused" }>["code"];

/** Always refuses. Without a limiter or an address there is nothing to count by. */
export async function refuseFailedAttempt(
  { app, clientIp }: RequestContext,
  code: Refused,
): Promise<never> {
  const { limiter } = app.ports;
  if (code !== "AUTH_INVALID_TOKEN" || limiter === null || clientIp === null) return refuse(code);
  const { limit, period } = FAILED_ATTEMPTS;
  if (await limiter.take(failedAttemptsBucket(clientIp), limit, period)) return refuse(code);
  return refuse("AUTH_RATE_LIMITED", { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}
