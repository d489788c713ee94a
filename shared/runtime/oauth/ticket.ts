/** The request behind a consent page, sealed for the user and session to whom the page was shown: what they allow is what they saw. */
import type { Clock, Secrets } from "../ports.ts";
import { signedClaims } from "../signed_claims.ts";
import type { Asked } from "./authorization_request.ts";

/** All that is needed of the request afterwards. */
export type TicketRequest =
  & Pick<Asked, "redirectUri" | "state" | "challenge" | "scopes" | "audience">
  & { readonly clientId: string };

/** Somebody in front of the page. */
export interface TicketHolder {
  readonly userId: string;
  /** When their session began. */
  readonly at: number;
}

export interface Tickets {
  seal(request: TicketRequest, holder: TicketHolder): Promise<string>;
  /** Null for anything that was not sealed here for this holder, or too long ago. */
  open(ticket: string, holder: TicketHolder): Promise<TicketRequest | null>;
}

const LIFETIME_SECONDS = 10 * 60;

/** One per application. */
export function createTickets(secrets: Secrets, clock: Clock): Tickets {
  const claims = signedClaims<TicketRequest>(secrets, clock, "quickback-consent");
  const holderOf = ({ userId, at }: TicketHolder) => `${userId} ${at}`;
  return {
    seal: (request, holder) =>
      claims.sign(
        request,
        holderOf(holder),
        Math.floor(clock.now() / 1000) + LIFETIME_SECONDS,
      ),
    open: (ticket, holder) => claims.open(ticket, holderOf(holder)),
  };
}
