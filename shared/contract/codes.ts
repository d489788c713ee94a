/** Every code of an answer, with its layer, status, title and hint (contract 7.2, definitions 7 "Smaller answers"). */

export const LAYERS = [
  "authentication",
  "rate-limit",
  "firewall",
  "access",
  "guards",
  "validation",
  "masking",
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
  /** The way out, for the reader of the answer. A refusal may carry a more specific one (contract 2.7). */
  readonly hint: string;
}

function row(layer: Layer, status: number, title: string) {
  return { hint: (hint: string): CodeRow => ({ layer, status, title, hint }) };
}

/** Codes of the generated API. */
export const RUNTIME_CODES = {
  AUTH_MISSING: row("authentication", 401, "Authentication required").hint(
    "Send 'Authorization: Bearer <token>' or a session cookie",
  ),
  AUTH_INVALID_TOKEN: row("authentication", 401, "Invalid credentials").hint(
    "Obtain a new token; invalid credentials are never treated as anonymous",
  ),
  AUTH_EXPIRED: row("authentication", 401, "Credentials expired").hint(
    "Obtain a new token or sign in again",
  ),
  AUTH_RATE_LIMITED: row("authentication", 401, "Too many authentication attempts").hint(
    "Wait before trying again",
  ),
  AUTH_SESSION_REQUIRED: row("authentication", 401, "Session required").hint(
    "Call this endpoint with a session cookie",
  ),
  AUTH_FRESH_SESSION_REQUIRED: row("authentication", 401, "Fresh session required").hint(
    "Send 'password', or sign in anew: that counts for 10 minutes",
  ),
  AUTH_BUSY: row("authentication", 503, "Too many passwords at once").hint(
    "Try again after the second in 'Retry-After'",
  ),
  AUTH_REVOCATION_UNAVAILABLE: row("authentication", 503, "Revocation state unavailable").hint(
    "Try again shortly",
  ),
  WEBHOOK_SIGNATURE_INVALID: row("authentication", 401, "Invalid webhook signature").hint(
    "Check the provider's secret, and the clock of whoever signs",
  ),
  LINK_INVALID: row("authentication", 400, "Link not valid").hint(
    "Ask for a new message: a link works once, and for a time only",
  ),
  ORIGIN_FORBIDDEN: row("authentication", 403, "Origin forbidden").hint(
    "Add the origin to 'trustedOrigins', or use a bearer token instead of the cookie",
  ),

  RATE_LIMITED: row("rate-limit", 429, "Rate limit exceeded").hint(
    "Wait for the seconds in 'Retry-After'",
  ),

  FIREWALL_NOT_FOUND: row("firewall", 403, "Record not found").hint(
    "Check the id; records of others answer as missing ones do",
  ),
  FIREWALL_ORG_ISOLATION: row("firewall", 403, "Other organization").hint(
    "Switch the active organization, or leave 'organizationId' out",
  ),
  FIREWALL_USER_ISOLATION: row("firewall", 403, "Other user").hint("Ask for your own records"),
  FIREWALL_SOFT_DELETED: row("firewall", 403, "Record deleted").hint("The record was deleted"),
  NOT_FOUND: row("firewall", 404, "Not found").hint("Check the id"),

  ACCESS_ROLE_REQUIRED: row("access", 403, "Role required").hint(
    "Ask an administrator for one of the roles in 'details.required'",
  ),
  ACCESS_CONDITION_FAILED: row("access", 403, "Record condition not met").hint(
    "The record is not in a state that allows this to the caller",
  ),
  ACCESS_OWNERSHIP_REQUIRED: row("access", 403, "Ownership required").hint(
    "Only the record's owner may do this",
  ),
  ACCESS_NO_ORG: row("access", 403, "No active organization").hint(
    "Choose an active organization first",
  ),
  ACCESS_ACTION_NOT_ALLOWED_FOR_STATE: row("access", 409, "Action not allowed for state").hint(
    "Read the record again; 'details.conditions' says what it must meet",
  ),
  ACCESS_TRANSITION_LOST: row("access", 409, "Transition lost").hint(
    "Read the record again; another request moved it first",
  ),
  EMAIL_UNVERIFIED: row("access", 403, "Address not confirmed").hint(
    "Confirm the address of the account first: follow the link that was mailed to it",
  ),
  SECOND_FACTOR_REQUIRED: row("access", 403, "Second factor required").hint(
    "Sign in with a second factor or a passkey, then ask again",
  ),
  ORG_NOT_EMPTY: row("access", 409, "Organization not empty").hint(
    "Delete its records first, or send '?purge=true' to delete all that it owns",
  ),
  QUOTA_EXCEEDED: row("access", 403, "Too many rows").hint(
    "Remove rows for good, or ask the operator for more room",
  ),
  MEMBER_REFERENCED: row("access", 409, "Member still named").hint(
    "Name others in the records first; 'details.count' says how many there are",
  ),
  ORG_LAST_OWNER: row("access", 409, "Last owner of an organization").hint(
    "Make another member an owner, or delete the organization",
  ),

  GUARD_FIELD_NOT_CREATEABLE: row("guards", 400, "Field not createable").hint(
    "Leave the fields out; 'guards.createable' lists what may be sent",
  ),
  GUARD_FIELD_NOT_UPDATABLE: row("guards", 400, "Field not updatable").hint(
    "Leave the fields out; 'guards.updatable' lists what may be sent",
  ),
  GUARD_FIELD_PROTECTED: row("guards", 400, "Field protected").hint(
    "Use the action that writes the field",
  ),
  GUARD_FIELD_IMMUTABLE: row("guards", 400, "Field immutable").hint(
    "The field can only be set when the record is created",
  ),
  GUARD_SYSTEM_MANAGED: row("guards", 400, "Field system-managed").hint(
    "Leave the fields out; the service sets them",
  ),

  VALIDATION_ERROR: row("validation", 400, "Validation failed").hint(
    "Correct the fields in 'details.fields'",
  ),
  VALIDATION_INVALID_INPUT: row("validation", 400, "Invalid query").hint(
    "See the parameters of this operation in '/openapi.json'",
  ),
  INVALID_JSON: row("validation", 400, "Malformed JSON").hint("Send a JSON object in UTF-8"),
  PAYLOAD_TOO_LARGE: row("validation", 413, "Payload too large").hint("Send less than 1 MiB"),
  UNSUPPORTED_MEDIA_TYPE: row("validation", 415, "Unsupported media type").hint(
    "Send 'Content-Type: application/json' without 'Content-Encoding'",
  ),
  BATCH_SIZE_EXCEEDED: row("validation", 400, "Batch too large").hint(
    "Send the records in several batches",
  ),
  BATCH_FAIL_FAST_STOPPED: row("validation", 400, "Batch stopped").hint(
    "Correct the record at 'details.failedAt' and send the batch again; earlier records are not rolled back unless 'meta.transactional' says otherwise",
  ),
  BATCH_MISSING_IDS: row("validation", 400, "Batch without ids").hint(
    "Name every record by its id",
  ),
  ORG_REQUIRED: row("validation", 400, "Organization required").hint("Add '?organizationId=<id>'"),
  REQUEST_TIMEOUT: row("validation", 408, "Request timed out").hint(
    "Send the whole body at once, or over a faster connection",
  ),
  HOST_INVALID: row("validation", 400, "Invalid host").hint(
    "Send the host name of this API in the 'Host' header",
  ),
  ROUTE_NOT_FOUND: row("validation", 404, "No such route").hint(
    "See '/openapi.json' for the routes of this API",
  ),
  METHOD_NOT_ALLOWED: row("validation", 405, "Method not allowed").hint(
    "Use one of the methods in the 'Allow' header",
  ),
  IDEMPOTENCY_KEY_IN_FLIGHT: row("validation", 409, "Request in flight").hint(
    "Wait for the first request to finish, then send it again",
  ),
  IDEMPOTENCY_KEY_REUSED: row("validation", 422, "Idempotency key reused").hint(
    "Use a new key for a new request",
  ),
  PRECONDITION_FAILED: row("validation", 412, "Revision mismatch").hint(
    "Read the record again and use its 'ETag'",
  ),
  PRECONDITION_UNSUPPORTED: row("validation", 428, "Precondition cannot anchor").hint(
    "Leave 'If-Match' out; nothing here carries a revision",
  ),
  WEBHOOK_ENDPOINT_LIMIT: row("validation", 409, "Webhook endpoint limit reached").hint(
    "Delete an endpoint first",
  ),
  WEBHOOK_EVENT_NOT_FAILED: row("validation", 409, "Webhook event has not failed").hint(
    "Only events with the status 'failed' can be retried",
  ),
  JOB_STATE: row("validation", 409, "Job is in another state").hint(
    "Only jobs with the status 'failed' can be retried, and only 'queued' ones cancelled",
  ),
  FILE_NOT_FOUND: row("validation", 404, "No file").hint("The record has no file in this field"),
  RANGE_NOT_SATISFIABLE: row("validation", 416, "Range not satisfiable").hint(
    "Ask for bytes below the size in 'Content-Range'",
  ),
  REALTIME_UNAVAILABLE: row("validation", 503, "Realtime unavailable").hint("Try again shortly"),
  EMBEDDINGS_UNAVAILABLE: row("validation", 503, "Embeddings service unavailable").hint(
    "Try again after the seconds in 'Retry-After', or send the vector as 'near'",
  ),
  WEBHOOK_RESOLVER_UNAVAILABLE: row("validation", 503, "Webhook host cannot be resolved").hint(
    "Try again shortly",
  ),

  FIELD_MASKED: row("masking", 403, "Field masked").hint(
    "The field is masked for the caller, and so is its file",
  ),

  DB_NOT_NULL_VIOLATION: row("database", 400, "Required value missing").hint(
    "Send the missing value",
  ),
  DB_UNIQUE_VIOLATION: row("database", 409, "Value already taken").hint("Choose another value"),
  DB_REFERENCE_VIOLATION: row("database", 409, "Still referenced").hint(
    "Delete what still refers to the record first",
  ),
  DB_INSERT_FAILED: row("database", 500, "Insert failed").hint(
    "Try again; tell the operator the 'requestId' when it keeps failing",
  ),
  DB_UPDATE_FAILED: row("database", 500, "Update failed").hint(
    "Try again; tell the operator the 'requestId' when it keeps failing",
  ),
  DATABASE_UNAVAILABLE: row("database", 503, "Database unavailable").hint(
    "Try again after the seconds in 'Retry-After'",
  ),
  STATEMENT_TIMEOUT: row("database", 503, "Statement took too long").hint(
    "Ask for less: filter by an indexed field, ask fewer relations, or leave 'total' out",
  ),
  STORAGE_UNAVAILABLE: row("database", 503, "Store of files unavailable").hint(
    "Try again after the seconds in 'Retry-After'",
  ),
  STORAGE_FULL: row("database", 507, "Storage full").hint(
    "Tell the operator: the store has no room for the file",
  ),
  INTERNAL_ERROR: row("database", 500, "Internal error").hint(
    "Try again; tell the operator the 'requestId' when it keeps failing",
  ),

  ACTION_TIMEOUT: row("action", 503, "Action took too long").hint(
    "Nothing of it was kept: ask for less, or tell the operator the 'requestId'",
  ),
  ACTION_EXECUTION_FAILED: row("action", 500, "Action failed").hint(
    "Tell the operator the 'requestId' when it keeps failing",
  ),
} as const satisfies Record<string, CodeRow>;

/** Codes of the build service alone (definitions 7). */
export const SERVICE_CODES = {
  COMPILE_FAILED: row("compile", 400, "Compile failed").hint(
    "Correct what 'errors' lists; each has its file, line and way out",
  ),
  COMPILE_INPUT_INVALID: row("compile", 400, "Invalid compile input").hint(
    'Send {"rawFiles": {"<path>": "<text>"}}',
  ),
  COMPLETE_REQUIRES_CONTAINER: row("compile", 400, "Full compile requires the container").hint(
    "Send the request to the container's POST /compile, or add '?complete=false'",
  ),
  COMPILE_TIMEOUT: row("compile", 408, "Compile timed out").hint(
    "Compile fewer or smaller files at once",
  ),
  COMPILE_BUSY: row("compile", 503, "Compiler busy").hint(
    "Try again after the time in 'Retry-After'",
  ),
  /** The backend that compiles does not answer. */
  COMPILE_UNAVAILABLE: row("compile", 503, "Compiler unavailable").hint(
    "Try again after the time in 'Retry-After'",
  ),
} as const satisfies Record<string, CodeRow>;

export type RuntimeCode = keyof typeof RUNTIME_CODES;
export type ServiceCode = keyof typeof SERVICE_CODES;
