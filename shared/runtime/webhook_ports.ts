/** Ports of webhooks and push messages, besides those that every API needs (contract 4.5, 4.6, 8.2; RFC 8291, 8292). */
import type { QueueName } from "../model/mod.ts";

export { QUEUE_NAMES, type QueueName } from "../model/mod.ts";

/** Answers of a trusted resolver for a name, to both questions, A and AAAA. */
export interface Resolution {
  /** Every address of every answer, in plain notation. */
  readonly addresses: readonly string[];
  /** False when the name does not exist at all. */
  readonly exists: boolean;
  /** The reason to distrust the answer: an error, a timeout, a malformed answer, too many records; null: none. */
  readonly failure: string | null;
}

export interface Resolver {
  /** Resolves a name. Never throws: a failure is part of the answer. */
  resolve(name: string): Promise<Resolution>;
}

export interface DialRequest {
  readonly url: string;
  /** Address to connect to, whatever the name in the URL resolves to now. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  /** Maximum bytes of the answer's body that are read. */
  readonly maxBytes: number;
}

export type DialOutcome =
  | {
    readonly kind: "answered";
    readonly status: number;
    readonly location: string | null;
    /** `Retry-After`, as it was sent. */
    readonly retryAfter: string | null;
    /** The body up to `maxBytes`; neither decoded nor followed. */
    readonly body: string;
  }
  | { readonly kind: "failed"; readonly reason: string };

export interface Dialer {
  /** Sends a request. It never throws and never follows a redirect. */
  post(request: DialRequest): Promise<DialOutcome>;
}

/** Encrypts the signing secrets of endpoints for the database, and kept answers that contain a secret. */
export interface SecretBox {
  /** Encrypts a secret for this id only: the id of an endpoint, or of a kept answer. */
  seal(id: string, secret: string): Promise<string>;
  /** Decrypts a secret; null when it was encrypted under another key or for another id. */
  open(id: string, text: string): Promise<string | null>;
  /**
   * Encrypts a text of the previous secret anew; null: it was not of the previous secret. Absent: there is no previous secret.
   */
  renew?(id: string, text: string): Promise<string | null>;
}

/** A browser's subscription: address and keys. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

interface SealedPush {
  /** Headers that name the sender and the encryption. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface PushSealer {
  /** Encrypts a payload for this subscriber only; null: the subscription's keys are malformed. */
  seal(target: PushTarget, payload: string): Promise<SealedPush | null>;
}

/** The operator's service that turns texts into vectors. */
export interface Embeddings {
  /**
   * Returns the vector of a text. Throws `EmbeddingsUnavailableError` where the service is unreachable, refuses, or answers
   * something else.
   */
  embed(text: string): Promise<readonly number[]>;
}

export interface WebhookPorts {
  readonly queue: Queue;
  readonly secrets: SecretBox;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  /** Required by projects with push messages; no other project uses it. */
  readonly push?: PushSealer;
  /** Required for vectors that are made from texts; absent: such vectors wait. */
  readonly embeddings?: Embeddings;
  /** Variables of the process: secrets of providers, and variables that handlers read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A new job for a durable queue with a lease per job (contract 8). Adapters implement the queue, and
 * `tests/support/queue_suite.ts` tests them.
 */

export interface NewJob {
  /** Id that is unique in the queue for as long as the queue knows the job, dead ones included. */
  readonly id: string;
  readonly payload: string;
  /** Milliseconds since the epoch before which the job is not handed out. */
  readonly dueAt: number;
}

/** A job that one worker has until its lease ends. */
export interface Lease {
  readonly queue: QueueName;
  readonly id: string;
  readonly payload: string;
  /** Attempts with this one: counted when handed out, so that a job that kills its worker is counted too. */
  readonly attempts: number;
  /** Proves the lease; it is void once the job was handed out again. */
  readonly token: string;
}

export interface DeadJob {
  readonly id: string;
  readonly payload: string;
  readonly attempts: number;
  readonly reason: string;
}

export interface ClaimOptions {
  readonly limit: number;
  /** Milliseconds until the job is handed out again, unless the lease is renewed or ended before. */
  readonly lease: number;
  /** Longest milliseconds by which a job is postponed: a job due later was postponed by a clock that has gone back since. */
  readonly longestWait: number;
  /** Payloads that the claimer cannot take. A queue that cannot read its jobs may hand them out all the same. */
  readonly except?: readonly string[];
}

/** A durable queue. Methods that take a lease return false, and change nothing, when the lease has ended. */
export interface Queue {
  /** True when its jobs are rows of the API's own database. */
  readonly isInDatabase?: true;
  /** Adds jobs. A job whose id the queue knows is left as it is. */
  add(queue: QueueName, jobs: readonly NewJob[]): Promise<void>;
  /** Hands out the jobs longest due, in any order, each to one worker only. */
  claim(queue: QueueName, options: ClaimOptions): Promise<readonly Lease[]>;
  renew(lease: Lease, milliseconds: number): Promise<boolean>;
  /** Ends the job and forgets it. */
  complete(lease: Lease): Promise<boolean>;
  /** Hands the job out again from `dueAt` on. */
  retry(lease: Lease, dueAt: number): Promise<boolean>;
  /** Keeps the job as a dead letter. */
  bury(lease: Lease, reason: string): Promise<boolean>;
  /** Returns the newest dead letters. */
  dead(queue: QueueName, limit: number): Promise<readonly DeadJob[]>;
  /** Forgets dead letters from before a time, in milliseconds since the epoch: some thousands at a time. */
  forget(queue: QueueName, deadBefore: number): Promise<void>;
}
