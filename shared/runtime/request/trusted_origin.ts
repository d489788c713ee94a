/** Origins whose pages may read answers and write with cookies (definitions 2, `trustedOrigins`). */
import { isLocalOrigin } from "../../lib/local_origin.ts";
import type { AppContext } from "../context.ts";

/** True for the API's own origin, the listed ones, and any local one in development. Never a wildcard. */
export function isTrustedOrigin(origin: string, { settings, project }: AppContext): boolean {
  if (origin === settings.baseUrl || project.trustedOrigins.includes(origin)) return true;
  return !settings.production && isLocalOrigin(origin);
}
