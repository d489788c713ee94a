/** Codes of the authentication layer (contract 7.2). */
import type { RuntimeCode } from "../contract/codes.ts";
import type { ProjectModel } from "../model/project.ts";

/** `RATE_LIMITED` because an API key may have a limit of its own. */
export function authenticationCodes(
  { auth: { jwt } }: ProjectModel,
  { method, isRequired }: { readonly method: string; readonly isRequired: boolean },
): readonly RuntimeCode[] {
  return [
    "AUTH_INVALID_TOKEN",
    "AUTH_EXPIRED",
    "AUTH_RATE_LIMITED",
    "RATE_LIMITED",
    ...(isRequired ? ["AUTH_MISSING" as const] : []),
    ...(method === "GET" ? [] : ["ORIGIN_FORBIDDEN" as const]),
    ...(jwt?.revocationCheck ? ["AUTH_REVOCATION_UNAVAILABLE" as const] : []),
  ];
}
