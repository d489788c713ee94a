/** One token per request, between authentication and access (contract 8.1). Refuses with `RATE_LIMITED`. */
import { actorOf, type Principal } from "../../../model/principal.ts";
import { callerKey } from "../../../surface/rate_buckets.ts";
import { enter, type GatedCall } from "../../context.ts";
import { refuse } from "../../refusal.ts";

export async function limitRate(call: GatedCall, principal: Principal): Promise<void> {
  if (call.admitted) return;
  enter(call, "rate-limit");
  const { request, plan: { rate: { limit, bucketOf } } } = call;
  const { limiter } = request.app.ports;
  // Without a limiter the check is skipped (contract 8.1.5).
  if (limiter === null || limit === null) return;
  const key = bucketOf(callerKey(actorOf(principal), request.clientIp));
  if (!await limiter.take(key, limit.limit, limit.period)) refuse("RATE_LIMITED");
}
