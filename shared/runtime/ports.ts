/** Ports of a generated API: its only way to the outside, since `shared/` itself performs no I/O. */
import type { RuntimeCode } from "../contract/mod.ts";
import type { Soon } from "../lib/soon.ts";
import type { JsonObject } from "../lib/json.ts";
import type { AfterAuthHook, BeforeAuthHook, LinkedMail, OutboxLabel } from "../model/mod.ts";
import type { Principal, SecurityKind } from "../model/mod.ts";
import type { Database, DatabaseCopy, RowQuota, Transaction } from "./database_ports.ts";
import type { FilePorts } from "./file_ports.ts";
import type { MemberWatch } from "./member_ports.ts";
import type { RealtimePorts, Upgraded } from "./realtime_ports.ts";
import type { TenantDatabases } from "./tenant_ports.ts";
import type { WebhookPorts } from "./webhook_ports.ts";
import type { Timer } from "./timer.ts";
export { type Baseline, ConstraintError, type ConstraintKind } from "./database_ports.ts";
export type { CopyState, Database, DatabaseCopy } from "./database_ports.ts";
export { DatabaseUnavailableError, type DataStep, type DataStepCode } from "./database_ports.ts";
export { type Migration, MigrationError, type MigrationStep } from "./database_ports.ts";
export type { Positions, Reader, ResultSet, RowQuota, SqlValue } from "./database_ports.ts";
export { type Statement, StatementTimeoutError, StoredMisfitError } from "./database_ports.ts";
export { type Transaction, type TransactionLine, UnstorableTextError } from "./database_ports.ts";
export type { WriteOptions, WriteOutcome } from "./database_ports.ts";
export type { AddressedRequest, AddressedUse, ByteRange, FileAddresses } from "./file_ports.ts";
export { type FilePorts, type FileStore, type FileWrite, FormError } from "./file_ports.ts";
export type { FormFile, GivenAddress, PendingUpload } from "./file_ports.ts";
export { PUBLIC_FILES, type StorageBound, StorageFullError } from "./file_ports.ts";
export { StorageUnavailableError, type StoredObject, tenantOfKey } from "./file_ports.ts";
export type { UnaddressedFiles, UnreferredFiles, UnreferredPool } from "./file_ports.ts";
export type { MemberWatch, ReleasedMember } from "./member_ports.ts";
export type { EventListener, PublishedEvent, PubSub, RealtimePorts } from "./realtime_ports.ts";
export type { ServerSocket, Upgraded } from "./realtime_ports.ts";
export type { AuditCommand, AuditOutcome, BrokenLink, ChainVerdict } from "./tenant_ports.ts";
export type { ExportFiles, ExportPlace, Founding, TenantCommand } from "./tenant_ports.ts";
export type { TenantDatabases, TenantReport, TenantStore, WorkingTenant } from "./tenant_ports.ts";
export type { Timer } from "./timer.ts";
export type { ClaimOptions, DeadJob, Dialer, DialOutcome, DialRequest } from "./webhook_ports.ts";
export type { Embeddings, Lease, NewJob, PushSealer, PushTarget, Queue } from "./webhook_ports.ts";
export { QUEUE_NAMES, type QueueName, type Resolution, type Resolver } from "./webhook_ports.ts";
export type { SecretBox, WebhookPorts } from "./webhook_ports.ts";

export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number;
}

export interface Randomness {
  /** Returns cryptographically strong random bytes. */
  bytes(length: number): Uint8Array;
}

export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly requestId?: string;
  /** Error for the server's log only; never part of an answer. */
  readonly error?: unknown;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface Logger {
  log(entry: LogEntry): void;
}

/** The counts of one instance, for callers with the token (definitions 8, `METRICS_TOKEN`). */
export interface Metrics {
  /** Token of `Authorization: Bearer`. */
  readonly token: string;
  readonly mediaType: string;
  /** Returns all counts as text, with these figures; null: the database did not answer. */
  text(figures: Figures | null): Promise<string>;
}

/** Figures of an API's database at one moment. */
export interface Figures {
  /** Counts of migrations; null: the host does not know the project's. */
  readonly migrations: { readonly applied: number; readonly pending: number } | null;
  readonly outboxes: readonly OutboxFigures[];
}

