/** Types of the API papers below /api/v1: hand Api to createClient. */

declare const mask: unique symbol;

/** A value that is a mask instead for callers who may not see it: fit to be shown, not to be computed with. */
export type Masked<T> = (T | string) & { readonly [mask]?: T };

/** Where the page stands. `total` and `totalPages` are there when `total=true` was sent. */
export interface Pagination {
  /** Records on this page. */
  readonly count: number;
  /** From the offset; by cursor, counted on from the page that the cursor is of. */
  readonly page: number;
  /** Most records that a page of this request holds. */
  readonly pageSize: number;
  /** Whether there are more, in the direction in which the page was taken. */
  readonly hasMore: boolean;
  /** For `starting_after`; null on the last page. */
  readonly nextCursor: string | null;
  /** For `ending_before`; null on the first page. */
  readonly prevCursor: string | null;
  /** Records on all pages. */
  readonly total?: number;
  /** Pages of this size. */
  readonly totalPages?: number;
}

export interface PapersRecord {
  /** Id of the record. Set by the service. */
  readonly id: string;
  /** The organization that the record belongs to. Set by the service. */
  readonly organizationId: string;
  /** Revision of the record, one more with every write. Set by the service. */
  readonly version: number;
  /** Title: text. */
  readonly title: string | null;
  /** Scan: a file of at most 1000 bytes. */
  readonly scan:
    | {
      /** Id of the file. */
      readonly id: string;
      /** Name that it was sent with. */
      readonly name: string;
      /** Bytes. */
      readonly size: number;
      /** Media type. */
      readonly type: string;
      /** Digest of the bytes, in hex. */
      readonly sha256: string;
    }
    | null;
  /** Seal: a file of at most 10485760 bytes. Fixed once the record is created. */
  readonly seal:
    | {
      /** Id of the file. */
      readonly id: string;
      /** Name that it was sent with. */
      readonly name: string;
      /** Bytes. */
      readonly size: number;
      /** Media type. */
      readonly type: string;
      /** Digest of the bytes, in hex. */
      readonly sha256: string;
    }
    | null;
  /** Pages: a list of at most 2 files, each a file of at most 1000 bytes. */
  readonly pages: readonly {
    /** Id of the file. */
    readonly id: string;
    /** Name that it was sent with. */
    readonly name: string;
    /** Bytes. */
    readonly size: number;
    /** Media type. */
    readonly type: string;
    /** Digest of the bytes, in hex. */
    readonly sha256: string;
  }[];
  /** When the record was created. Set by the service. */
  readonly createdAt: string;
  /** Id of the user who created it. Set by the service. */
  readonly createdBy: string | null;
  /** When the record was last changed. Set by the service. */
  readonly modifiedAt: string | null;
  /** Id of the user who last changed it. Set by the service. */
  readonly modifiedBy: string | null;
  /** When the record was deleted; null while it is live. Set by the service. */
  readonly deletedAt: string | null;
  /** Id of the user who deleted it; null while it is live. Set by the service. */
  readonly deletedBy: string | null;
}

export interface PapersPage {
  /** The records of this page, in the order asked for. */
  readonly data: readonly PapersRecord[];
  /** Name of the view that answered; null: none did. */
  readonly view: null;
  readonly pagination: Pagination;
}

