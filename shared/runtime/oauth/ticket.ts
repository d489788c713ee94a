/**
 * Seals the request behind a consent page for the user and session to whom the page was shown, so that users allow exactly what
 * they saw.
 */
import type { Clock, Secrets } from "../ports.ts";
import { signedClaims } from "../signed_claims.ts";
import type { Asked } from "./authorization_request.ts";

/** The members of the request that are needed afterwards. */
export type TicketRequest =
  & Pick<Asked, "redirectUri" | "state" | "challenge" | "scopes" | "audience">
  & { readonly clientId: string };

/** The user in front of the page. */
export interface TicketHolder {
  readonly userId: string;
  /** Time at which the user's session began. */
  readonly at: number;
}

export interface Tickets {
  seal(request: TicketRequest, holder: TicketHolder): Promise<string>;
  /** Opens a ticket; null for one that was not sealed here for this holder, or too long ago. */
  open(ticket: string, holder: TicketHolder): Promise<TicketRequest | null>;
}

const LIFETIME_SECONDS = 10 * 60;

/** Builds the tickets; one instance per application. */
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
