/** Whose pages may read answers and write with cookies (definitions 2, `trustedOrigins`). */
import type { AppContext } from "../context.ts";

const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** True for the API's own origin, the listed ones, and any local one in development. Never a wildcard. */
export function isTrustedOrigin(origin: string, { settings, project }: AppContext): boolean {
  if (origin === settings.baseUrl || project.trustedOrigins.includes(origin)) return true;
  return !settings.production && LOCAL_ORIGIN.test(origin);
}
