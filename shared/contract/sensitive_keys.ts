/** Names whose values never reach a problem document (contract 2.7) or a response unmasked (definitions 4.4). */

/** Replaced with `[REDACTED]` in `request.body` and in the query part of `request.url`; compared without case. */
export const REDACTED_KEYS: ReadonlySet<string> = new Set([
  "password",
  "token",
  "secret",
  "apikey",
  "otp",
  "code",
  "authorization",
  "sessiontoken",
  "eventsessiontoken",
  "scopejwt",
  "scopetoken",
  "wsticket",
  "invitetoken",
  "jwt",
  "signature",
]);

export const REDACTED = "[REDACTED]";
