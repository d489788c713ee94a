/** Types of the API board below /api/v1: hand Api to createClient. */

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

export interface CardsRecord {
  /** Id of the record. Set by the service. */
  readonly id: string;
  /** The organization that the record belongs to. Set by the service. */
  readonly organizationId: string;
  /** Title: text. */
  readonly title: string;
  /** State: one of `open`, `done`. Written by `finish` only. */
  readonly state: "open" | "done";
  /** Secrecy: one of `low`, `high`. */
  readonly secrecy: "low" | "high";
  /** Email: text. Masked as `email` but for `admin`, the record's owner. */
  readonly email: Masked<string> | null;
  /** Points: a number. */
  readonly points: number | null;
  /** Tags: any JSON value. Fixed once the record is created. */
  readonly tags: unknown;
  /** Urgent: true or false. */
  readonly urgent: boolean | null;
  /** Notes: text. Masked as `redact` but for `admin`. */
  readonly notes: Masked<string> | null;
  /** Revision of the record, one more with every write. Set by the service. */
  readonly version: number;
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

export interface CardsPage {
  /** The records of this page, in the order asked for. */
  readonly data: readonly CardsRecord[];
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

export interface CardsCreate {
  /** Title: text. */
  readonly title: string;
  /** Secrecy: one of `low`, `high`. */
  readonly secrecy?: "low" | "high";
  /** Email: text. Null clears it. */
  readonly email?: string | null;
  /** Points: a number. Null clears it. */
  readonly points?: number | null;
  /** Tags: any JSON value. */
  readonly tags?: unknown;
  /** Urgent: true or false. Null clears it. */
  readonly urgent?: boolean | null;
  /** Notes: text. Null clears it. */
  readonly notes?: string | null;
}

export interface CardsUpdate {
  /** Title: text. */
  readonly title?: string;
  /** Secrecy: one of `low`, `high`. */
  readonly secrecy?: "low" | "high";
  /** Email: text. Null clears it. */
  readonly email?: string | null;
  /** Points: a number. Null clears it. */
  readonly points?: number | null;
  /** Urgent: true or false. Null clears it. */
  readonly urgent?: boolean | null;
  /** Notes: text. Null clears it. */
  readonly notes?: string | null;
}

export interface Deleted {
  /** The record is deleted. */
  readonly success: true;
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
    | "GUARD_FIELD_NOT_CREATEABLE"
    | "GUARD_FIELD_NOT_UPDATABLE"
    | "GUARD_FIELD_PROTECTED"
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
export interface CardsWriteResults {
  /** What was written, in order. */
  readonly success: readonly CardsRecord[];
  /** What was refused, in order. */
  readonly errors: readonly BatchRecordError[];
  readonly meta: BatchMeta;
}

/** How the batch is carried out. */
export interface BatchOptions {
  /** Stop, and undo all, at the first refusal. */
  readonly failFast?: boolean;
}

export interface CardsCreateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly CardsCreate[];
  readonly options?: BatchOptions;
}

export interface CardsUpdateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly {
    /** Id of a record. */
    readonly id: string;
    /** Title: text. */
    readonly title?: string;
    /** Secrecy: one of `low`, `high`. */
    readonly secrecy?: "low" | "high";
    /** Email: text. Null clears it. */
    readonly email?: string | null;
    /** Points: a number. Null clears it. */
    readonly points?: number | null;
    /** Urgent: true or false. Null clears it. */
    readonly urgent?: boolean | null;
    /** Notes: text. Null clears it. */
    readonly notes?: string | null;
  }[];
  readonly options?: BatchOptions;
}

/** A record that was not deleted. */
export interface BatchIdError {
  /** Place in the request. */
  readonly index: number;
  /** As it was sent. */
  readonly id: string | number;
  readonly error: BatchError;
}

/** What became of each record. */
export interface CardsDeleteResults {
  /** What was written, in order. */
  readonly success: readonly {
    /** Id of the record. Set by the service. */
    readonly id: string;
    /** When the record was deleted; null while it is live. Set by the service. */
    readonly deletedAt: string | null;
    /** Id of the user who deleted it; null while it is live. Set by the service. */
    readonly deletedBy: string | null;
  }[];
  /** What was refused, in order. */
  readonly errors: readonly BatchIdError[];
  readonly meta: BatchMeta;
}

export interface CardsDeleteBatch {
  /** Ids of the records. */
  readonly ids: readonly string[];
  readonly options?: BatchOptions;
}

export interface CommentsRecord {
  /** Id of the record. Set by the service. */
  readonly id: string;
  /** The organization that the record belongs to. Set by the service. */
  readonly organizationId: string;
  /** The owner that the record belongs to. Set by the service. */
  readonly ownerId: string;
  /** Id of one of `cards`. */
  readonly cardId: string;
  /** Body: text. */
  readonly body: string;
  /** When the record was created. Set by the service. */
  readonly createdAt: string;
  /** Id of the user who created it. Set by the service. */
  readonly createdBy: string | null;
  /** When the record was last changed. Set by the service. */
  readonly modifiedAt: string | null;
  /** Id of the user who last changed it. Set by the service. */
  readonly modifiedBy: string | null;
  /** `title` of the record that `cardId` names; null when the caller may not see it. */
  readonly card_label: string | null;
}

export interface CommentsPage {
  /** The records of this page, in the order asked for. */
  readonly data: readonly CommentsRecord[];
  /** Name of the view that answered; null: none did. */
  readonly view: null;
  readonly pagination: Pagination;
}

export interface CommentsCreate {
  /** Id of one of `cards`. */
  readonly cardId: string;
  /** Body: text. */
  readonly body: string;
}

/** What became of each record. */
export interface CommentsWriteResults {
  /** What was written, in order. */
  readonly success: readonly CommentsRecord[];
  /** What was refused, in order. */
  readonly errors: readonly BatchRecordError[];
  readonly meta: BatchMeta;
}

export interface CommentsCreateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly CommentsCreate[];
  readonly options?: BatchOptions;
}

