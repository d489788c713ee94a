/** The places of subscribers, as endpoints see them. */
import type { Admitted } from "../gate.ts";
import { Subscription } from "./viewer.ts";

export interface JoinRequest {
  readonly request: Admitted;
  /** Of whom there are so many streams already. */
  readonly caller: string;
  readonly wanted: ReadonlySet<string> | null;
  readonly lastEventId: string | null;
}

/** A subscriber with a place in the hub. */
export interface Stream {
  readonly subscription: Subscription;
  /** Gives the place back; more than once does nothing. */
  leave(): void;
}

export interface Hub {
  /** Refuses with `RATE_LIMITED` and `REALTIME_UNAVAILABLE`. */
  join(joining: JoinRequest): Promise<Stream>;
  closingText(reason: string): string;
  /** Ends every stream; nobody joins any more. */
  end(): void;
  /** Ends the streams of the organization's subscribers: it is deleted. */
  endOrganization(organizationId: string): void;
}
