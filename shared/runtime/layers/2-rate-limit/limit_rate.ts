/** One token per request, between authentication and access (contract 8.1). Refuses with `RATE_LIMITED`. */
import { actorOf, type Principal } from "../../../model/principal.ts";
import { callerKey } from "../../../surface/rate_buckets.ts";
import type { RateGate, RequestContext } from "../../context.ts";
import { refuse } from "../../refusal.ts";

/** `rate` null: calls are not counted here. */
export async function limitRate(
  request: RequestContext,
  principal: Principal,
  rate: RateGate | null,
): Promise<void> {
  if (rate === null) return;
  const { trace, ports: { limiter } } = request.app;
  trace?.(request.requestId, "rate-limit");
  const { limit, bucketOf } = rate;
  // Without a limiter the check is skipped (contract 8.1.5).
  if (limiter === null || limit === null) return;
  const key = bucketOf(callerKey(actorOf(principal), request.clientIp));
  if (!await limiter.take(key, limit.limit, limit.period)) refuse("RATE_LIMITED");
}
