/** One token per request, between authentication and access (contract 8.1). Refuses with `RATE_LIMITED`. */
import type { Principal } from "../../../model/principal.ts";
import { callerKey, resourceBucket } from "../../../surface/rate_buckets.ts";
import { type Call, enter } from "../../context.ts";
import { refuse } from "../../refusal.ts";

export async function limitRate(call: Call, principal: Principal): Promise<void> {
  if (call.admitted) return;
  enter(call, "rate-limit");
  const { request, plan: { operation } } = call;
  const { limiter } = request.app.ports;
  const rate = operation.resource.rateLimits[operation.rate];
  // Without a limiter the check is skipped (contract 8.1.5).
  if (limiter === null || rate === null) return;
  const caller = callerKey(principal.userId, request.clientIp);
  const key = resourceBucket(operation.resource.name, operation.rate, caller);
  if (!await limiter.take(key, rate.limit, rate.period)) refuse("RATE_LIMITED");
}
