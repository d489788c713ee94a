/** Header names that the contract fixes. Lower case, as Fetch `Headers` report them. */

export const HEADERS = {
  apiKey: "x-api-key",
  requestId: "x-request-id",
  etag: "etag",
  ifMatch: "if-match",
  ifNoneMatch: "if-none-match",
  idempotencyKey: "idempotency-key",
  databasePosition: "database-position",
  idempotencyReplayed: "idempotency-replayed",
  impersonatedBy: "impersonated-by",
  link: "link",
  location: "location",
  retryAfter: "retry-after",
  streamProtocol: "x-service-stream",
  compileBackend: "x-service-compile-backend",
} as const;

/** Headers with a meaning for this API, which pages of a trusted origin may send (definitions 2, `trustedOrigins`). */
export const REQUEST_HEADERS: readonly string[] = [
  "authorization",
  "content-type",
  "content-disposition",
  HEADERS.apiKey,
  HEADERS.ifMatch,
  HEADERS.ifNoneMatch,
  "range",
  "if-range",
  HEADERS.idempotencyKey,
  HEADERS.databasePosition,
  "last-event-id",
  "mcp-protocol-version",
];

/** Headers of answers that pages of a trusted origin may read. */
export const ANSWER_HEADERS: readonly string[] = [
  "accept-patch",
  "accept-ranges",
  "allow",
  "content-disposition",
  "content-range",
  HEADERS.databasePosition,
  HEADERS.etag,
  HEADERS.idempotencyReplayed,
  HEADERS.impersonatedBy,
  HEADERS.link,
  HEADERS.location,
  "preference-applied",
  HEADERS.retryAfter,
  "www-authenticate",
  HEADERS.requestId,
];

/** Media type of JSON Merge Patch (RFC 7396). */
export const MERGE_PATCH_MEDIA_TYPE = "application/merge-patch+json";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";
