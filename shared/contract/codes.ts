/** Every code that an answer can carry, with its layer, status and title (contract 7.2, definitions 7 "Smaller answers"). */

export const LAYERS = [
  "authentication",
  "rate-limit",
  "firewall",
  "access",
  "guards",
  "validation",
  "database",
  "action",
  "compile",
] as const;

export type Layer = typeof LAYERS[number];

export interface CodeRow {
  readonly layer: Layer;
  readonly status: number;
  /** Stable summary, the problem document's `title` (contract 2.7). */
  readonly title: string;
}

const row = (layer: Layer, status: number, title: string): CodeRow => ({ layer, status, title });

/** Codes of the generated API. */
export const RUNTIME_CODES = {
  AUTH_MISSING: row("authentication", 401, "Authentication required"),
  AUTH_INVALID_TOKEN: row("authentication", 401, "Invalid credentials"),
  AUTH_EXPIRED: row("authentication", 401, "Credentials expired"),
  AUTH_RATE_LIMITED: row("authentication", 401, "Too many authentication attempts"),
  AUTH_SESSION_REQUIRED: row("authentication", 401, "Session required"),
  AUTH_FRESH_SESSION_REQUIRED: row("authentication", 401, "Fresh session required"),
  AUTH_REVOCATION_UNAVAILABLE: row("authentication", 503, "Revocation state unavailable"),
  WEBHOOK_SIGNATURE_INVALID: row("authentication", 401, "Invalid webhook signature"),
  ORIGIN_FORBIDDEN: row("authentication", 403, "Origin forbidden"),

  RATE_LIMITED: row("rate-limit", 429, "Rate limit exceeded"),

  FIREWALL_NOT_FOUND: row("firewall", 403, "Record not found"),
  FIREWALL_ORG_ISOLATION: row("firewall", 403, "Other organization"),
  FIREWALL_USER_ISOLATION: row("firewall", 403, "Other user"),
  FIREWALL_SOFT_DELETED: row("firewall", 403, "Record deleted"),
  NOT_FOUND: row("firewall", 404, "Not found"),

  ACCESS_ROLE_REQUIRED: row("access", 403, "Role required"),
  ACCESS_CONDITION_FAILED: row("access", 403, "Record condition not met"),
  ACCESS_OWNERSHIP_REQUIRED: row("access", 403, "Ownership required"),
  ACCESS_NO_ORG: row("access", 403, "No active organization"),
  ACCESS_ACTION_NOT_ALLOWED_FOR_STATE: row("access", 409, "Action not allowed for state"),
  ACCESS_TRANSITION_LOST: row("access", 409, "Transition lost"),
  ORG_NOT_EMPTY: row("access", 409, "Organization not empty"),
  ORG_LAST_OWNER: row("access", 409, "Last owner of an organization"),

  GUARD_FIELD_NOT_CREATEABLE: row("guards", 400, "Field not createable"),
  GUARD_FIELD_NOT_UPDATABLE: row("guards", 400, "Field not updatable"),
  GUARD_FIELD_PROTECTED: row("guards", 400, "Field protected"),
  GUARD_FIELD_IMMUTABLE: row("guards", 400, "Field immutable"),
  GUARD_SYSTEM_MANAGED: row("guards", 400, "Field system-managed"),

  VALIDATION_ERROR: row("validation", 400, "Validation failed"),
  VALIDATION_INVALID_INPUT: row("validation", 400, "Invalid query"),
  INVALID_JSON: row("validation", 400, "Malformed JSON"),
  PAYLOAD_TOO_LARGE: row("validation", 413, "Payload too large"),
  UNSUPPORTED_MEDIA_TYPE: row("validation", 415, "Unsupported media type"),
  BATCH_SIZE_EXCEEDED: row("validation", 400, "Batch too large"),
  BATCH_FAIL_FAST_STOPPED: row("validation", 400, "Batch stopped"),
  BATCH_MISSING_IDS: row("validation", 400, "Batch without ids"),
  ORG_REQUIRED: row("validation", 400, "Organization required"),
  REQUEST_TIMEOUT: row("validation", 408, "Request timed out"),
  HOST_INVALID: row("validation", 400, "Invalid host"),
  ROUTE_NOT_FOUND: row("validation", 404, "No such route"),
  METHOD_NOT_ALLOWED: row("validation", 405, "Method not allowed"),
  IDEMPOTENCY_KEY_IN_FLIGHT: row("validation", 409, "Request in flight"),
  IDEMPOTENCY_KEY_REUSED: row("validation", 422, "Idempotency key reused"),
  PRECONDITION_FAILED: row("validation", 412, "Revision mismatch"),
  PRECONDITION_UNSUPPORTED: row("validation", 428, "Precondition cannot anchor"),
  WEBHOOK_ENDPOINT_LIMIT: row("validation", 409, "Webhook endpoint limit reached"),
  WEBHOOK_EVENT_NOT_FAILED: row("validation", 409, "Webhook event has not failed"),
  REALTIME_UNAVAILABLE: row("validation", 503, "Realtime unavailable"),
  WEBHOOK_RESOLVER_UNAVAILABLE: row("validation", 503, "Webhook host cannot be resolved"),

  DB_NOT_NULL_VIOLATION: row("database", 400, "Required value missing"),
  DB_UNIQUE_VIOLATION: row("database", 409, "Value already taken"),
  DB_REFERENCE_VIOLATION: row("database", 409, "Still referenced"),
  DB_INSERT_FAILED: row("database", 500, "Insert failed"),
  DB_UPDATE_FAILED: row("database", 500, "Update failed"),
  DATABASE_UNAVAILABLE: row("database", 503, "Database unavailable"),
  INTERNAL_ERROR: row("database", 500, "Internal error"),

  ACTION_EXECUTION_FAILED: row("action", 500, "Action failed"),
} as const satisfies Record<string, CodeRow>;

/** Codes that only the build service answers with (definitions 7). */
export const SERVICE_CODES = {
  COMPILE_FAILED: row("compile", 400, "Compile failed"),
  COMPILE_INPUT_INVALID: row("compile", 400, "Invalid compile input"),
  COMPLETE_REQUIRES_CONTAINER: row("compile", 400, "Full compile requires the container"),
  COMPILE_TIMEOUT: row("compile", 408, "Compile timed out"),
  COMPILE_BUSY: row("compile", 503, "Compiler busy"),
  /** The backend that would compile does not answer. */
  COMPILE_UNAVAILABLE: row("compile", 503, "Compiler unavailable"),
} as const satisfies Record<string, CodeRow>;

export type RuntimeCode = keyof typeof RUNTIME_CODES;
export type ServiceCode = keyof typeof SERVICE_CODES;
