/** Types of the API notes below /api/v1: hand Api to createClient. */

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

export interface NotebooksRecord {
  /** Id of the record. Set by the service. */
  readonly id: string;
  /** The organization that the record belongs to. Set by the service. */
  readonly organizationId: string;
  /** Title: text of at most 80 characters. */
  readonly title: string;
  /** Is archived: true or false. */
  readonly isArchived: boolean;
  /** Cover url: an http or https URL. */
  readonly coverUrl: string | null;
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

export interface NotebooksPage {
  /** The records of this page, in the order asked for. */
  readonly data: readonly NotebooksRecord[];
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

export interface NotebooksCreate {
  /** Title: text of at most 80 characters. */
  readonly title: string;
  /** Cover url: an http or https URL. Null clears it. */
  readonly coverUrl?: string | null;
}

export interface NotebooksUpdate {
  /** Title: text of at most 80 characters. */
  readonly title?: string;
  /** Is archived: true or false. */
  readonly isArchived?: boolean;
  /** Cover url: an http or https URL. Null clears it. */
  readonly coverUrl?: string | null;
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
    | "ACCESS_CONDITION_FAILED"
    | "DB_NOT_NULL_VIOLATION"
    | "DB_UNIQUE_VIOLATION"
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
export interface NotebooksWriteResults {
  /** What was written, in order. */
  readonly success: readonly NotebooksRecord[];
  /** What was refused, in order. */
  readonly errors: readonly BatchRecordError[];
  readonly meta: BatchMeta;
}

/** How the batch is carried out. */
export interface BatchOptions {
  /** Stop, and undo all, at the first refusal. */
  readonly failFast?: boolean;
}

export interface NotebooksCreateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly NotebooksCreate[];
  readonly options?: BatchOptions;
}

export interface NotebooksUpdateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly {
    /** Id of a record. */
    readonly id: string;
    /** Title: text of at most 80 characters. */
    readonly title?: string;
    /** Is archived: true or false. */
    readonly isArchived?: boolean;
    /** Cover url: an http or https URL. Null clears it. */
    readonly coverUrl?: string | null;
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
export interface NotebooksDeleteResults {
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

export interface NotebooksDeleteBatch {
  /** Ids of the records. */
  readonly ids: readonly string[];
  readonly options?: BatchOptions;
}

export interface NotesRecord {
  /** Id of the record. Set by the service. */
  readonly id: string;
  /** The organization that the record belongs to. Set by the service. */
  readonly organizationId: string;
  /** The owner that the record belongs to. Set by the service. */
  readonly ownerId: string;
  /** Id of one of `notebooks`. Fixed once the record is created. */
  readonly notebookId: string;
  /** Body: text. */
  readonly body: string;
  /** Mood: one of `calm`, `it's fine`, `so "so"`. */
  readonly mood: "calm" | "it's fine" | 'so "so"' | null;
  /** Rating: a whole number. */
  readonly rating: number | null;
  /** Meta: any JSON value. */
  readonly meta: unknown;
  /** Written at: an ISO 8601 date-time. Not written through this resource. */
  readonly writtenAt: string;
  /** Revision of the record, one more with every write. Set by the service. */
  readonly revision: number;
  /** When the record was created. Set by the service. */
  readonly createdAt: string;
  /** Id of the user who created it. Set by the service. */
  readonly createdBy: string | null;
  /** When the record was last changed. Set by the service. */
  readonly modifiedAt: string | null;
  /** Id of the user who last changed it. Set by the service. */
  readonly modifiedBy: string | null;
  /** `title` of the record that `notebookId` names; null when the caller may not see it. */
  readonly notebook_label: string | null;
}

export interface NotesPage {
  /** The records of this page, in the order asked for. */
  readonly data: readonly NotesRecord[];
  /** Name of the view that answered; null: none did. */
  readonly view: null;
  readonly pagination: Pagination;
  /** Visible targets by foreign key, then by id. There when `include` was sent. */
  readonly included?: {
    /** Records that `notebookId` names, by id. */
    readonly notebookId?: {
      readonly [name: string]: NotebooksRecord;
    };
  };
}

export interface NotesRead {
  /** Id of the record. Set by the service. */
  readonly id: string;
  /** The organization that the record belongs to. Set by the service. */
  readonly organizationId: string;
  /** The owner that the record belongs to. Set by the service. */
  readonly ownerId: string;
  /** Id of one of `notebooks`. Fixed once the record is created. */
  readonly notebookId: string;
  /** Body: text. */
  readonly body: string;
  /** Mood: one of `calm`, `it's fine`, `so "so"`. */
  readonly mood: "calm" | "it's fine" | 'so "so"' | null;
  /** Rating: a whole number. */
  readonly rating: number | null;
  /** Meta: any JSON value. */
  readonly meta: unknown;
  /** Written at: an ISO 8601 date-time. Not written through this resource. */
  readonly writtenAt: string;
  /** Revision of the record, one more with every write. Set by the service. */
  readonly revision: number;
  /** When the record was created. Set by the service. */
  readonly createdAt: string;
  /** Id of the user who created it. Set by the service. */
  readonly createdBy: string | null;
  /** When the record was last changed. Set by the service. */
  readonly modifiedAt: string | null;
  /** Id of the user who last changed it. Set by the service. */
  readonly modifiedBy: string | null;
  /** `title` of the record that `notebookId` names; null when the caller may not see it. */
  readonly notebook_label: string | null;
  /** Visible targets by foreign key, then by id. There when `include` was sent. */
  readonly included?: {
    /** Records that `notebookId` names, by id. */
    readonly notebookId?: {
      readonly [name: string]: NotebooksRecord;
    };
  };
}

export interface Notes_RecentRecord {
  /** Id of the record. Set by the service. */
  readonly id: string;
  /** Body: text. */
  readonly body: string;
  /** Written at: an ISO 8601 date-time. Not written through this resource. */
  readonly writtenAt: string;
}

export interface Notes_RecentPage {
  /** The records of this page, in the order asked for. */
  readonly data: readonly Notes_RecentRecord[];
  /** Name of the view that answered; null: none did. */
  readonly view: "recent";
  readonly pagination: Pagination;
}

export interface NotesCreate {
  /** Id of one of `notebooks`. */
  readonly notebookId: string;
  /** Body: text. */
  readonly body?: string;
  /** Mood: one of `calm`, `it's fine`, `so "so"`. Null clears it. */
  readonly mood?: "calm" | "it's fine" | 'so "so"' | null;
  /** Rating: a whole number. Null clears it. */
  readonly rating?: number | null;
  /** Meta: any JSON value. */
  readonly meta?: unknown;
}

export interface NotesUpdate {
  /** Body: text. */
  readonly body?: string;
  /** Mood: one of `calm`, `it's fine`, `so "so"`. Null clears it. */
  readonly mood?: "calm" | "it's fine" | 'so "so"' | null;
  /** Rating: a whole number. Null clears it. */
  readonly rating?: number | null;
  /** Meta: any JSON value. */
  readonly meta?: unknown;
}

/** What became of each record. */
export interface NotesWriteResults {
  /** What was written, in order. */
  readonly success: readonly NotesRecord[];
  /** What was refused, in order. */
  readonly errors: readonly BatchRecordError[];
  readonly meta: BatchMeta;
}

export interface NotesCreateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly NotesCreate[];
  readonly options?: BatchOptions;
}

export interface NotesUpdateBatch {
  /** The records, each judged by itself. */
  readonly records: readonly {
    /** Id of a record. */
    readonly id: string;
    /** Body: text. */
    readonly body?: string;
    /** Mood: one of `calm`, `it's fine`, `so "so"`. Null clears it. */
    readonly mood?: "calm" | "it's fine" | 'so "so"' | null;
    /** Rating: a whole number. Null clears it. */
    readonly rating?: number | null;
    /** Meta: any JSON value. */
    readonly meta?: unknown;
  }[];
  readonly options?: BatchOptions;
}

/** What became of each record. */
export interface NotesDeleteResults {
  /** What was written, in order. */
  readonly success: readonly {
    /** Id of the record. Set by the service. */
    readonly id: string;
  }[];
  /** What was refused, in order. */
  readonly errors: readonly BatchIdError[];
  readonly meta: BatchMeta;
}

export interface NotesDeleteBatch {
  /** Ids of the records. */
  readonly ids: readonly string[];
  readonly options?: BatchOptions;
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
  readonly project: "notes";
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

export interface NotebooksPageQuery {
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
    | "isArchived"
    | "-isArchived"
    | "coverUrl"
    | "-coverUrl"
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
    | "isArchived"
    | "coverUrl"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
  /** Whether to count all matching records into `total` and `totalPages`. */
  readonly total?: boolean;
  /** Records that contain the text, whatever its case, in one of `title`, `coverUrl`. Masked columns are passed over. */
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
  /** Records whose `isArchived` equals the value. */
  readonly isArchived?: boolean;
  /** Records whose `isArchived` differs from the value, or is not set. */
  readonly "isArchived.ne"?: boolean;
  /** Records whose `isArchived` is greater than the value. */
  readonly "isArchived.gt"?: boolean;
  /** Records whose `isArchived` is greater than the value or equal to it. */
  readonly "isArchived.gte"?: boolean;
  /** Records whose `isArchived` is less than the value. */
  readonly "isArchived.lt"?: boolean;
  /** Records whose `isArchived` is less than the value or equal to it. */
  readonly "isArchived.lte"?: boolean;
  /** Records whose `isArchived` is one of the comma-separated values. */
  readonly "isArchived.in"?: readonly boolean[];
  /** Records whose `isArchived` is none of the comma-separated values, or is not set. */
  readonly "isArchived.nin"?: readonly boolean[];
  /** Records whose `isArchived` is not set; with `false`, those where it is. */
  readonly "isArchived.null"?: boolean;
  /** Records whose `coverUrl` equals the value. */
  readonly coverUrl?: string;
  /** Records whose `coverUrl` differs from the value, or is not set. */
  readonly "coverUrl.ne"?: string;
  /** Records whose `coverUrl` is greater than the value. */
  readonly "coverUrl.gt"?: string;
  /** Records whose `coverUrl` is greater than the value or equal to it. */
  readonly "coverUrl.gte"?: string;
  /** Records whose `coverUrl` is less than the value. */
  readonly "coverUrl.lt"?: string;
  /** Records whose `coverUrl` is less than the value or equal to it. */
  readonly "coverUrl.lte"?: string;
  /** Records whose `coverUrl` contains the text. */
  readonly "coverUrl.like"?: string;
  /** Records whose `coverUrl` contains the text in upper or lower case. */
  readonly "coverUrl.ilike"?: string;
  /** Records whose `coverUrl` is one of the comma-separated values. */
  readonly "coverUrl.in"?: readonly string[];
  /** Records whose `coverUrl` is none of the comma-separated values, or is not set. */
  readonly "coverUrl.nin"?: readonly string[];
  /** Records whose `coverUrl` is not set; with `false`, those where it is. */
  readonly "coverUrl.null"?: boolean;
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

export interface NotebooksReadQuery {
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly (
    | "id"
    | "organizationId"
    | "title"
    | "isArchived"
    | "coverUrl"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
}

export interface NotesPageQuery {
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
    | "notebookId"
    | "-notebookId"
    | "body"
    | "-body"
    | "mood"
    | "-mood"
    | "rating"
    | "-rating"
    | "meta"
    | "-meta"
    | "writtenAt"
    | "-writtenAt"
    | "revision"
    | "-revision"
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
    | "notebookId"
    | "body"
    | "mood"
    | "rating"
    | "meta"
    | "writtenAt"
    | "revision"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
  )[];
  /** Whether to count all matching records into `total` and `totalPages`. */
  readonly total?: boolean;
  /** Records that contain the text, whatever its case, in one of `body`, `mood`. Masked columns are passed over. */
  readonly search?: string;
  /** A cursor from `pagination`: the records that follow it in the same sort. Not together with `offset` or `ending_before`. */
  readonly starting_after?: string;
  /** A cursor from `pagination`: the records right before it in the same sort. Not together with `offset` or `starting_after`. */
  readonly ending_before?: string;
  /** What is answered along in `included`, comma-separated: targets of foreign keys, each of which must be among the fields answered. */
  readonly include?: readonly "notebookId"[];
  /** Columns of what `notebookId` names, comma-separated; needs `include` to name `notebookId`. */
  readonly "fields[notebookId]"?: readonly (
    | "id"
    | "organizationId"
    | "title"
    | "isArchived"
    | "coverUrl"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
  /** Conditions as JSON, all of which must hold: `{ "field": value }`, `{ "field": { "operator": value } }` with equals, notEquals, in, notIn, lessThan, greaterThan, lessThanOrEqual, greaterThanOrEqual, and `or`, `and` (lists of conditions) and `not`. Conditions on related records: `notebook`. */
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
  /** Records whose `notebookId` equals the value. */
  readonly notebookId?: string;
  /** Records whose `notebookId` differs from the value, or is not set. */
  readonly "notebookId.ne"?: string;
  /** Records whose `notebookId` is greater than the value. */
  readonly "notebookId.gt"?: string;
  /** Records whose `notebookId` is greater than the value or equal to it. */
  readonly "notebookId.gte"?: string;
  /** Records whose `notebookId` is less than the value. */
  readonly "notebookId.lt"?: string;
  /** Records whose `notebookId` is less than the value or equal to it. */
  readonly "notebookId.lte"?: string;
  /** Records whose `notebookId` contains the text. */
  readonly "notebookId.like"?: string;
  /** Records whose `notebookId` contains the text in upper or lower case. */
  readonly "notebookId.ilike"?: string;
  /** Records whose `notebookId` is one of the comma-separated values. */
  readonly "notebookId.in"?: readonly string[];
  /** Records whose `notebookId` is none of the comma-separated values, or is not set. */
  readonly "notebookId.nin"?: readonly string[];
  /** Records whose `notebookId` is not set; with `false`, those where it is. */
  readonly "notebookId.null"?: boolean;
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
  /** Records whose `mood` equals the value. */
  readonly mood?: "calm" | "it's fine" | 'so "so"';
  /** Records whose `mood` differs from the value, or is not set. */
  readonly "mood.ne"?: "calm" | "it's fine" | 'so "so"';
  /** Records whose `mood` is greater than the value. */
  readonly "mood.gt"?: "calm" | "it's fine" | 'so "so"';
  /** Records whose `mood` is greater than the value or equal to it. */
  readonly "mood.gte"?: "calm" | "it's fine" | 'so "so"';
  /** Records whose `mood` is less than the value. */
  readonly "mood.lt"?: "calm" | "it's fine" | 'so "so"';
  /** Records whose `mood` is less than the value or equal to it. */
  readonly "mood.lte"?: "calm" | "it's fine" | 'so "so"';
  /** Records whose `mood` contains the text. */
  readonly "mood.like"?: string;
  /** Records whose `mood` contains the text in upper or lower case. */
  readonly "mood.ilike"?: string;
  /** Records whose `mood` is one of the comma-separated values. */
  readonly "mood.in"?: readonly ("calm" | "it's fine" | 'so "so"')[];
  /** Records whose `mood` is none of the comma-separated values, or is not set. */
  readonly "mood.nin"?: readonly ("calm" | "it's fine" | 'so "so"')[];
  /** Records whose `mood` is not set; with `false`, those where it is. */
  readonly "mood.null"?: boolean;
  /** Records whose `rating` equals the value. */
  readonly rating?: number;
  /** Records whose `rating` differs from the value, or is not set. */
  readonly "rating.ne"?: number;
  /** Records whose `rating` is greater than the value. */
  readonly "rating.gt"?: number;
  /** Records whose `rating` is greater than the value or equal to it. */
  readonly "rating.gte"?: number;
  /** Records whose `rating` is less than the value. */
  readonly "rating.lt"?: number;
  /** Records whose `rating` is less than the value or equal to it. */
  readonly "rating.lte"?: number;
  /** Records whose `rating` is one of the comma-separated values. */
  readonly "rating.in"?: readonly number[];
  /** Records whose `rating` is none of the comma-separated values, or is not set. */
  readonly "rating.nin"?: readonly number[];
  /** Records whose `rating` is not set; with `false`, those where it is. */
  readonly "rating.null"?: boolean;
  /** Records whose `meta` equals the value. */
  readonly meta?: string;
  /** Records whose `meta` differs from the value, or is not set. */
  readonly "meta.ne"?: string;
  /** Records whose `meta` is greater than the value. */
  readonly "meta.gt"?: string;
  /** Records whose `meta` is greater than the value or equal to it. */
  readonly "meta.gte"?: string;
  /** Records whose `meta` is less than the value. */
  readonly "meta.lt"?: string;
  /** Records whose `meta` is less than the value or equal to it. */
  readonly "meta.lte"?: string;
  /** Records whose `meta` contains the text. */
  readonly "meta.like"?: string;
  /** Records whose `meta` is one of the comma-separated values. */
  readonly "meta.in"?: readonly string[];
  /** Records whose `meta` is none of the comma-separated values, or is not set. */
  readonly "meta.nin"?: readonly string[];
  /** Records whose `meta` is not set; with `false`, those where it is. */
  readonly "meta.null"?: boolean;
  /** Records whose `writtenAt` equals the value. */
  readonly writtenAt?: string;
  /** Records whose `writtenAt` differs from the value, or is not set. */
  readonly "writtenAt.ne"?: string;
  /** Records whose `writtenAt` is greater than the value. */
  readonly "writtenAt.gt"?: string;
  /** Records whose `writtenAt` is greater than the value or equal to it. */
  readonly "writtenAt.gte"?: string;
  /** Records whose `writtenAt` is less than the value. */
  readonly "writtenAt.lt"?: string;
  /** Records whose `writtenAt` is less than the value or equal to it. */
  readonly "writtenAt.lte"?: string;
  /** Records whose `writtenAt` contains the text. */
  readonly "writtenAt.like"?: string;
  /** Records whose `writtenAt` is one of the comma-separated values. */
  readonly "writtenAt.in"?: readonly string[];
  /** Records whose `writtenAt` is none of the comma-separated values, or is not set. */
  readonly "writtenAt.nin"?: readonly string[];
  /** Records whose `writtenAt` is not set; with `false`, those where it is. */
  readonly "writtenAt.null"?: boolean;
  /** Records whose `revision` equals the value. */
  readonly revision?: number;
  /** Records whose `revision` differs from the value, or is not set. */
  readonly "revision.ne"?: number;
  /** Records whose `revision` is greater than the value. */
  readonly "revision.gt"?: number;
  /** Records whose `revision` is greater than the value or equal to it. */
  readonly "revision.gte"?: number;
  /** Records whose `revision` is less than the value. */
  readonly "revision.lt"?: number;
  /** Records whose `revision` is less than the value or equal to it. */
  readonly "revision.lte"?: number;
  /** Records whose `revision` is one of the comma-separated values. */
  readonly "revision.in"?: readonly number[];
  /** Records whose `revision` is none of the comma-separated values, or is not set. */
  readonly "revision.nin"?: readonly number[];
  /** Records whose `revision` is not set; with `false`, those where it is. */
  readonly "revision.null"?: boolean;
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

export interface NotesReadQuery {
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly (
    | "id"
    | "organizationId"
    | "ownerId"
    | "notebookId"
    | "body"
    | "mood"
    | "rating"
    | "meta"
    | "writtenAt"
    | "revision"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
  )[];
  /** What is answered along in `included`, comma-separated: targets of foreign keys, each of which must be among the fields answered. */
  readonly include?: readonly "notebookId"[];
  /** Columns of what `notebookId` names, comma-separated; needs `include` to name `notebookId`. */
  readonly "fields[notebookId]"?: readonly (
    | "id"
    | "organizationId"
    | "title"
    | "isArchived"
    | "coverUrl"
    | "createdAt"
    | "createdBy"
    | "modifiedAt"
    | "modifiedBy"
    | "deletedAt"
    | "deletedBy"
  )[];
}

export interface Notes_RecentPageQuery {
  /** Records on a page, 1 to 100; a whole number outside is moved to the nearer end. */
  readonly limit?: number;
  /** Records to skip before the page. */
  readonly offset?: number;
  /** Fields to sort by, comma-separated, the first one first, none twice; a minus sign descends. */
  readonly sort?: readonly ("writtenAt" | "-writtenAt")[];
  /** Direction of a single `sort` field without a minus sign, or of the default sort. Ignored when `sort` names several fields or carries a minus sign. */
  readonly order?: "asc" | "desc";
  /** Columns to answer with, comma-separated; without it, all that are listed. Unknown names are ignored; when none is left, all columns answer. */
  readonly fields?: readonly ("id" | "body" | "writtenAt")[];
  /** Whether to count all matching records into `total` and `totalPages`. */
  readonly total?: boolean;
  /** Records that contain the text, whatever its case, in one of `body`. Masked columns are passed over. */
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
  /** Records whose `writtenAt` equals the value. */
  readonly writtenAt?: string;
  /** Records whose `writtenAt` differs from the value, or is not set. */
  readonly "writtenAt.ne"?: string;
  /** Records whose `writtenAt` is greater than the value. */
  readonly "writtenAt.gt"?: string;
  /** Records whose `writtenAt` is greater than the value or equal to it. */
  readonly "writtenAt.gte"?: string;
  /** Records whose `writtenAt` is less than the value. */
  readonly "writtenAt.lt"?: string;
  /** Records whose `writtenAt` is less than the value or equal to it. */
  readonly "writtenAt.lte"?: string;
  /** Records whose `writtenAt` contains the text. */
  readonly "writtenAt.like"?: string;
  /** Records whose `writtenAt` is one of the comma-separated values. */
  readonly "writtenAt.in"?: readonly string[];
  /** Records whose `writtenAt` is none of the comma-separated values, or is not set. */
  readonly "writtenAt.nin"?: readonly string[];
  /** Records whose `writtenAt` is not set; with `false`, those where it is. */
  readonly "writtenAt.null"?: boolean;
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
    readonly notebooks: {
      readonly name: "notebooks";
      readonly id: string;
      readonly list: {
        readonly query: NotebooksPageQuery;
        readonly answer: NotebooksPage;
      };
      readonly get: {
        readonly query: NotebooksReadQuery;
        readonly answer: NotebooksRecord;
      };
      readonly create: {
        readonly query: Record<string, never>;
        readonly body: NotebooksCreate;
        readonly answer: NotebooksRecord;
      };
      readonly update: {
        readonly query: Record<string, never>;
        readonly body: NotebooksUpdate;
        readonly answer: NotebooksRecord;
      };
      readonly delete: {
        readonly query: Record<string, never>;
        readonly answer: Deleted;
      };
      readonly upsert: never;
      readonly batchCreate: {
        readonly query: Record<string, never>;
        readonly body: NotebooksCreateBatch;
        readonly answer: NotebooksWriteResults;
      };
      readonly batchUpdate: {
        readonly query: Record<string, never>;
        readonly body: NotebooksUpdateBatch;
        readonly answer: NotebooksWriteResults;
      };
      readonly batchDelete: {
        readonly query: Record<string, never>;
        readonly body: NotebooksDeleteBatch;
        readonly answer: NotebooksDeleteResults;
      };
      readonly batchUpsert: never;
      readonly views: Record<never, never>;
      readonly actions: Record<never, never>;
      readonly bulkActions: Record<never, never>;
    };
    readonly notes: {
      readonly name: "notes";
      readonly id: string;
      readonly list: {
        readonly query: NotesPageQuery;
        readonly answer: NotesPage;
      };
      readonly get: {
        readonly query: NotesReadQuery;
        readonly answer: NotesRead;
      };
      readonly create: {
        readonly query: Record<string, never>;
        readonly body: NotesCreate;
        readonly answer: NotesRecord;
      };
      readonly update: {
        readonly query: Record<string, never>;
        readonly body: NotesUpdate;
        readonly answer: NotesRecord;
      };
      readonly delete: {
        readonly query: Record<string, never>;
        readonly answer: Deleted;
      };
      readonly upsert: never;
      readonly batchCreate: {
        readonly query: Record<string, never>;
        readonly body: NotesCreateBatch;
        readonly answer: NotesWriteResults;
      };
      readonly batchUpdate: {
        readonly query: Record<string, never>;
        readonly body: NotesUpdateBatch;
        readonly answer: NotesWriteResults;
      };
      readonly batchDelete: {
        readonly query: Record<string, never>;
        readonly body: NotesDeleteBatch;
        readonly answer: NotesDeleteResults;
      };
      readonly batchUpsert: never;
      readonly views: {
        readonly recent: {
          readonly query: Notes_RecentPageQuery;
          readonly answer: Notes_RecentPage;
        };
      };
      readonly actions: Record<never, never>;
      readonly bulkActions: Record<never, never>;
    };
  };
  readonly actions: Record<never, never>;
  readonly changeset: never;
  readonly frames: Record<never, never>;
}