export interface OutboxFigures {
  readonly outbox: OutboxLabel;
  /** Count of rows that are not settled. */
  readonly waiting: number;
  /** Age of the oldest of them, in seconds; 0 without any. */
  readonly oldestSeconds: number;
  /** Seconds since the first of their attempts was due; 0 where none is. */
  readonly overdueSeconds: number;
  /** Count of rows that failed for good and are kept; null: none is kept. */
  readonly dead: number | null;
}

/** Counts hits in windows of `period` seconds (contract 8.1). */
export interface RateLimiter {
  /** Counts a hit; false when `limit` hits are used up. */
  take(key: string, limit: number, period: number): Soon<boolean>;
  /** Counts a hit that can be given back; null when `limit` hits are used up. */
  lend(key: string, limit: number, period: number): Promise<LentHit | null>;
}

export interface LentHit {
  /** Uncounts this hit, and none of another window. It never throws: on a failure the hit stays counted. */
  giveBack(): Promise<void>;
}

/** Result of verifying a credential. */
export type CredentialVerdict =
  | { readonly kind: "principal"; readonly principal: Principal }
  | {
    readonly kind: "refused";
    /** `FIREWALL_ORG_ISOLATION`: the credential's organization was deleted. */
    readonly code:
      | "AUTH_INVALID_TOKEN"
      | "AUTH_EXPIRED"
      | "RATE_LIMITED"
      | "FIREWALL_ORG_ISOLATION";
  };

