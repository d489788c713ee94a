/** Lists codes with which operations of many kinds may be refused (contract 7.2). */
import type { RuntimeCode } from "../contract/mod.ts";
import type { ProjectModel } from "../model/mod.ts";

/** Codes of every operation. */
export const COMMON_CODES: readonly RuntimeCode[] = [
  "HOST_INVALID",
  "DATABASE_UNAVAILABLE",
  "STATEMENT_TIMEOUT",
  "INTERNAL_ERROR",
];

/** Codes of receiving a body, before its content is read. */
export const RECEIVING_CODES: readonly RuntimeCode[] = ["PAYLOAD_TOO_LARGE", "REQUEST_TIMEOUT"];

/** Codes with which `db.records` refuses authored code (definitions 6). */
export const RECORD_CODES: readonly RuntimeCode[] = [
  "ACCESS_NO_ORG",
  "ACCESS_OWNERSHIP_REQUIRED",
  "ACCESS_CONDITION_FAILED",
  "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
  "FIREWALL_NOT_FOUND",
  "FIREWALL_SOFT_DELETED",
  "NOT_FOUND",
  "GUARD_SYSTEM_MANAGED",
  "GUARD_FIELD_NOT_CREATEABLE",
  "GUARD_FIELD_NOT_UPDATABLE",
  "VALIDATION_ERROR",
  "QUOTA_EXCEEDED",
  "DB_UNIQUE_VIOLATION",
  "DB_NOT_NULL_VIOLATION",
  "DB_REFERENCE_VIOLATION",
  "DB_INSERT_FAILED",
  "DB_UPDATE_FAILED",
  "ACTION_EXECUTION_FAILED",
  "ACTION_TIMEOUT",
];

/** Codes of reading a JSON body, before its content is validated. */
export const JSON_BODY_CODES: readonly RuntimeCode[] = [
  ...RECEIVING_CODES,
  "UNSUPPORTED_MEDIA_TYPE",
  "INVALID_JSON",
];

/** Returns the codes of the authentication layer; `RATE_LIMITED` because an API key may have a limit of its own. */
export function authenticationCodes(
  { auth: { jwt }, multiTenant }: ProjectModel,
  { method, isRequired }: { readonly method: string; readonly isRequired: boolean },
): readonly RuntimeCode[] {
  return [
    "AUTH_INVALID_TOKEN",
    "AUTH_EXPIRED",
    "AUTH_RATE_LIMITED",
    "RATE_LIMITED",
    ...(isRequired ? ["AUTH_MISSING" as const] : []),
    ...(method === "GET" ? [] : ["ORIGIN_FORBIDDEN" as const]),
    // A token may belong to a deleted organization.
    ...(jwt !== null && multiTenant ? ["FIREWALL_ORG_ISOLATION" as const] : []),
    ...(jwt?.revocationCheck ? ["AUTH_REVOCATION_UNAVAILABLE" as const] : []),
  ];
}

export function when(condition: boolean, code: RuntimeCode): readonly RuntimeCode[] {
  return condition ? [code] : [];
}
