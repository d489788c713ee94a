/** Ports of a generated API. The only way to the outside: `shared/` itself performs no I/O. */
import type { AfterAuthHook, BeforeAuthHook } from "../model/authored.ts";
import type { Principal } from "../model/principal.ts";
import { Refusal } from "./refusal.ts";
import type { WebhookPorts } from "./webhook_ports.ts";

export type * from "./webhook_ports.ts";

export type SqlValue = string | number | bigint | Uint8Array | null;

export interface Statement {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

export interface ResultSet {
  /** Cells in the order of the select list. Integers that fit are numbers. */
  readonly rows: readonly (readonly SqlValue[])[];
  /** Names of the cells, as SQLite makes them; empty for a statement without rows. */
  readonly columns?: readonly string[];
  /** Rows changed by an insert, update or delete, `RETURNING` or not. */
  readonly changes: number;
}

/** Runs statements. Outside a transaction only reads: a host may refuse or lose anything else. */
export interface Reader {
  run(statement: Statement): Promise<ResultSet>;
  /** In order, in one round trip where the driver has one, on one snapshot. */
  runAll(statements: readonly Statement[]): Promise<readonly ResultSet[]>;
}

/** A write transaction; nothing foreign is awaited while one is open. */
export interface Transaction extends Reader {
  readonly writable: true;
}

/** Names of what a constraint said, from the driver's error codes and never from its text alone. */
export type ConstraintKind = "unique" | "notNull" | "foreignKey" | "check" | "primaryKey";

/** Thrown by a driver for a refused write. */
export class ConstraintError extends Error {
  override readonly name = "ConstraintError";
  constructor(
    readonly kind: ConstraintKind,
    /** SQL names `table.column` or the index name, when the driver identified them. */
    readonly subjects: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`Constraint ${kind} refused the write`, options);
  }
}

/**
 * Thrown by a driver whose database cannot be used at the moment: locked by somebody else, full, out of reach, or no longer
 * the file that was opened. Anything else that a driver throws is an internal error.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
  constructor(
    message: string,
    /** Seconds after which another try may succeed. */
    readonly retryAfter: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Thrown where values are bound, for text that the database would cut: whoever sent it is refused with `VALIDATION_ERROR`,
 * whatever way it took to get there.
 */
export class UnstorableTextError extends Refusal {
  constructor() {
    super("VALIDATION_ERROR", {
      detail: "A text contains a NUL character",
      hint: "Send text without NUL characters",
    });
  }
}

export interface Database extends Reader {
  /** One writer at a time; commits when `body` resolves, rolls back when it throws. */
  write<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Changes the schema: all or nothing, foreign keys unenforced meanwhile, so that a rebuilt table fires no cascade.
   * Refused when it leaves a foreign key that points nowhere.
   */
  migrate(statements: readonly Statement[]): Promise<void>;
  close(): Promise<void>;
}