/** Problem Details (RFC 9457). `code` says what is wrong, `hint` what to do. */
export interface Problem {
  /** Identifies the kind of problem. */
  readonly type: string;
  /** What is wrong, the same for each code. */
  readonly title: string;
  /** The HTTP status, repeated. */
  readonly status: number;
  /** What is wrong with this request. */
  readonly detail?: string;
  /** Path of the request. */
  readonly instance?: string;
  /** Layer that refused the request. */
  readonly layer:
    | "authentication"
    | "rate-limit"
    | "firewall"
    | "access"
    | "guards"
    | "validation"
    | "masking"
    | "database"
    | "action"
    | "compile";
  /** What is wrong, for programs. */
  readonly code:
    | "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"
    | "ACCESS_CONDITION_FAILED"
    | "ACCESS_NO_ORG"
    | "ACCESS_OWNERSHIP_REQUIRED"
    | "ACCESS_ROLE_REQUIRED"
    | "ACCESS_TRANSITION_LOST"
    | "ACTION_EXECUTION_FAILED"
    | "ACTION_TIMEOUT"
    | "AUTH_BUSY"
    | "AUTH_EXPIRED"
    | "AUTH_FRESH_SESSION_REQUIRED"
    | "AUTH_INVALID_TOKEN"
    | "AUTH_MISSING"
    | "AUTH_RATE_LIMITED"
    | "AUTH_REVOCATION_UNAVAILABLE"
    | "AUTH_SESSION_REQUIRED"
    | "BATCH_FAIL_FAST_STOPPED"
    | "BATCH_MISSING_IDS"
    | "BATCH_SIZE_EXCEEDED"
    | "DATABASE_UNAVAILABLE"
    | "DB_INSERT_FAILED"
    | "DB_NOT_NULL_VIOLATION"
    | "DB_REFERENCE_VIOLATION"
    | "DB_UNIQUE_VIOLATION"
    | "DB_UPDATE_FAILED"
    | "EMAIL_UNVERIFIED"
    | "EMBEDDINGS_UNAVAILABLE"
    | "FIELD_MASKED"
    | "FILE_NOT_FOUND"
    | "FIREWALL_NOT_FOUND"
    | "FIREWALL_ORG_ISOLATION"
    | "FIREWALL_SOFT_DELETED"
    | "FIREWALL_USER_ISOLATION"
    | "GUARD_FIELD_IMMUTABLE"
    | "GUARD_FIELD_NOT_CREATEABLE"
    | "GUARD_FIELD_NOT_UPDATABLE"
    | "GUARD_FIELD_PROTECTED"
    | "GUARD_SYSTEM_MANAGED"
    | "HOST_INVALID"
    | "IDEMPOTENCY_KEY_IN_FLIGHT"
    | "IDEMPOTENCY_KEY_REUSED"
    | "INTERNAL_ERROR"
    | "INVALID_JSON"
    | "JOB_STATE"
    | "LINK_INVALID"
    | "MEMBER_REFERENCED"
    | "METHOD_NOT_ALLOWED"
    | "NOT_FOUND"
    | "ORG_LAST_OWNER"
    | "ORG_NOT_EMPTY"
    | "ORG_REQUIRED"
    | "ORIGIN_FORBIDDEN"
    | "PAYLOAD_TOO_LARGE"
    | "PRECONDITION_FAILED"
    | "PRECONDITION_UNSUPPORTED"
    | "QUOTA_EXCEEDED"
    | "RANGE_NOT_SATISFIABLE"
    | "REALTIME_UNAVAILABLE"
    | "REQUEST_TIMEOUT"
    | "ROUTE_NOT_FOUND"
    | "SECOND_FACTOR_REQUIRED"
    | "STATEMENT_TIMEOUT"
    | "STORAGE_FULL"
    | "STORAGE_UNAVAILABLE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "VALIDATION_ERROR"
    | "VALIDATION_INVALID_INPUT"
    | "WEBHOOK_ENDPOINT_LIMIT"
    | "WEBHOOK_EVENT_NOT_FAILED"
    | "WEBHOOK_RESOLVER_UNAVAILABLE"
    | "WEBHOOK_SIGNATURE_INVALID";
  /** What the layer has to add. */
  readonly details?: {
    readonly [name: string]: unknown;
  };
  /** JSON pointer (RFC 6901) of the first offending field. */
  readonly pointer?: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The request as it was read: secrets redacted, its body capped. */
  readonly request?: {
    /** Its HTTP method. */
    readonly method: string;
    /** Its path and query. */
    readonly url: string;
    /** What of its body is told; absent when there was none. */
    readonly body?: unknown;
    /** The id under which it stands in the log. */
    readonly requestId: string;
  };
}

export interface RateLimited {
  /** What is wrong. */
  readonly error: "Rate limit exceeded";
  /** What is wrong, as a code. */
  readonly code: "RATE_LIMITED";
  /** Seconds to wait. */
  readonly retryAfter: 60;
}

export interface PapersCreate {
  /** Title: text. Null clears it. */
  readonly title?: string | null;
  /** Seal: a file of at most 10485760 bytes. */
  readonly seal?: null;
}

export interface PapersUpdate {
  /** Title: text. Null clears it. */
  readonly title?: string | null;
  /** Scan: a file of at most 1000 bytes. */
  readonly scan?: null;
  /** Pages: a list of at most 2 files, each a file of at most 1000 bytes. */
  readonly pages?: readonly unknown[];
}

/** How the batch went. */
export interface BatchMeta {
  /** Records that the request named. */
  readonly total: number;
  /** Records that were written. */
  readonly succeeded: number;
  /** Records that were refused. */
  readonly failed: number;
  /** Whether the first refusal was to end the request. */
  readonly failFast: boolean;
  /** Whether a failure would have undone, or has undone, everything. */
  readonly transactional: boolean;
}

/** Why the record was refused. */
export interface BatchError {
  /** What is wrong, the same for each code. */
  readonly error: string;
  /** Layer that refused the record. */
  readonly layer:
    | "authentication"
    | "rate-limit"
    | "firewall"
    | "access"
    | "guards"
    | "validation"
    | "masking"
    | "database"
    | "action"
    | "compile";
  /** What is wrong, for programs. */
  readonly code:
    | "DB_NOT_NULL_VIOLATION"
    | "FIREWALL_NOT_FOUND"
    | "FIREWALL_SOFT_DELETED"
    | "GUARD_FIELD_IMMUTABLE"
    | "GUARD_FIELD_NOT_CREATEABLE"
    | "GUARD_FIELD_NOT_UPDATABLE"
    | "GUARD_SYSTEM_MANAGED"
    | "VALIDATION_ERROR";
  /** What the layer has to add. */
  readonly details: {
    readonly [name: string]: unknown;
  };
  /** What to do about it. */
  readonly hint: string;
}

/** A refused record. */
export interface BatchRecordError {
  /** Place in the request. */
  readonly index: number;
  /** As it was sent. */
  readonly record: unknown;
  readonly error: BatchError;
}

/** What became of each record. */
export interface PapersWriteResults {
  /** What was written, in order. */
  readonly success: readonly PapersRecord[];
  /** What was refused, in order. */
  readonly errors: readonly BatchRecordError[];
  readonly meta: BatchMeta;
}

/** How the batch is carried out. */
export interface BatchOptions {
  /** Stop, and undo all, at the first refusal. */
  readonly failFast?: boolean;
}

