/** Outbound and inbound webhooks of a project (definitions 2, `webhooks`). */
import type { ScheduleName } from "../contract/webhooks.ts";

export interface WebhooksModel {
  /** Users register endpoints, and events are delivered to them. */
  readonly outbound: boolean;
  /** Providers whose events are received, without repetition. */
  readonly inbound: readonly string[];
  /** Names that `GET /webhooks/v1/events` lists; any other may be emitted too. */
  readonly events: readonly string[];
  /** Endpoints of one organization, or of one user where there is none. */
  readonly maxEndpoints: number;
  /** Schedule of retries after failed deliveries. */
  readonly schedule: ScheduleName;
  /** Days for which settled deliveries and processed or failed events are kept; null: for ever. */
  readonly retentionDays: number | null;
}

export function receives({ inbound }: WebhooksModel): boolean {
  return inbound.length > 0;
}