/** A revoked token, until no such token can be valid any more. */
export interface Revocation {
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Sends revocations, which are in the database already, to other processes at once; it may lose some (contract 5.2). */
export interface RevocationFeed {
  /** Sends a revocation. Never throws. */
  tell(revocation: Revocation): Promise<void>;
  listen(heard: (revocation: Revocation) => void): void;
}

/** Accounts, sessions and organizations, kept by a library and loaded on first use. */
export interface Accounts {
  /** Returns the principal of a session cookie; null when there is no valid session. */
  session(headers: Headers): Promise<Principal | null>;
  /** Returns the address, in lower case, of the account of a session cookie; null when there is no valid session. */
  accountOf(headers: Headers): Promise<string | null>;
  /** Returns the id of the account whose second factor these cookies require; null: there is none. */
  challenged(headers: Headers): Promise<string | null>;
  /** True when the request carries this library's session cookie at all. */
  hasSessionCookie(headers: Headers): boolean;
  /** Verifies an API key; counts the call when the key has a limit of its own. */
  apiKey(key: string): Promise<CredentialVerdict>;
  /**
   * Returns a user's grant to a client, with the user's present rights; null: there is no such grant or user, or the user is no
   * longer a member of its organization.
   */
  clientGrant(grantId: string): Promise<ClientGrant | null>;
  /** The log of accounts; absent: none is kept. */
  readonly securityLog?: SecurityLog;
  /** Checks credentials of answers that outlive their request. */
  readonly standing: StandingAccounts;
  /** Returns the project roles of a user in an organization; null when the user does not belong to it. */
  rolesIn(organizationId: string, userId: string): Promise<readonly string[] | null>;
  /** Returns the user of a session cookie; null when there is no valid session. */
  signedIn(headers: Headers): Promise<SignedIn | null>;
  /** True for the password of the session's user. */
  isOwnPassword(headers: Headers, password: string): Promise<boolean>;
  readonly endOrganization: EndOrganization;
  /** Takes the clock that issues tokens, and reports when tokens are about to end. Absent: nothing here ends any. */
  watchTokens?(watch: TokenWatch): void;
  /** Takes the functions that release members from rows. Absent: no account leaves an organization here. */
  watchMembers?(watch: MemberWatch): void;
  /** Returns the purpose of a message's link; null: its token is unknown, used or expired. Changes nothing. */
  mailedLink(path: string, token: string): Promise<MailedLink | null>;
  /** Carries out a message's link. Returns a code where the request is refused; the link is then still valid. */
  followLink(asked: FollowedLink, connection?: Connection): Promise<Response | RuntimeCode>;
  /** Reports the deletion of an organization to the project's hooks. */
  organizationDeleted(subject: AuthHookSubject): Promise<void>;
  /** Serves the auth routes. The URL's path begins with the auth base or its alias. */
  handle(request: Request, connection?: Connection): Promise<Response>;
}

/** Origin of an act on an account. */
export interface RequestOrigin {
  readonly clientIp: string | null;
  /** The program's own name for itself. */
  readonly userAgent: string | null;
  /** Languages by `Accept-Language`. */
  readonly languages: string | null;
}

/** An event of an account (docs/decisions/accounts.md, "Security events"). */
export interface SecurityEvent {
  readonly userId: string;
  readonly kind: SecurityKind;
  readonly details: JsonObject;
  /** Origin of the act; null: unknown, or of another person than the account's holder. */
  readonly origin: RequestOrigin | null;
  /** True when the account's holder is notified by mail, where notices are sent. */
  readonly notifies: boolean;
}

/** The log of accounts. */
export interface SecurityLog {
  /** Writes an event in the transaction of the act. Call the result after the commit: it sends the notice, if any. */
  record(transaction: Transaction, event: SecurityEvent): Promise<() => void>;
  /** Writes a failed sign-in: of an address, known or not, or after a first factor. Never throws. */
  recordFailure(failed: {
    readonly of: { readonly email: string } | { readonly userId: string };
    readonly details: JsonObject;
    readonly origin: RequestOrigin;
  }): Promise<void>;
}

/** Kinds of credentials that the accounts look up, each under an id by which it is found again. */
export type AccountCredentials = Readonly<
  Record<"sessions" | "apiKeys" | "grants", readonly string[]>
>;

/** The credentials that are still valid, by their ids, with their callers' present rights. */
export interface StandingCredentials {
  readonly sessions: ReadonlyMap<string, Principal>;
  readonly apiKeys: ReadonlyMap<string, Principal>;
  readonly grants: ReadonlyMap<string, ClientGrant>;
}

export interface StandingAccounts {
  /** Returns the id of a session cookie's session; null: the cookie is not this library's. */
  sessionId(headers: Headers): Promise<string | null>;
  apiKeyId(key: string): Promise<string>;
  /** Checks all of them at once, on one snapshot; no use of a key is counted. */
  among(credentials: AccountCredentials): Promise<StandingCredentials>;
}

/** Ends, in the transaction that deletes an organization, all credentials that act in it. */
export type EndOrganization = (transaction: Transaction, organizationId: string) => Promise<void>;

export interface TokenWatch {
  readonly clock: Clock;
  /** Runs before the transaction that ends tokens is committed. */
  onEnding(): void;
}

/** A user who has signed in, with the rights that the session may hand on. */
export interface SignedIn {
  readonly user: AuthHookSubject["user"];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sessionId: string;
  /** Returns the code of the refusal where the session may not let a program act for the account; null: it may. */
  refusalOf(asked: { readonly platformRole: boolean }): Promise<RuntimeCode | null>;
}

/** The purpose of a message's link, for its page. */
export interface MailedLink {
  readonly act: LinkedMail;
  /** Address of the account, or the invited one. */
  readonly email: string;
  /** False: the link makes an account. */
  readonly hasAccount: boolean;
  /** Time as ISO 8601. */
  readonly requestedAt: string;
  /** The new address of the account. */
  readonly newEmail?: string;
  /** Name of the inviting organization. */
  readonly organization?: string;
}

/** A use of a message's link. */
export interface FollowedLink {
  /** Path below the auth base; `:token` is a placeholder for the token. */
  readonly path: string;
  /** Token of the link; null: an invitation is accepted by its id. */
  readonly token: string | null;
  readonly invitationId: string | null;
  /** Password of the account; null: none was sent. */
  readonly password: string | null;
  readonly newPassword: string | null;
  /** True for "I did not make this account". */
  readonly takeOver: boolean;
  readonly headers: Headers;
}

/** A user's grant to an OAuth client. */
export interface ClientGrant {
  readonly clientId: string;
  /** Names of scopes. */
  readonly scopes: readonly string[];
  /** The user in the grant's organization, with all their rights. */
  readonly principal: Principal;
}

/** Subject of an account hook. */
export interface AuthHookSubject {
  readonly user: { readonly id?: string; readonly email: string; readonly name: string };
  readonly organization?: { readonly id?: string; readonly name: string; readonly slug: string };
  readonly role?: string;
}

export interface AuthHookRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** The project's own code around accounts. None of these functions throws. */
export interface AuthHooks {
  /** Runs the hook before an event; null: the event goes on. */
  before(name: BeforeAuthHook, subject: AuthHookSubject): Promise<AuthHookRefusal | null>;
  after(name: AfterAuthHook, subject: AuthHookSubject): Promise<void>;
}

export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  /** The message as plain text. */
  readonly text: string;
  /** The message as HTML, for programs that show it. */
  readonly html?: string;
  /** Images that the HTML shows by `cid:` and their ids (RFC 2392). */
  readonly images?: readonly InlineImage[];
}