export interface PapersCreateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly PapersCreate[];
  readonly options?: BatchOptions;
}

export interface PapersUpdateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly {
    /** Id of a record. */
    readonly id: string;
    /** Title: text. Null clears it. */
    readonly title?: string | null;
    /** Scan: a file of at most 1000 bytes. */
    readonly scan?: null;
    /** Pages: a list of at most 2 files, each a file of at most 1000 bytes. */
    readonly pages?: readonly unknown[];
  }[];
  readonly options?: BatchOptions;
}

export interface Deleted {
  /** The record is deleted. */
  readonly success: true;
}

export interface FileReadAddress {
  /** To read the file. */
  readonly method: "GET";
  /** Seconds for which the address is good; left out: 300. */
  readonly expiresIn?: number;
}

export interface Papers_ScanUploadAddress {
  /** To send one. */
  readonly method: "PUT";
  /** Name of the file; left out: the column's. */
  readonly name?: string;
  /** Bytes, all of which must come. */
  readonly size: number;
  /** Media type without parameters. */
  readonly type: string;
  /** Digest of the bytes, if they are to be held against it. */
  readonly sha256?: string;
  /** Seconds for which the address is good; left out: 300. */
  readonly expiresIn?: number;
}

export interface FileAddress {
  /** Address of the bytes. */
  readonly url: string;
  /** Method of the request. */
  readonly method: "GET" | "PUT";
  /** Headers to be sent with it. */
  readonly headers: {
    readonly [name: string]: string;
  };
  /** When the address is good no more. */
  readonly expiresAt: string;
  /** Confirms the upload, by a `PUT` of `{ upload }` to the column's own route. */
  readonly upload?: string;
}

export interface Papers_SealUploadAddress {
  /** To send one. */
  readonly method: "PUT";
  /** Name of the file; left out: the column's. */
  readonly name?: string;
  /** Bytes, all of which must come. */
  readonly size: number;
  /** Media type without parameters. */
  readonly type: string;
  /** Digest of the bytes, if they are to be held against it. */
  readonly sha256?: string;
  /** Seconds for which the address is good; left out: 300. */
  readonly expiresIn?: number;
}

export interface FileOfListReadAddress {
  /** To read the file. */
  readonly method: "GET";
  /** Seconds for which the address is good; left out: 300. */
  readonly expiresIn?: number;
  /** Id of the file. */
  readonly id: string;
}

export interface Papers_PagesUploadAddress {
  /** To send one. */
  readonly method: "PUT";
  /** Name of the file; left out: the column's. */
  readonly name?: string;
  /** Bytes, all of which must come. */
  readonly size: number;
  /** Media type without parameters. */
  readonly type: string;
  /** Digest of the bytes, if they are to be held against it. */
  readonly sha256?: string;
  /** Seconds for which the address is good; left out: 300. */
  readonly expiresIn?: number;
}

export interface ServiceHealth {
  /** Whether requests can be answered. */
  readonly status: "ok" | "unavailable";
  /** The API's database. */
  readonly database: {
    /** Where it is: in a file beside the API, on a server, or on a server with a copy beside the API. */
    readonly mode: "file" | "remote" | "replica";
    /** Whether it answered; of a copy, whether its primary did. */
    readonly reachable: boolean;
    /** Of a copy: pages that the primary is known to have written since. */
    readonly behindFrames?: number;
    /** Of a copy: milliseconds since it was known to have all. */
    readonly behindMs?: number;
  };
  /** Version of the contract that it keeps. */
  readonly contract: "v1";
  /** Version of the compiler that it comes from. */
  readonly version: string;
  /** Name of the project. */
  readonly project: "papers";
}

export interface ServiceReady {
  /** Whether every check is ok. */
  readonly ready: boolean;
  /** The checks by name. */
  readonly checks: {
    /** The database answers. */
    readonly database: "ok" | "failed";
    /** No migration of this API waits. */
    readonly migrations?: "ok" | "failed";
    /** The copy of the database is young enough. */
    readonly copy?: "ok" | "failed";
  };
}

/** An account. */
export interface User {
  /** Its id. */
  readonly id: string;
  /** The name that people see. */
  readonly name: string;
  /** E-mail address of the account. */
  readonly email: string;
  /** Address of a picture, if there is one. */
  readonly image: string | null;
}

/** A refusal by the account library. */
export interface AccountRefusal {
  /** What is wrong, for people. */
  readonly message?: string;
  /** What is wrong, for programs. */
  readonly code?: string;
}

/** What became of the request. */
export interface AccountStatus {
  /** Whether it was done. */
  readonly status: boolean;
}

/** What a mailed link is for. */
export interface MailedLink {
  /** What it does. */
  readonly act:
    | "invitation"
    | "verifyEmail"
    | "resetPassword"
    | "changeEmail"
    | "deleteAccount"
    | "magicLink";
  /** Address that it is for. */
  readonly email: string;
  /** When it was asked for. */
  readonly requestedAt: string;
  /** The new address. */
  readonly newEmail?: string;
  /** Who invites. */
  readonly organization?: string;
}

/** What became of the request. */
export interface AccountSuccess {
  /** Whether it was done. */
  readonly success: boolean;
}

/** A session of an account. */
export interface Session {
  /** Its id. */
  readonly id: string;
  /** Id of the account. */
  readonly userId: string;
  /** When it ends. */
  readonly expiresAt: string;
}

