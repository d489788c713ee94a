/**
 * A cheap gate before anything is known of a caller: requests per minute from one address, whatever they ask. Beyond the
 * contract, and off unless an operator sets it. Refuses with `RATE_LIMITED`.
 */
import { addressBucket } from "../../../surface/rate_buckets.ts";
import type { RequestContext } from "../../context.ts";
import { refuse } from "../../refusal.ts";

const PERIOD_SECONDS = 60;

/** Without a limiter or an address there is nothing to count by. */
export async function limitAddress({ app, clientIp }: RequestContext): Promise<void> {
  const { settings: { clientRateLimit = null }, ports: { limiter } } = app;
  if (clientRateLimit === null || limiter === null || clientIp === null) return;
  const bucket = addressBucket(clientIp);
  if (!await limiter.take(bucket, clientRateLimit, PERIOD_SECONDS)) refuse("RATE_LIMITED");
}
