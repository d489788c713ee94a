/**
 * Counts one token of the rate limit per request, between authentication and access (contract 8.1). Refuses with
 * `RATE_LIMITED`.
 */
import { type Soon, soon } from "../../../lib/soon.ts";
import { actorOf, type Principal } from "../../../model/mod.ts";
import { addressBucket, callerKey } from "../../../surface/mod.ts";
import type { RateGate, RequestContext } from "../../context.ts";
import { refuse } from "../../refusal.ts";

/** Counts a call. `rate` null: calls are not counted here. */
export function limitRate(
  request: RequestContext,
  principal: Principal,
  rate: RateGate | null,
): Soon<void> {
  if (rate === null) return;
  const { trace, ports: { limiter } } = request.app;
  trace?.(request.requestId, "rate-limit");
  const { limit, bucketOf } = rate;
  // Without a limiter the check is skipped (contract 8.1.5).
  if (limiter === null || limit === null) return;
  const key = bucketOf(callerKey(actorOf(principal), request.clientIp));
  return soon(limiter.take(key, limit.limit, limit.period), requireRoom);
}

function requireRoom(isCounted: boolean): void {
  if (!isCounted) refuse("RATE_LIMITED");
}

const PERIOD_SECONDS = 60;

/**
 * Limits requests per minute from one address, cheaply and before the caller is known. It is an addition to the contract, and
 * off unless an operator sets it. Refuses with `RATE_LIMITED`. Without a limiter or an address nothing is counted.
 */
export function limitAddress({ app, clientIp }: RequestContext): Soon<void> {
  const { settings: { clientRateLimit = null }, ports: { limiter } } = app;
  if (clientRateLimit === null || limiter === null || clientIp === null) return;
  const bucket = addressBucket(clientIp);
  return soon(limiter.take(bucket, clientRateLimit, PERIOD_SECONDS), requireRoom);
}
