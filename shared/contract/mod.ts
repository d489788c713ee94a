/** The numbers and names that the contract fixes: codes, limits, headers, fields. */
export { GLOBAL_IPV6, ISATAP_IDENTIFIERS, PRIVATE_NAMES, PRIVATE_SUFFIXES } from "./addresses.ts";
export { SPECIAL_IPV4, SPECIAL_IPV6 } from "./addresses.ts";
export { type CodeRow, type Layer, LAYERS, RUNTIME_CODES, type RuntimeCode } from "./codes.ts";
export { SERVICE_CODES, type ServiceCode } from "./codes.ts";
export { BATCH_SEGMENT, CONDITION_OPERATORS, type ConditionOperator } from "./fields.ts";
export { DISTANCE_MEMBER, EMAIL_PATTERN, HTTP_URL_PATTERN, HTTPS_URL_PATTERN } from "./fields.ts";
export { ID_STRATEGIES, idPattern, type IdStrategy, type JsonSchema } from "./fields.ts";
export { type JsonValue, RESERVED_PARAMETERS, type Scalar, SCOPE_COLUMNS } from "./fields.ts";
export { type ScopeKind, SOFT_DELETE_FIELDS, SYSTEM_FIELDS, type SystemField } from "./fields.ts";
export { TEXT_PATTERN } from "./fields.ts";
export { bytesFitType, COLLECTION_INTERVAL_MS, dispositionOf, extensionOf } from "./files.ts";
export { FILE_SIZE_DEFAULT, FILE_SIZE_MAX, fileJson, FILES_MAX } from "./files.ts";
export { FILES_MAX_DEFAULT, filesInCell, type FileValue, isFileValue } from "./files.ts";
export { isSavedFile, isTypeAccepted, MEDIA_SUBTYPE, MEDIA_TYPE } from "./files.ts";
export { MEDIA_TYPE_RANGE, PART_HEADER_MAX_BYTES, PRESIGN_EXPIRES } from "./files.ts";
export { SNIFFED_BYTES, STORAGE_GRACE_DEFAULT_S, UNREFERRED_SIZES } from "./files.ts";
export { BUILDER_METHODS, type HandlerMethod, RAW_SQL_METHODS } from "./handler_methods.ts";
export { ANSWER_HEADERS, HEADERS, MERGE_PATCH_MEDIA_TYPE, PROBLEM_MEDIA_TYPE } from "./headers.ts";
export { REQUEST_HEADERS } from "./headers.ts";
export { JOB_ATTEMPTS, JOB_DELAY_MAX_SECONDS, JOB_INPUT_MAX_BYTES } from "./jobs.ts";
export { JOB_RETENTION_DAYS, JOB_SLOTS, JOB_STATUSES, JOB_TIMEOUT_MAX_SECONDS } from "./jobs.ts";
export { JOB_TIMEOUT_SECONDS, JOB_WRITES_MAX_MS, type JobStatus } from "./jobs.ts";
export { SCHEDULE_SUBJECTS } from "./jobs.ts";
export { AUDIT_KEEP_DAYS, AUDIT_KEEP_DAYS_MAX, BATCH_SIZE_DEFAULT } from "./limits.ts";
export { BODY_MAX_BYTES, BODY_RECEIVED_MAX_MS, CHANGES_TOLD_MAX } from "./limits.ts";
export {
  CHANGESET_OPERATIONS_MAX,
  CHILDREN_MAX,
  CODE_GUESSES,
  COUNT_MAX_AGE_MS,
} from "./limits.ts";
export { DECIMAL_PRECISION_MAX, DEFAULT_RATE_LIMITS, DIAGNOSTICS_LISTED_MAX } from "./limits.ts";
export { DNS_ANSWERS_MAX, EVENTS_KEPT_MAX, FAILED_ATTEMPTS, HOOK_DEPTH_MAX } from "./limits.ts";
export { IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_TTL_MS, PAGE_SIZE_DEFAULT } from "./limits.ts";
export { PAGE_SIZE_MAX, PAGE_SIZE_MIN, PASSWORD_ATTEMPTS, PASSWORD_LENGTH } from "./limits.ts";
export { PROBLEM_BODY_MAX_BYTES, QUERY_VALUES_MAX, RANDOM_LENGTH } from "./limits.ts";
export { RANDOM_TENANT_KEY_MIN } from "./limits.ts";
export { RATE_OPERATIONS, rateBindingName, type RateLimit, type RateOperation } from "./limits.ts";
export { RESPONSE_BODY_STORED_CHARACTERS, RETRY_AFTER_SECONDS } from "./limits.ts";
export { RIGHTS_MAX_AGE_MS, SEQUENCE_DIGITS_MAX, SEQUENCE_START_MAX } from "./limits.ts";
export { SEQUENCE_TRIES, SESSION_DAYS, SIGNATURE_TOLERANCE_SECONDS } from "./limits.ts";
export { STREAM_BYTES_WAITING_MAX, STREAM_FRAMES_WAITING_MAX, STREAMS_MAX } from "./limits.ts";
export { STREAMS_PER_CALLER_MAX, TOKEN_LIFETIME_MAX_SECONDS } from "./limits.ts";
export { TOKEN_LIFETIME_SECONDS } from "./limits.ts";
export { isSensitiveKey, MASK_TYPES, maskRecord, type MaskType, REDACTED } from "./masks.ts";
export { redactedSearch, sensitiveMask } from "./masks.ts";
export { type Credential, FORBIDDEN_SCHEMES, ORGANIZATION_ROLES } from "./principals.ts";
export { PLATFORM_ROLES, type PlatformRole, PSEUDO_ROLES, ROLE_NAME } from "./principals.ts";
export { SCHEME, STANDING_ROLES } from "./principals.ts";
export { bySlug, PROBLEM_CODES, PROBLEM_PATH, problemPage, problemSlug } from "./problem_types.ts";
export { problemType } from "./problem_types.ts";
export type { Observe, OnRouted, RoutedRequest } from "./routed_request.ts";
export { CLIENT_PACKAGE, PACKAGE, VERSION } from "./version.ts";
export { CONTRACT_VERSIONS, type ContractSwitches, type ContractVersion } from "./versions.ts";
export { JOB_BASE, type PlatformName, PLATFORMS, WEBHOOK_BASE } from "./versions.ts";
export { BUILT_IN_PROVIDERS, DELIVERY_BODY_MAX_BYTES, DELIVERY_STATUSES } from "./webhooks.ts";
export { ENDPOINT_URL_MAX, EVENT_NAME, EVENT_STATUSES, MASKED_PAYLOAD } from "./webhooks.ts";
export { MASKED_SECRET, type ParsedWebhook, PROCESSING_ATTEMPTS } from "./webhooks.ts";
export { PROCESSING_MAX_MS, PUSH_SUBSCRIPTIONS_KEPT, PUSH_URGENCIES } from "./webhooks.ts";
export { type PushUrgency, QUEUE_BATCH_SIZE, ROTATION_OVERLAP_MS } from "./webhooks.ts";
export { type ScheduleName, SECRET_PREFIX, SIGNING_SECRETS_MAX, TEST_EVENT } from "./webhooks.ts";