export interface InlineImage {
  readonly id: string;
  readonly type: string;
  /** Content in base64. */
  readonly data: string;
}

export interface EmailSender {
  send(message: EmailMessage): Promise<void>;
}

/** The files of an interactive browser of the description (contract 9.5). */
export interface DocsBrowser {
  script(): Promise<Uint8Array<ArrayBuffer>>;
  style(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Thrown when the embeddings service is unreachable, refuses, or answers something else. The message says no more. */
export class EmbeddingsUnavailableError extends Error {
  override readonly name = "EmbeddingsUnavailableError";
}

export interface Ports {
  readonly database: Database;
  /** Copy that answers reads in the database's place; null or absent: there is none. */
  readonly copy?: DatabaseCopy | null;
  /** Databases of organizations; null or absent: the one database has all rows. */
  readonly tenants?: TenantDatabases | null;
  readonly clock: Clock;
  readonly random: Randomness;
  /** Timer; absent: bodies may take as long as the host lets them. */
  readonly timer?: Timer;
  readonly logger: Logger;
  /** Processors of this process; absent: one. */
  readonly processors?: number;
  readonly accounts: Accounts | null;
  /** Limiter; null: limits are not enforced (contract 8.1.5). */
  readonly limiter: RateLimiter | null;
  /** Feed of revocations; absent: each process reads them from the database. */
  readonly revocations?: RevocationFeed;
  /** Required by projects that configure webhooks; no other project uses it. */
  readonly webhooks?: WebhookPorts;
  /** Required by projects with files; no other project uses it. */
  readonly files?: FilePorts | null;
  /** Required by projects with realtime; no other project uses it. */
  readonly realtime?: RealtimePorts;
  /** Quota of rows; null or absent: a tenant may have any number of rows. */
  readonly rowQuota?: RowQuota | null;
}

export interface Settings {
  /** Public origin without a trailing slash: issuer, audience and problem types. */
  readonly baseUrl: string;
  /** Secret of at least 32 bytes, for signatures and encryption. */
  readonly authSecret: Uint8Array;
  /**
   * The previous secret, which signs and seals nothing new: its signatures and seals are valid until they expire. Null or
   * absent: none.
   */
  readonly authSecretPrevious?: Uint8Array | null;
  readonly production: boolean;
  /** True: accounts send no message, whatever the project says (`EMAIL_PROVIDER=none`). */
  readonly isMailOff?: boolean;
  /** Returns a variable of the environment, such as `GITHUB_CLIENT_ID`; null where it is not set. Absent: there are none. */
  readonly variable?: (name: string) => string | null;
  /** Kind of the database's place; absent: a file of this machine. */
  readonly databaseMode?: "file" | "remote" | "replica";
  /** Maximum age, in milliseconds, of data that decides rights; absent: a second. 0: it is read each time. */
  readonly rightsMaxAgeMs?: number;
  /** Milliseconds that an action's code may take; null or absent: any time. */
  readonly actionTimeoutMs?: number | null;
  /** Milliseconds that all hooks of a request may take together; null or absent: any time. */
  readonly hookTimeoutMs?: number | null;
  /** True: bodies of a 500 contain the cause (contract 7.2). */
  readonly exposeErrorStack: boolean;
  /** Requests per minute from one address, by any caller; null or absent: any number. */
  readonly clientRateLimit?: number | null;
  /** Host names that requests may have; null: any well-formed one. */
  readonly allowedHosts: readonly string[] | null;
  /** Addresses of a development run; absent: the API does not run in development. */
  readonly devPlaces?: DevPlaces;
}

/** Addresses and paths of a run of `dev` that the API's front page names. */
export interface DevPlaces {
  /** Address of the playground, without its key. */
  readonly playground: string | null;
  /** Address of the project's own page. */
  readonly page: string | null;
  /** Path of the database's file. */
  readonly database: string | null;
}

/** The secrets of an API: the first one signs and seals, both verify and open. */
export type Secrets = Pick<Settings, "authSecret" | "authSecretPrevious">;

/** Facts about a connection from the platform. */
export interface Connection {
  /** Address from the platform or its trusted header, never from a header that a caller may set. */
  readonly clientIp: string | null;
  /** Makes the connection of this request a WebSocket; absent where the host cannot. */
  readonly upgrade?: () => Upgraded;
}