/** An API key, without its text. */
export interface ApiKey {
  /** Its id. */
  readonly id: string;
  /** Whether it can be used. */
  readonly enabled: boolean;
  /** The name that people see. */
  readonly name: string | null;
  /** When it was last used, to the minute; null: never. */
  readonly lastRequest: string | null;
}

/** An organization. */
export interface Organization {
  /** Its id. */
  readonly id: string;
  /** The name that people see. */
  readonly name: string;
  /** Short name for addresses, unique. */
  readonly slug: string;
  /** When it was made. */
  readonly createdAt: string;
}

/** An API key of an organization, without its text. */
export interface OrganizationApiKey {
  /** Its id. */
  readonly id: string;
  /** Id of the account. */
  readonly userId: string;
  /** Whether it can be used. */
  readonly enabled: boolean;
  /** When it was made. */
  readonly createdAt: string;
  /** The name that people see. */
  readonly name: string | null;
  /** How the key begins. */
  readonly start: string | null;
  /** What it may do at most, by resource; null: all that its user may. */
  readonly permissions:
    | {
      readonly [name: string]: readonly string[];
    }
    | null;
  /** When it ends. */
  readonly expiresAt: string | null;
  /** When it was last used, to the minute; null: never. */
  readonly lastUsedAt: string | null;
}

/** An account in an organization. */
export interface Membership {
  /** Its id. */
  readonly id: string;
  /** Id of the organization. */
  readonly organizationId: string;
  /** Id of the account. */
  readonly userId: string;
  /** Role in the organization; several are parted by commas; empty: none that the project has. */
  readonly role: string;
}

/** An invitation to an organization. */
export interface Invitation {
  /** Its id. */
  readonly id: string;
  /** Id of the organization. */
  readonly organizationId: string;
  /** E-mail address of the account. */
  readonly email: string;
  /** Role in the organization; several are parted by commas; empty: none that the project has. */
  readonly role: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** How far it is. */
  readonly status: "pending" | "accepted" | "rejected" | "canceled";
}

/** A team of an organization. */
export interface Team {
  /** Its id. */
  readonly id: string;
  /** The name that people see. */
  readonly name: string;
  /** Id of the organization. */
  readonly organizationId: string;
}

/** An account in a team. */
export interface TeamMembership {
  /** Its id. */
  readonly id: string;
  /** Id of the team. */
  readonly teamId: string;
  /** Id of the account. */
  readonly userId: string;
}

