/** The flat 429, one of the three bodies that are no problem document (contract 8.1.6). */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { HEADERS } from "../../contract/headers.ts";
import { RETRY_AFTER_SECONDS } from "../../contract/rate_limits.ts";

export function rateLimitedResponse(): Response {
  const { status, title } = RUNTIME_CODES.RATE_LIMITED;
  const body = { error: title, code: "RATE_LIMITED", retryAfter: RETRY_AFTER_SECONDS };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      [HEADERS.retryAfter]: String(RETRY_AFTER_SECONDS),
    },
  });
}
