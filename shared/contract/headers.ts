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

/** RFC 7396. */
export const MERGE_PATCH_MEDIA_TYPE = "application/merge-patch+json";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";