/** What became of each record. */
export interface CommentsDeleteResults {
  /** What was written, in order. */
  readonly success: readonly {
    /** Id of the record. Set by the service. */
    readonly id: string;
  }[];
  /** What was refused, in order. */
  readonly errors: readonly BatchIdError[];
  readonly meta: BatchMeta;
}

export interface CommentsDeleteBatch {
  /** Ids of the records. */
  readonly ids: readonly string[];
  readonly options?: BatchOptions;
}

/** What an action itself refuses with. */
export interface ActionRefusal {
  /** What is wrong, for people. */
  readonly error: string;
  /** What is wrong, for programs. */
  readonly code: string;
  /** What the action has to add. */
  readonly details?: unknown;
}

/** `<as>.<member>`: a member of what an operation before this one answered. */
export interface ChangesetReference {
  readonly $ref: string;
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
  readonly project: "board";
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

export interface CardsPageQuery {
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
    | "title"
    | "-title"
    | "state"
    | "-state"
    | "secrecy"
    | "-secrecy"
    | "email"
    | "-email"
    | "points"
    | "-points"
    | "tags"
    | "-tags"
    | "urgent"
    | "-urgent"
    | "notes"
    | "-notes"
    | "version"
    | "-version"
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
    | "title"
    | "state"
    | "secrecy"
    | "email"
    | "points"
    | "tags"
    | "urgent"
    | "notes"
    | "version"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
  /** Whether to count all matching records into `total` and `totalPages`. */
  readonly total?: boolean;
  /** Records that contain the text, whatever its case, in one of `title`, `state`, `secrecy`, `email`, `notes`. Masked columns are passed over. */
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
  /** Records whose `state` equals the value. */
  readonly state?: "open" | "done";
  /** Records whose `state` differs from the value, or is not set. */
  readonly "state.ne"?: "open" | "done";
  /** Records whose `state` is greater than the value. */
  readonly "state.gt"?: "open" | "done";
  /** Records whose `state` is greater than the value or equal to it. */
  readonly "state.gte"?: "open" | "done";
  /** Records whose `state` is less than the value. */
  readonly "state.lt"?: "open" | "done";
  /** Records whose `state` is less than the value or equal to it. */
  readonly "state.lte"?: "open" | "done";
  /** Records whose `state` contains the text. */
  readonly "state.like"?: string;
  /** Records whose `state` contains the text in upper or lower case. */
  readonly "state.ilike"?: string;
  /** Records whose `state` is one of the comma-separated values. */
  readonly "state.in"?: readonly ("open" | "done")[];
  /** Records whose `state` is none of the comma-separated values, or is not set. */
  readonly "state.nin"?: readonly ("open" | "done")[];
  /** Records whose `state` is not set; with `false`, those where it is. */
  readonly "state.null"?: boolean;
  /** Records whose `secrecy` equals the value. */
  readonly secrecy?: "low" | "high";
  /** Records whose `secrecy` differs from the value, or is not set. */
  readonly "secrecy.ne"?: "low" | "high";
  /** Records whose `secrecy` is greater than the value. */
  readonly "secrecy.gt"?: "low" | "high";
  /** Records whose `secrecy` is greater than the value or equal to it. */
  readonly "secrecy.gte"?: "low" | "high";
  /** Records whose `secrecy` is less than the value. */
  readonly "secrecy.lt"?: "low" | "high";
  /** Records whose `secrecy` is less than the value or equal to it. */
  readonly "secrecy.lte"?: "low" | "high";
  /** Records whose `secrecy` contains the text. */
  readonly "secrecy.like"?: string;
  /** Records whose `secrecy` contains the text in upper or lower case. */
  readonly "secrecy.ilike"?: string;
  /** Records whose `secrecy` is one of the comma-separated values. */
  readonly "secrecy.in"?: readonly ("low" | "high")[];
  /** Records whose `secrecy` is none of the comma-separated values, or is not set. */
  readonly "secrecy.nin"?: readonly ("low" | "high")[];
  /** Records whose `secrecy` is not set; with `false`, those where it is. */
  readonly "secrecy.null"?: boolean;
  /** Records whose `email` equals the value. */
  readonly email?: string;
  /** Records whose `email` differs from the value, or is not set. */
  readonly "email.ne"?: string;
  /** Records whose `email` is greater than the value. */
  readonly "email.gt"?: string;
  /** Records whose `email` is greater than the value or equal to it. */
  readonly "email.gte"?: string;
  /** Records whose `email` is less than the value. */
  readonly "email.lt"?: string;
  /** Records whose `email` is less than the value or equal to it. */
  readonly "email.lte"?: string;
  /** Records whose `email` contains the text. */
  readonly "email.like"?: string;
  /** Records whose `email` contains the text in upper or lower case. */
  readonly "email.ilike"?: string;
  /** Records whose `email` is one of the comma-separated values. */
  readonly "email.in"?: readonly string[];
  /** Records whose `email` is none of the comma-separated values, or is not set. */
  readonly "email.nin"?: readonly string[];
  /** Records whose `email` is not set; with `false`, those where it is. */
  readonly "email.null"?: boolean;
  /** Records whose `points` equals the value. */
  readonly points?: number;
  /** Records whose `points` differs from the value, or is not set. */
  readonly "points.ne"?: number;
  /** Records whose `points` is greater than the value. */
  readonly "points.gt"?: number;
  /** Records whose `points` is greater than the value or equal to it. */
  readonly "points.gte"?: number;
  /** Records whose `points` is less than the value. */
  readonly "points.lt"?: number;
  /** Records whose `points` is less than the value or equal to it. */
  readonly "points.lte"?: number;
  /** Records whose `points` is one of the comma-separated values. */
  readonly "points.in"?: readonly number[];
  /** Records whose `points` is none of the comma-separated values, or is not set. */
  readonly "points.nin"?: readonly number[];
  /** Records whose `points` is not set; with `false`, those where it is. */
  readonly "points.null"?: boolean;
  /** Records whose `tags` equals the value. */
  readonly tags?: string;
  /** Records whose `tags` differs from the value, or is not set. */
  readonly "tags.ne"?: string;
  /** Records whose `tags` is greater than the value. */
  readonly "tags.gt"?: string;
  /** Records whose `tags` is greater than the value or equal to it. */
  readonly "tags.gte"?: string;
  /** Records whose `tags` is less than the value. */
  readonly "tags.lt"?: string;
  /** Records whose `tags` is less than the value or equal to it. */
  readonly "tags.lte"?: string;
  /** Records whose `tags` contains the text. */
  readonly "tags.like"?: string;
  /** Records whose `tags` is one of the comma-separated values. */
  readonly "tags.in"?: readonly string[];
  /** Records whose `tags` is none of the comma-separated values, or is not set. */
  readonly "tags.nin"?: readonly string[];
  /** Records whose `tags` is not set; with `false`, those where it is. */
  readonly "tags.null"?: boolean;
  /** Records whose `urgent` equals the value. */
  readonly urgent?: boolean;
  /** Records whose `urgent` differs from the value, or is not set. */
  readonly "urgent.ne"?: boolean;
  /** Records whose `urgent` is greater than the value. */
  readonly "urgent.gt"?: boolean;
  /** Records whose `urgent` is greater than the value or equal to it. */
  readonly "urgent.gte"?: boolean;
  /** Records whose `urgent` is less than the value. */
  readonly "urgent.lt"?: boolean;
  /** Records whose `urgent` is less than the value or equal to it. */
  readonly "urgent.lte"?: boolean;
  /** Records whose `urgent` is one of the comma-separated values. */
  readonly "urgent.in"?: readonly boolean[];
  /** Records whose `urgent` is none of the comma-separated values, or is not set. */
  readonly "urgent.nin"?: readonly boolean[];
  /** Records whose `urgent` is not set; with `false`, those where it is. */
  readonly "urgent.null"?: boolean;
  /** Records whose `notes` equals the value. */
  readonly notes?: string;
  /** Records whose `notes` differs from the value, or is not set. */
  readonly "notes.ne"?: string;
  /** Records whose `notes` is greater than the value. */
  readonly "notes.gt"?: string;
  /** Records whose `notes` is greater than the value or equal to it. */
  readonly "notes.gte"?: string;
  /** Records whose `notes` is less than the value. */
  readonly "notes.lt"?: string;
  /** Records whose `notes` is less than the value or equal to it. */
  readonly "notes.lte"?: string;
  /** Records whose `notes` contains the text. */
  readonly "notes.like"?: string;
  /** Records whose `notes` contains the text in upper or lower case. */
  readonly "notes.ilike"?: string;
  /** Records whose `notes` is one of the comma-separated values. */
  readonly "notes.in"?: readonly string[];
  /** Records whose `notes` is none of the comma-separated values, or is not set. */
  readonly "notes.nin"?: readonly string[];
  /** Records whose `notes` is not set; with `false`, those where it is. */
  readonly "notes.null"?: boolean;
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

export interface CardsReadQuery {
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly (
    | "id"
    | "organizationId"
    | "title"
    | "state"
    | "secrecy"
    | "email"
    | "points"
    | "tags"
    | "urgent"
    | "notes"
    | "version"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
}

export interface CommentsPageQuery {
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
    | "ownerId"
    | "-ownerId"
    | "cardId"
    | "-cardId"
    | "body"
    | "-body"
    | "createdAt"
    | "-createdAt"
    | "createdBy"
    | "-createdBy"
    | "modifiedAt"
    | "-modifiedAt"
    | "modifiedBy"
    | "-modifiedBy"
  )[];
  /** Direction of a single `sort` field without a minus sign, or of the default sort. Ignored when `sort` names several fields or carries a minus sign. */
  readonly order?: "asc" | "desc";
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly (
    | "id"
    | "organizationId"
    | "ownerId"
    | "cardId"
    | "body"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
  )[];
  /** Whether to count all matching records into `total` and `totalPages`. */
  readonly total?: boolean;
  /** Records that contain the text, whatever its case, in one of `body`. Masked columns are passed over. */
  readonly search?: string;
  /** A cursor from `pagination`: the records that follow it in the same sort. Not together with `offset` or `ending_before`. */
  readonly starting_after?: string;
  /** A cursor from `pagination`: the records right before it in the same sort. Not together with `offset` or `starting_after`. */
  readonly ending_before?: string;
  /** Conditions as JSON, all of which must hold: `{ "field": value }`, `{ "field": { "operator": value } }` with equals, notEquals, in, notIn, lessThan, greaterThan, lessThanOrEqual, greaterThanOrEqual, and `or`, `and` (lists of conditions) and `not`. Conditions on related records: `card`. */
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
  /** Records whose `ownerId` equals the value. */
  readonly ownerId?: string;
  /** Records whose `ownerId` differs from the value, or is not set. */
  readonly "ownerId.ne"?: string;
  /** Records whose `ownerId` is greater than the value. */
  readonly "ownerId.gt"?: string;
  /** Records whose `ownerId` is greater than the value or equal to it. */
  readonly "ownerId.gte"?: string;
  /** Records whose `ownerId` is less than the value. */
  readonly "ownerId.lt"?: string;
  /** Records whose `ownerId` is less than the value or equal to it. */
  readonly "ownerId.lte"?: string;
  /** Records whose `ownerId` contains the text. */
  readonly "ownerId.like"?: string;
  /** Records whose `ownerId` contains the text in upper or lower case. */
  readonly "ownerId.ilike"?: string;
  /** Records whose `ownerId` is one of the comma-separated values. */
  readonly "ownerId.in"?: readonly string[];
  /** Records whose `ownerId` is none of the comma-separated values, or is not set. */
  readonly "ownerId.nin"?: readonly string[];
  /** Records whose `ownerId` is not set; with `false`, those where it is. */
  readonly "ownerId.null"?: boolean;
  /** Records whose `cardId` equals the value. */
  readonly cardId?: string;
  /** Records whose `cardId` differs from the value, or is not set. */
  readonly "cardId.ne"?: string;
  /** Records whose `cardId` is greater than the value. */
  readonly "cardId.gt"?: string;
  /** Records whose `cardId` is greater than the value or equal to it. */
  readonly "cardId.gte"?: string;
  /** Records whose `cardId` is less than the value. */
  readonly "cardId.lt"?: string;
  /** Records whose `cardId` is less than the value or equal to it. */
  readonly "cardId.lte"?: string;
  /** Records whose `cardId` contains the text. */
  readonly "cardId.like"?: string;
  /** Records whose `cardId` contains the text in upper or lower case. */
  readonly "cardId.ilike"?: string;
  /** Records whose `cardId` is one of the comma-separated values. */
  readonly "cardId.in"?: readonly string[];
  /** Records whose `cardId` is none of the comma-separated values, or is not set. */
  readonly "cardId.nin"?: readonly string[];
  /** Records whose `cardId` is not set; with `false`, those where it is. */
  readonly "cardId.null"?: boolean;
  /** Records whose `body` equals the value. */
  readonly body?: string;
  /** Records whose `body` differs from the value, or is not set. */
  readonly "body.ne"?: string;
  /** Records whose `body` is greater than the value. */
  readonly "body.gt"?: string;
  /** Records whose `body` is greater than the value or equal to it. */
  readonly "body.gte"?: string;
  /** Records whose `body` is less than the value. */
  readonly "body.lt"?: string;
  /** Records whose `body` is less than the value or equal to it. */
  readonly "body.lte"?: string;
  /** Records whose `body` contains the text. */
  readonly "body.like"?: string;
  /** Records whose `body` contains the text in upper or lower case. */
  readonly "body.ilike"?: string;
  /** Records whose `body` is one of the comma-separated values. */
  readonly "body.in"?: readonly string[];
  /** Records whose `body` is none of the comma-separated values, or is not set. */
  readonly "body.nin"?: readonly string[];
  /** Records whose `body` is not set; with `false`, those where it is. */
  readonly "body.null"?: boolean;
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
}

export interface CommentsReadQuery {
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly (
    | "id"
    | "organizationId"
    | "ownerId"
    | "cardId"
    | "body"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
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
  };
  readonly resources: {
    readonly cards: {
      readonly name: "cards";
      readonly id: string;
      readonly list: {
        readonly query: CardsPageQuery;
        readonly answer: CardsPage;
      };
      readonly get: {
        readonly query: CardsReadQuery;
        readonly answer: CardsRecord;
      };
      readonly create: {
        readonly query: Record<string, never>;
        readonly body: CardsCreate;
        readonly answer: CardsRecord;
      };
      readonly update: {
        readonly query: Record<string, never>;
        readonly body: CardsUpdate;
        readonly answer: CardsRecord;
      };
      readonly delete: {
        readonly query: Record<string, never>;
        readonly answer: Deleted;
      };
      readonly upsert: never;
      readonly batchCreate: {
        readonly query: Record<string, never>;
        readonly body: CardsCreateBatch;
        readonly answer: CardsWriteResults;
      };
      readonly batchUpdate: {
        readonly query: Record<string, never>;
        readonly body: CardsUpdateBatch;
        readonly answer: CardsWriteResults;
      };
      readonly batchDelete: {
        readonly query: Record<string, never>;
        readonly body: CardsDeleteBatch;
        readonly answer: CardsDeleteResults;
      };
      readonly batchUpsert: never;
      readonly views: Record<never, never>;
      readonly actions: {
        /** Do it */
        readonly finish: {
          readonly method: "POST";
          readonly body: {
            readonly [name: string]: unknown;
          };
          readonly answer: {
            readonly success: true;
            readonly state: "done";
          };
        };
        /** Do it */
        readonly "move-up": {
          readonly changeset: {
            readonly resource: "cards";
            readonly action: "moveUp" | "move-up";
          };
          readonly method: "POST";
          readonly body: {
            readonly [name: string]: unknown;
          };
          readonly answer: {
            readonly title: string;
          };
        };
        /** Do it */
        readonly rename: {
          readonly method: "POST";
          readonly body: {
            readonly title: string;
            readonly fails?: boolean;
          };
          readonly answer: unknown;
        };
      };
      readonly bulkActions: {
        /** Do it */
        readonly finish: {
          readonly method: "POST";
          readonly body: {
            readonly [name: string]: unknown;
          };
          readonly answer: {
            readonly success: true;
            readonly state: "done";
          };
        };
        /** Do it */
        readonly "move-up": {
          readonly method: "POST";
          readonly body: {
            readonly [name: string]: unknown;
          };
          readonly answer: {
            readonly title: string;
          };
        };
        /** Do it */
        readonly rename: {
          readonly method: "POST";
          readonly body: {
            readonly title: string;
            readonly fails?: boolean;
          };
          readonly answer: unknown;
        };
      };
    };
    readonly comments: {
      readonly name: "comments";
      readonly id: string;
      readonly list: {
        readonly query: CommentsPageQuery;
        readonly answer: CommentsPage;
      };
      readonly get: {
        readonly query: CommentsReadQuery;
        readonly answer: CommentsRecord;
      };
      readonly create: {
        readonly query: Record<string, never>;
        readonly body: CommentsCreate;
        readonly answer: CommentsRecord;
      };
      readonly update: never;
      readonly delete: {
        readonly query: Record<string, never>;
        readonly answer: Deleted;
      };
      readonly upsert: never;
      readonly batchCreate: {
        readonly query: Record<string, never>;
        readonly body: CommentsCreateBatch;
        readonly answer: CommentsWriteResults;
      };
      readonly batchUpdate: never;
      readonly batchDelete: {
        readonly query: Record<string, never>;
        readonly body: CommentsDeleteBatch;
        readonly answer: CommentsDeleteResults;
      };
      readonly batchUpsert: never;
      readonly views: Record<never, never>;
      readonly actions: Record<never, never>;
      readonly bulkActions: Record<never, never>;
    };
  };
  readonly actions: {
    readonly "POST /cards/count": {
      readonly changeset: {
        readonly resource: "cards";
        readonly action: "countAll" | "count-all";
      };
      readonly method: "POST";
      readonly body: {
        readonly [name: string]: unknown;
      };
      readonly answer: {
        readonly count: number;
      };
    };
  };
  readonly changeset:
    | {
      readonly op: "create";
      readonly resource: "cards";
      readonly data: {
        /** Title: text. */
        readonly title: string | ChangesetReference;
        /** Secrecy: one of `low`, `high`. */
        readonly secrecy?: "low" | "high" | ChangesetReference;
        /** Email: text. Null clears it. */
        readonly email?: string | null | ChangesetReference;
        /** Points: a number. Null clears it. */
        readonly points?: number | null | ChangesetReference;
        /** Tags: any JSON value. */
        readonly tags?: unknown | ChangesetReference;
        /** Urgent: true or false. Null clears it. */
        readonly urgent?: boolean | null | ChangesetReference;
        /** Notes: text. Null clears it. */
        readonly notes?: string | null | ChangesetReference;
      };
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "create";
      readonly resource: "comments";
      readonly data: {
        /** Id of one of `cards`. */
        readonly cardId: string | ChangesetReference;
        /** Body: text. */
        readonly body: string | ChangesetReference;
      };
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "update";
      readonly resource: "cards";
      /** Id of a record. */
      readonly id: string | ChangesetReference;
      readonly data: {
        /** Title: text. */
        readonly title?: string | ChangesetReference;
        /** Secrecy: one of `low`, `high`. */
        readonly secrecy?: "low" | "high" | ChangesetReference;
        /** Email: text. Null clears it. */
        readonly email?: string | null | ChangesetReference;
        /** Points: a number. Null clears it. */
        readonly points?: number | null | ChangesetReference;
        /** Urgent: true or false. Null clears it. */
        readonly urgent?: boolean | null | ChangesetReference;
        /** Notes: text. Null clears it. */
        readonly notes?: string | null | ChangesetReference;
      };
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "delete";
      readonly resource: "cards";
      /** Id of a record. */
      readonly id: string | ChangesetReference;
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "delete";
      readonly resource: "comments";
      /** Id of a record. */
      readonly id: string | ChangesetReference;
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "action";
      readonly resource: "cards";
      readonly action: "countAll" | "count-all";
      readonly data?: {
        readonly [name: string]: unknown;
      };
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "action";
      readonly resource: "cards";
      readonly action: "finish";
      /** Id of a record. */
      readonly id: string | ChangesetReference;
      readonly data?: {
        readonly [name: string]: unknown;
      };
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "action";
      readonly resource: "cards";
      readonly action: "moveUp" | "move-up";
      /** Id of a record. */
      readonly id: string | ChangesetReference;
      readonly data?: {
        readonly [name: string]: unknown;
      };
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    }
    | {
      readonly op: "action";
      readonly resource: "cards";
      readonly action: "rename";
      /** Id of a record. */
      readonly id: string | ChangesetReference;
      readonly data: {
        readonly title: string | ChangesetReference;
        readonly fails?: boolean | ChangesetReference;
      };
      /** A name for later operations to take the answer by. */
      readonly as?: string;
    };
  readonly frames: {
    readonly cards:
      | {
        readonly type: "record.created";
        readonly resource: "cards";
        readonly id: string;
        readonly data: {
          /** Id of the record. Set by the service. */
          readonly id: string;
          /** The organization that the record belongs to. Set by the service. */
          readonly organizationId: string;
          /** Title: text. */
          readonly title: string;
          /** State: one of `open`, `done`. Written by `finish` only. */
          readonly state: "open" | "done";
          /** Secrecy: one of `low`, `high`. */
          readonly secrecy: "low" | "high";
          /** Email: text. Masked as `email` but for `admin`, the record's owner. */
          readonly email: Masked<string> | null;
          /** Points: a number. */
          readonly points: number | null;
          /** Tags: any JSON value. Fixed once the record is created. */
          readonly tags: unknown;
          /** Urgent: true or false. */
          readonly urgent: boolean | null;
          /** Notes: text. Masked as `redact` but for `admin`. */
          readonly notes: Masked<string> | null;
          /** Revision of the record, one more with every write. Set by the service. */
          readonly version: number;
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
        };
        readonly at: string;
      }
      | {
        readonly type: "record.updated";
        readonly resource: "cards";
        readonly id: string;
        readonly data: {
          /** Id of the record. Set by the service. */
          readonly id: string;
          /** The organization that the record belongs to. Set by the service. */
          readonly organizationId: string;
          /** Title: text. */
          readonly title: string;
          /** State: one of `open`, `done`. Written by `finish` only. */
          readonly state: "open" | "done";
          /** Secrecy: one of `low`, `high`. */
          readonly secrecy: "low" | "high";
          /** Email: text. Masked as `email` but for `admin`, the record's owner. */
          readonly email: Masked<string> | null;
          /** Points: a number. */
          readonly points: number | null;
          /** Tags: any JSON value. Fixed once the record is created. */
          readonly tags: unknown;
          /** Urgent: true or false. */
          readonly urgent: boolean | null;
          /** Notes: text. Masked as `redact` but for `admin`. */
          readonly notes: Masked<string> | null;
          /** Revision of the record, one more with every write. Set by the service. */
          readonly version: number;
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
        };
        readonly at: string;
      }
      | {
        readonly type: "record.deleted";
        readonly resource: "cards";
        readonly id: string;
        readonly at: string;
      };
    readonly comments:
      | {
        readonly type: "record.created";
        readonly resource: "comments";
        readonly id: string;
        readonly data: {
          /** Body: text. */
          readonly body: string;
        };
        readonly at: string;
      }
      | {
        readonly type: "record.deleted";
        readonly resource: "comments";
        readonly id: string;
        readonly at: string;
      };
    readonly "board.asked": {
      readonly type: "invalidate";
      readonly resource: "board.asked";
      readonly data: {
        readonly cardId?: unknown;
      };
      readonly at: string;
    };
    readonly "board.changed": {
      readonly type: "invalidate";
      readonly resource: "board.changed";
      readonly data: {
        readonly cardId?: unknown;
        readonly title?: unknown;
      };
      readonly at: string;
    };
    readonly "board.mine": {
      readonly type: "invalidate";
      readonly resource: "board.mine";
      readonly data: Record<string, never>;
      readonly at: string;
    };
  };
}