export interface PapersPageQuery {
  /** Records on a page, 1 to 100; a whole number outside is moved to the nearer end. */
  readonly limit?: number;
  /** Records to skip before the page. */
  readonly offset?: number;
  /** Fields to sort by, comma-separated, the first one first, none twice; a minus sign descends. */
  readonly sort?: readonly (
    | "id"
    | "-id"
    | "organizationId"
    | "-organizationId"
    | "version"
    | "-version"
    | "title"
    | "-title"
    | "createdAt"
    | "-createdAt"
    | "createdBy"
    | "-createdBy"
    | "modifiedAt"
    | "-modifiedAt"
    | "modifiedBy"
    | "-modifiedBy"
    | "deletedAt"
    | "-deletedAt"
    | "deletedBy"
    | "-deletedBy"
  )[];
  /** Direction of a single `sort` field without a minus sign, or of the default sort. Ignored when `sort` names several fields or carries a minus sign. */
  readonly order?: "asc" | "desc";
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly (
    | "id"
    | "organizationId"
    | "version"
    | "title"
    | "scan"
    | "seal"
    | "pages"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
  /** Whether to count all matching records into `total` and `totalPages`. */
  readonly total?: boolean;
  /** Records that contain the text, whatever its case, in one of `title`. Masked columns are passed over. */
  readonly search?: string;
  /** A cursor from `pagination`: the records that follow it in the same sort. Not together with `offset` or `ending_before`. */
  readonly starting_after?: string;
  /** A cursor from `pagination`: the records right before it in the same sort. Not together with `offset` or `starting_after`. */
  readonly ending_before?: string;
  /** Conditions as JSON, all of which must hold: `{ "field": value }`, `{ "field": { "operator": value } }` with equals, notEquals, in, notIn, lessThan, greaterThan, lessThanOrEqual, greaterThanOrEqual, and `or`, `and` (lists of conditions) and `not`. */
  readonly where?: {
    readonly [name: string]: unknown;
  };
  /** Records whose `id` equals the value. */
  readonly id?: string;
  /** Records whose `id` differs from the value, or is not set. */
  readonly "id.ne"?: string;
  /** Records whose `id` is greater than the value. */
  readonly "id.gt"?: string;
  /** Records whose `id` is greater than the value or equal to it. */
  readonly "id.gte"?: string;
  /** Records whose `id` is less than the value. */
  readonly "id.lt"?: string;
  /** Records whose `id` is less than the value or equal to it. */
  readonly "id.lte"?: string;
  /** Records whose `id` contains the text. */
  readonly "id.like"?: string;
  /** Records whose `id` contains the text in upper or lower case. */
  readonly "id.ilike"?: string;
  /** Records whose `id` is one of the comma-separated values. */
  readonly "id.in"?: readonly string[];
  /** Records whose `id` is none of the comma-separated values, or is not set. */
  readonly "id.nin"?: readonly string[];
  /** Records whose `id` is not set; with `false`, those where it is. */
  readonly "id.null"?: boolean;
  /** Organization whose records are meant. Callers without an active organization must name one; others name their own, or any whose records everybody may read. */
  readonly organizationId?: string;
  /** Records whose `organizationId` differs from the value, or is not set. */
  readonly "organizationId.ne"?: string;
  /** Records whose `organizationId` is greater than the value. */
  readonly "organizationId.gt"?: string;
  /** Records whose `organizationId` is greater than the value or equal to it. */
  readonly "organizationId.gte"?: string;
  /** Records whose `organizationId` is less than the value. */
  readonly "organizationId.lt"?: string;
  /** Records whose `organizationId` is less than the value or equal to it. */
  readonly "organizationId.lte"?: string;
  /** Records whose `organizationId` contains the text. */
  readonly "organizationId.like"?: string;
  /** Records whose `organizationId` contains the text in upper or lower case. */
  readonly "organizationId.ilike"?: string;
  /** Records whose `organizationId` is one of the comma-separated values. */
  readonly "organizationId.in"?: readonly string[];
  /** Records whose `organizationId` is none of the comma-separated values, or is not set. */
  readonly "organizationId.nin"?: readonly string[];
  /** Records whose `organizationId` is not set; with `false`, those where it is. */
  readonly "organizationId.null"?: boolean;
  /** Records whose `version` equals the value. */
  readonly version?: number;
  /** Records whose `version` differs from the value, or is not set. */
  readonly "version.ne"?: number;
  /** Records whose `version` is greater than the value. */
  readonly "version.gt"?: number;
  /** Records whose `version` is greater than the value or equal to it. */
  readonly "version.gte"?: number;
  /** Records whose `version` is less than the value. */
  readonly "version.lt"?: number;
  /** Records whose `version` is less than the value or equal to it. */
  readonly "version.lte"?: number;
  /** Records whose `version` is one of the comma-separated values. */
  readonly "version.in"?: readonly number[];
  /** Records whose `version` is none of the comma-separated values, or is not set. */
  readonly "version.nin"?: readonly number[];
  /** Records whose `version` is not set; with `false`, those where it is. */
  readonly "version.null"?: boolean;
  /** Records whose `title` equals the value. */
  readonly title?: string;
  /** Records whose `title` differs from the value, or is not set. */
  readonly "title.ne"?: string;
  /** Records whose `title` is greater than the value. */
  readonly "title.gt"?: string;
  /** Records whose `title` is greater than the value or equal to it. */
  readonly "title.gte"?: string;
  /** Records whose `title` is less than the value. */
  readonly "title.lt"?: string;
  /** Records whose `title` is less than the value or equal to it. */
  readonly "title.lte"?: string;
  /** Records whose `title` contains the text. */
  readonly "title.like"?: string;
  /** Records whose `title` contains the text in upper or lower case. */
  readonly "title.ilike"?: string;
  /** Records whose `title` is one of the comma-separated values. */
  readonly "title.in"?: readonly string[];
  /** Records whose `title` is none of the comma-separated values, or is not set. */
  readonly "title.nin"?: readonly string[];
  /** Records whose `title` is not set; with `false`, those where it is. */
  readonly "title.null"?: boolean;
  /** Records whose `scan` is not set; with `false`, those where it is. */
  readonly "scan.null"?: boolean;
  /** Records whose `seal` is not set; with `false`, those where it is. */
  readonly "seal.null"?: boolean;
  /** Records whose `pages` is not set; with `false`, those where it is. */
  readonly "pages.null"?: boolean;
  /** Records whose `createdAt` equals the value. */
  readonly createdAt?: string;
  /** Records whose `createdAt` differs from the value, or is not set. */
  readonly "createdAt.ne"?: string;
  /** Records whose `createdAt` is greater than the value. */
  readonly "createdAt.gt"?: string;
  /** Records whose `createdAt` is greater than the value or equal to it. */
  readonly "createdAt.gte"?: string;
  /** Records whose `createdAt` is less than the value. */
  readonly "createdAt.lt"?: string;
  /** Records whose `createdAt` is less than the value or equal to it. */
  readonly "createdAt.lte"?: string;
  /** Records whose `createdAt` contains the text. */
  readonly "createdAt.like"?: string;
  /** Records whose `createdAt` is one of the comma-separated values. */
  readonly "createdAt.in"?: readonly string[];
  /** Records whose `createdAt` is none of the comma-separated values, or is not set. */
  readonly "createdAt.nin"?: readonly string[];
  /** Records whose `createdAt` is not set; with `false`, those where it is. */
  readonly "createdAt.null"?: boolean;
  /** Records whose `createdBy` equals the value. */
  readonly createdBy?: string;
  /** Records whose `createdBy` differs from the value, or is not set. */
  readonly "createdBy.ne"?: string;
  /** Records whose `createdBy` is greater than the value. */
  readonly "createdBy.gt"?: string;
  /** Records whose `createdBy` is greater than the value or equal to it. */
  readonly "createdBy.gte"?: string;
  /** Records whose `createdBy` is less than the value. */
  readonly "createdBy.lt"?: string;
  /** Records whose `createdBy` is less than the value or equal to it. */
  readonly "createdBy.lte"?: string;
  /** Records whose `createdBy` contains the text. */
  readonly "createdBy.like"?: string;
  /** Records whose `createdBy` contains the text in upper or lower case. */
  readonly "createdBy.ilike"?: string;
  /** Records whose `createdBy` is one of the comma-separated values. */
  readonly "createdBy.in"?: readonly string[];
  /** Records whose `createdBy` is none of the comma-separated values, or is not set. */
  readonly "createdBy.nin"?: readonly string[];
  /** Records whose `createdBy` is not set; with `false`, those where it is. */
  readonly "createdBy.null"?: boolean;
  /** Records whose `modifiedAt` equals the value. */
  readonly modifiedAt?: string;
  /** Records whose `modifiedAt` differs from the value, or is not set. */
  readonly "modifiedAt.ne"?: string;
  /** Records whose `modifiedAt` is greater than the value. */
  readonly "modifiedAt.gt"?: string;
  /** Records whose `modifiedAt` is greater than the value or equal to it. */
  readonly "modifiedAt.gte"?: string;
  /** Records whose `modifiedAt` is less than the value. */
  readonly "modifiedAt.lt"?: string;
  /** Records whose `modifiedAt` is less than the value or equal to it. */
  readonly "modifiedAt.lte"?: string;
  /** Records whose `modifiedAt` contains the text. */
  readonly "modifiedAt.like"?: string;
  /** Records whose `modifiedAt` is one of the comma-separated values. */
  readonly "modifiedAt.in"?: readonly string[];
  /** Records whose `modifiedAt` is none of the comma-separated values, or is not set. */
  readonly "modifiedAt.nin"?: readonly string[];
  /** Records whose `modifiedAt` is not set; with `false`, those where it is. */
  readonly "modifiedAt.null"?: boolean;
  /** Records whose `modifiedBy` equals the value. */
  readonly modifiedBy?: string;
  /** Records whose `modifiedBy` differs from the value, or is not set. */
  readonly "modifiedBy.ne"?: string;
  /** Records whose `modifiedBy` is greater than the value. */
  readonly "modifiedBy.gt"?: string;
  /** Records whose `modifiedBy` is greater than the value or equal to it. */
  readonly "modifiedBy.gte"?: string;
  /** Records whose `modifiedBy` is less than the value. */
  readonly "modifiedBy.lt"?: string;
  /** Records whose `modifiedBy` is less than the value or equal to it. */
  readonly "modifiedBy.lte"?: string;
  /** Records whose `modifiedBy` contains the text. */
  readonly "modifiedBy.like"?: string;
  /** Records whose `modifiedBy` contains the text in upper or lower case. */
  readonly "modifiedBy.ilike"?: string;
  /** Records whose `modifiedBy` is one of the comma-separated values. */
  readonly "modifiedBy.in"?: readonly string[];
  /** Records whose `modifiedBy` is none of the comma-separated values, or is not set. */
  readonly "modifiedBy.nin"?: readonly string[];
  /** Records whose `modifiedBy` is not set; with `false`, those where it is. */
  readonly "modifiedBy.null"?: boolean;
  /** Records whose `deletedAt` equals the value. */
  readonly deletedAt?: string;
  /** Records whose `deletedAt` differs from the value, or is not set. */
  readonly "deletedAt.ne"?: string;
  /** Records whose `deletedAt` is greater than the value. */
  readonly "deletedAt.gt"?: string;
  /** Records whose `deletedAt` is greater than the value or equal to it. */
  readonly "deletedAt.gte"?: string;
  /** Records whose `deletedAt` is less than the value. */
  readonly "deletedAt.lt"?: string;
  /** Records whose `deletedAt` is less than the value or equal to it. */
  readonly "deletedAt.lte"?: string;
  /** Records whose `deletedAt` contains the text. */
  readonly "deletedAt.like"?: string;
  /** Records whose `deletedAt` is one of the comma-separated values. */
  readonly "deletedAt.in"?: readonly string[];
  /** Records whose `deletedAt` is none of the comma-separated values, or is not set. */
  readonly "deletedAt.nin"?: readonly string[];
  /** Records whose `deletedAt` is not set; with `false`, those where it is. */
  readonly "deletedAt.null"?: boolean;
  /** Records whose `deletedBy` equals the value. */
  readonly deletedBy?: string;
  /** Records whose `deletedBy` differs from the value, or is not set. */
  readonly "deletedBy.ne"?: string;
  /** Records whose `deletedBy` is greater than the value. */
  readonly "deletedBy.gt"?: string;
  /** Records whose `deletedBy` is greater than the value or equal to it. */
  readonly "deletedBy.gte"?: string;
  /** Records whose `deletedBy` is less than the value. */
  readonly "deletedBy.lt"?: string;
  /** Records whose `deletedBy` is less than the value or equal to it. */
  readonly "deletedBy.lte"?: string;
  /** Records whose `deletedBy` contains the text. */
  readonly "deletedBy.like"?: string;
  /** Records whose `deletedBy` contains the text in upper or lower case. */
  readonly "deletedBy.ilike"?: string;
  /** Records whose `deletedBy` is one of the comma-separated values. */
  readonly "deletedBy.in"?: readonly string[];
  /** Records whose `deletedBy` is none of the comma-separated values, or is not set. */
  readonly "deletedBy.nin"?: readonly string[];
  /** Records whose `deletedBy` is not set; with `false`, those where it is. */
  readonly "deletedBy.null"?: boolean;
}

export interface PapersReadQuery {
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly (
    | "id"
    | "organizationId"
    | "version"
    | "title"
    | "scan"
    | "seal"
    | "pages"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
}

/** What the API offers, for the client. */
export interface Api {
  readonly contract: "v1";
  readonly code: Problem["code"] | "RATE_LIMITED";
  readonly auth: {
    readonly signUp: {
      readonly body: {
        /** The name that people see. */
        readonly name: string;
        /** E-mail address of the account. */
        readonly email: string;
        /** The new password. */
        readonly password: string;
        /** Address of a picture. */
        readonly image?: string;
        /** Page that comes next; trusted origins only. */
        readonly callbackURL?: string;
        /** False: the session ends with the browser. */
        readonly rememberMe?: boolean;
      };
      readonly answer: {
        /** Names the session, invitation or link that it came with. */
        readonly token: string | null;
        /** The account. */
        readonly user: {
          /** Its id. */
          readonly id: string;
          /** The name that people see. */
          readonly name: string;
          /** E-mail address of the account. */
          readonly email: string;
          /** Address of a picture, if there is one. */
          readonly image: string | null;
        };
      };
    };
    readonly signIn: {
      readonly body: {
        /** E-mail address of the account. */
        readonly email: string;
        /** The password. */
        readonly password: string;
        /** Page that comes next; trusted origins only. */
        readonly callbackURL?: string;
        /** False: the session ends with the browser. */
        readonly rememberMe?: boolean;
      };
      readonly answer:
        | {
          /** Names the session, invitation or link that it came with. */
          readonly token: string;
          /** The account. */
          readonly user: {
            /** Its id. */
            readonly id: string;
            /** The name that people see. */
            readonly name: string;
            /** E-mail address of the account. */
            readonly email: string;
            /** Address of a picture, if there is one. */
            readonly image: string | null;
          };
        }
        | {
          /** There is no session yet. */
          readonly twoFactorRedirect: true;
          /** Ways to prove it. */
          readonly twoFactorMethods: readonly string[];
        };
    };
    readonly signOut: {
      readonly body: Record<string, never>;
      readonly answer: {
        /** Whether it was done. */
        readonly success: boolean;
      };
    };
    readonly session: {
      readonly answer:
        | {
          /** The session. */
          readonly session: {
            /** Its id. */
            readonly id: string;
            /** Id of the account. */
            readonly userId: string;
            /** When it ends. */
            readonly expiresAt: string;
          };
          /** The account. */
          readonly user: {
            /** Its id. */
            readonly id: string;
            /** The name that people see. */
            readonly name: string;
            /** E-mail address of the account. */
            readonly email: string;
            /** Address of a picture, if there is one. */
            readonly image: string | null;
          };
        }
        | null;
    };
    readonly createOrganization: {
      readonly body: {
        /** The name that people see. */
        readonly name: string;
        /** Short name for addresses, unique without regard to case: 1 to 63 of a-z, 0-9 and -, and no - at either end. */
        readonly slug: string;
        /** Address of a picture. */
        readonly logo?: string | null;
        /** Whatever the application keeps with it. */
        readonly metadata?: {
          readonly [name: string]: unknown;
        };
        /** Whether the session stays where it is. */
        readonly keepCurrentActiveOrganization?: boolean;
      };
      readonly answer: {
        /** Its id. */
        readonly id: string;
        /** The name that people see. */
        readonly name: string;
        /** Short name for addresses, unique. */
        readonly slug: string;
        /** When it was made. */
        readonly createdAt: string;
      };
    };
    readonly organizations: {
      readonly answer: readonly {
        /** Its id. */
        readonly id: string;
        /** The name that people see. */
        readonly name: string;
        /** Short name for addresses, unique. */
        readonly slug: string;
        /** When it was made. */
        readonly createdAt: string;
      }[];
    };
    readonly activate: {
      readonly body: {
        /** Id of the organization; by default the active one. */
        readonly organizationId?: string | null;
        /** Names the organization instead of its id. */
        readonly organizationSlug?: string;
      };
      readonly answer:
        | {
          /** Its id. */
          readonly id: string;
          /** The name that people see. */
          readonly name: string;
          /** Short name for addresses, unique. */
          readonly slug: string;
          /** When it was made. */
          readonly createdAt: string;
        }
        | null;
    };
    readonly mailLink: {
      readonly body: {
        /** E-mail address of the account. */
        readonly email: string;
        /** The name that people see. */
        readonly name?: string;
        /** Page that comes next; trusted origins only. */
        readonly callbackURL?: string;
        /** The same for an account that is made by it. */
        readonly newUserCallbackURL?: string;
        /** The same for a refusal, with `?error=`. */
        readonly errorCallbackURL?: string;
      };
      readonly answer: {
        /** Whether it was done. */
        readonly status: boolean;
      };
    };
    readonly followLink: {
      readonly body: {
        /** Names a session or a link. */
        readonly token: string;
        /** Page that comes next; trusted origins only. */
        readonly callbackURL?: string;
        /** The same for an account that is made by it. */
        readonly newUserCallbackURL?: string;
        /** The same for a refusal, with `?error=`. */
        readonly errorCallbackURL?: string;
      };
      readonly answer:
        | {
          /** Names the session, invitation or link that it came with. */
          readonly token: string;
          /** The account. */
          readonly user: {
            /** Its id. */
            readonly id: string;
            /** The name that people see. */
            readonly name: string;
            /** E-mail address of the account. */
            readonly email: string;
            /** Address of a picture, if there is one. */
            readonly image: string | null;
          };
        }
        | {
          /** There is no session yet. */
          readonly twoFactorRedirect: true;
          /** Ways to prove it. */
          readonly twoFactorMethods: readonly string[];
        };
    };
    readonly mailCode: {
      readonly body: {
        /** E-mail address of the account. */
        readonly email: string;
        /** What the code is for. */
        readonly type: "sign-in";
      };
      readonly answer: {
        /** Whether it was done. */
        readonly success: boolean;
      };
    };
    readonly signInWithCode: {
      readonly body: {
        /** E-mail address of the account. */
        readonly email: string;
        /** The code of the message. */
        readonly otp: string;
        /** The name that people see. */
        readonly name?: string;
        /** Address of a picture. */
        readonly image?: string;
      };
      readonly answer:
        | {
          /** Names the session, invitation or link that it came with. */
          readonly token: string;
          /** The account. */
          readonly user: {
            /** Its id. */
            readonly id: string;
            /** The name that people see. */
            readonly name: string;
            /** E-mail address of the account. */
            readonly email: string;
            /** Address of a picture, if there is one. */
            readonly image: string | null;
          };
        }
        | {
          /** There is no session yet. */
          readonly twoFactorRedirect: true;
          /** Ways to prove it. */
          readonly twoFactorMethods: readonly string[];
        };
    };
    readonly signInWith: {
      readonly body: {
        /** The provider. */
        readonly provider: "github";
        /** Page that comes next; trusted origins only. */
        readonly callbackURL?: string;
        /** The same for an account that is made by it. */
        readonly newUserCallbackURL?: string;
        /** The same for a refusal, with `?error=`. */
        readonly errorCallbackURL?: string;
        /** Whether the page goes there by itself. */
        readonly disableRedirect?: boolean;
        /** The account to be asked for there. */
        readonly loginHint?: string;
      };
      readonly answer: {
        /** Where the browser goes next: the provider. */
        readonly url: string;
        /** Whether a page is to go there by itself. */
        readonly redirect: boolean;
      };
    };
    readonly verifyTotp: {
      readonly body: {
        /** The code of the message. */
        readonly code: string;
        /** Whether this browser is not asked again for thirty days. */
        readonly trustDevice?: boolean;
      };
      readonly answer: {
        /** Names the session, invitation or link that it came with. */
        readonly token: string;
        /** The account. */
        readonly user: {
          /** Its id. */
          readonly id: string;
          /** The name that people see. */
          readonly name: string;
          /** E-mail address of the account. */
          readonly email: string;
          /** Address of a picture, if there is one. */
          readonly image: string | null;
        };
      };
    };
    readonly verifyBackupCode: {
      readonly body: {
        /** A backup code. */
        readonly code: string;
        /** Whether this browser is not asked again for thirty days. */
        readonly trustDevice?: boolean;
      };
      readonly answer: {
        /** Names the session, invitation or link that it came with. */
        readonly token: string;
        /** The account. */
        readonly user: {
          /** Its id. */
          readonly id: string;
          /** The name that people see. */
          readonly name: string;
          /** E-mail address of the account. */
          readonly email: string;
          /** Address of a picture, if there is one. */
          readonly image: string | null;
        };
      };
    };
  };
  readonly resources: {
    readonly papers: {
      readonly name: "papers";
      readonly id: string;
      readonly list: {
        readonly query: PapersPageQuery;
        readonly answer: PapersPage;
      };
      readonly get: {
        readonly query: PapersReadQuery;
        readonly answer: PapersRecord;
      };
      readonly create: {
        readonly query: Record<string, never>;
        readonly body: PapersCreate;
        readonly answer: PapersRecord;
      };
      readonly update: {
        readonly query: Record<string, never>;
        readonly body: PapersUpdate;
        readonly answer: PapersRecord;
      };
      readonly delete: never;
      readonly upsert: never;
      readonly batchCreate: {
        readonly query: Record<string, never>;
        readonly body: PapersCreateBatch;
        readonly answer: PapersWriteResults;
      };
      readonly batchUpdate: {
        readonly query: Record<string, never>;
        readonly body: PapersUpdateBatch;
        readonly answer: PapersWriteResults;
      };
      readonly batchDelete: never;
      readonly batchUpsert: never;
      readonly files: {
        readonly scan: {
          readonly writeFile: {
            readonly answer: PapersRecord;
          };
          readonly removeFile: {
            readonly answer: Deleted;
          };
        };
        readonly seal: {
          readonly writeFile: {
            readonly answer: PapersRecord;
          };
          readonly removeFile: {
            readonly answer: Deleted;
          };
        };
      };
      readonly fileLists: {
        readonly pages: {
          readonly addFile: {
            readonly answer: PapersRecord;
          };
          readonly writeFile: {
            readonly answer: PapersRecord;
          };
          readonly removeFile: {
            readonly answer: Deleted;
          };
        };
      };
      readonly views: Record<never, never>;
      readonly actions: Record<never, never>;
      readonly bulkActions: Record<never, never>;
    };
  };
  readonly actions: Record<never, never>;
  readonly changeset: never;
  readonly frames: Record<never, never>;
}