/** One entry of a migration journal with its SQL. */
export interface Migration {
  readonly tag: string;
  /** Counts up from entry to entry: separates applied migrations from new ones. */
  readonly when: number;
  /** Statements parted by `--> statement-breakpoint`. */
  readonly sql: string;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Randomness {
  /** Cryptographically strong. */
  bytes(length: number): Uint8Array;
}

export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly requestId?: string;
  /** For the server's log only; never part of an answer. */
  readonly error?: unknown;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface Logger {
  log(entry: LogEntry): void;
}

/** Counts hits in windows of `period` seconds (contract 8.1). */
export interface RateLimiter {
  /** Counts a hit; false when `limit` hits are used up. */
  take(key: string, limit: number, period: number): Promise<boolean>;
  /** Counts a hit that may be taken back; null when `limit` hits are used up. */
  lend(key: string, limit: number, period: number): Promise<LentHit | null>;
}

export interface LentHit {
  /** Uncounts this hit, and none of another window. Never throws: without it the hit stays counted. */
  giveBack(): Promise<void>;
}

/** Result of verifying a credential. */
export type CredentialVerdict =
  | { readonly kind: "principal"; readonly principal: Principal }
  | {
    readonly kind: "refused";
    readonly code: "AUTH_INVALID_TOKEN" | "AUTH_EXPIRED" | "RATE_LIMITED";
  };

/** A token that was taken back, until no token can live any more. */
export interface Revocation {
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Spreads what stands in the database already, to other processes at once; it may lose some (contract 5.2). */
export interface RevocationFeed {
  /** Never throws. */
  tell(revocation: Revocation): Promise<void>;
  listen(heard: (revocation: Revocation) => void): void;
}

/** Accounts, sessions and organizations, kept by a library and loaded on first use. */
export interface Accounts {
  /** The principal of a session cookie; null when there is no valid session. */
  session(headers: Headers): Promise<Principal | null>;
  /** The address, in lower case, of the account that a session cookie stands for; null when there is no valid session. */
  accountOf(headers: Headers): Promise<string | null>;
  /** True when the request carries this library's session cookie at all. */
  hasSessionCookie(headers: Headers): boolean;
  /** Verifies an API key; counts the call when the key has a limit of its own. */
  apiKey(key: string): Promise<CredentialVerdict>;
  /** The project roles of a user in an organization; null when they do not belong to it. */
  rolesIn(organizationId: string, userId: string): Promise<readonly string[] | null>;
  /** The user who signed in for a session cookie, and when (milliseconds since the epoch); null when there is no valid session. */
  signedIn(
    headers: Headers,
  ): Promise<{ readonly user: AuthHookSubject["user"]; readonly at: number } | null>;
  /** True for the password of the session's user. */
  isOwnPassword(headers: Headers, password: string): Promise<boolean>;
  /** Tells the project's hooks. */
  organizationDeleted(subject: AuthHookSubject): Promise<void>;
  /** Serves the auth routes. The URL's path begins with the auth base or its alias. */
  handle(request: Request, connection?: Connection): Promise<Response>;
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

/** The project's own code around accounts. Nothing here throws. */
export interface AuthHooks {
  /** Null: go on. */
  before(name: BeforeAuthHook, subject: AuthHookSubject): Promise<AuthHookRefusal | null>;
  after(name: AfterAuthHook, subject: AuthHookSubject): Promise<void>;
}

export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same for programs that show it. */
  readonly html?: string;
}

export interface EmailSender {
  send(message: EmailMessage): Promise<void>;
}

/** The files of an interactive browser of the description (contract 9.5). */
export interface DocsBrowser {
  script(): Promise<Uint8Array<ArrayBuffer>>;
  style(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface Ports {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  /** Absent: bodies may take as long as the host lets them. */
  readonly timer?: Timer;
  readonly logger: Logger;
  readonly accounts: Accounts | null;
  /** Null: limits are not enforced (contract 8.1.5). */
  readonly limiter: RateLimiter | null;
  /** Absent: each process reads revocations from the database. */
  readonly revocations?: RevocationFeed;
  /** Needed by projects that configure webhooks, and by no other. */
  readonly webhooks?: WebhookPorts;
  /** Needed by projects with realtime, and by no other. */
  readonly realtime?: RealtimePorts;
}

export interface Settings {
  /** Public origin without a trailing slash: issuer, audience and problem types. */
  readonly baseUrl: string;
  /** At least 32 bytes. */
  readonly authSecret: Uint8Array;
  readonly production: boolean;
  /** Contract 7.2: 500 bodies carry the cause. */
  readonly exposeErrorStack: boolean;
  /** Requests per minute from one address, whoever they are; null or absent: any number. */
  readonly clientRateLimit?: number | null;
  /** Host names that requests may carry; null: any well-formed one. */
  readonly allowedHosts: readonly string[] | null;
}

/** Facts about a connection from the platform. */
export interface Connection {
  /** From the platform or its trusted header, never from a header that a caller may set. */
  readonly clientIp: string | null;
  /** Makes the connection of this request a WebSocket; absent where the host cannot. */
  readonly upgrade?: () => Upgraded;
}

export interface Timer {
  /** Calls once, later; the function that it returns takes that back. */
  after(milliseconds: number, run: () => void): () => void;
}

/** One published message under its place in the order of all (contract 6.3; docs/decisions/realtime.md). */
export interface PublishedEvent {
  /** `<milliseconds>-<count>`: counts up, and means the same on every instance. */
  readonly id: string;
  readonly text: string;
}

export interface EventListener {
  event(event: PublishedEvent): void;
  /** Events were lost on the way to this instance. */
  gap(): void;
}

/** A log of events that all instances write and read; the last ones are kept. */
export interface PubSub {
  /** One after the other, in one step. */
  publish(texts: readonly string[]): Promise<void>;
  /** Everything that is published from now on, in order; resolves when it listens. */
  listen(listener: EventListener): Promise<() => void>;
  /** A place between what was published so far and what will be. */
  position(): Promise<string>;
  /** At most `limit` events after this place, in order; null: some of them may be gone, or the place is none of ours. */
  after(id: string, limit: number): Promise<readonly PublishedEvent[] | null>;
}

export interface RealtimePorts {
  readonly pubSub: PubSub;
  readonly timer: Timer;
}

/** A WebSocket that was just accepted. The platform's own satisfies it. */
export interface ServerSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Bytes that the network has not taken yet. */
  readonly bufferedAmount: number;
  addEventListener(type: "open" | "close" | "error" | "message", listener: () => void): void;
}

/** A connection that becomes a WebSocket: `response` is the answer to its request. */
export interface Upgraded {
  readonly response: Response;
  readonly socket: ServerSocket;
}
