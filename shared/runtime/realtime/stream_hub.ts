/** Declares the hub of subscribers as endpoints use it. */
import type { Admitted } from "../gate.ts";
import { Subscription } from "./viewer.ts";

export interface JoinRequest {
  readonly request: Admitted;
  /** Key by which the streams of one caller are counted. */
  readonly caller: string;
  readonly wanted: ReadonlySet<string> | null;
  readonly lastEventId: string | null;
}

/** A subscriber with a place in the hub. */
export interface Stream {
  readonly subscription: Subscription;
  /** Gives the place back; a second call does nothing. */
  leave(): void;
}

export interface Hub {
  /** Admits a subscriber. Refuses with `RATE_LIMITED` and `REALTIME_UNAVAILABLE`. */
  join(joining: JoinRequest): Promise<Stream>;
  closingText(reason: string): string;
  /** Ends every stream and admits no more subscribers. */
  end(): void;
  /** Ends the streams of a deleted organization's subscribers. */
  endOrganization(organizationId: string): void;
}
