/** A durable queue with a lease per job (contract 8): what adapters implement and `tests/support/queue_suite.ts` holds them to. */

/** Queues of the service. */
export type QueueName = "webhook-deliveries" | "webhook-events" | "push-messages";

export interface NewJob {
  /** Unique in the queue for as long as the queue knows the job, dead ones included. */
  readonly id: string;
  readonly payload: string;
  /** Milliseconds since the epoch; not handed out before. */
  readonly dueAt: number;
}

/** A job in the hands of one worker until its lease ends. */
export interface Lease {
  readonly queue: QueueName;
  readonly id: string;
  readonly payload: string;
  /** This one included: counted when handed out, so that a job that kills its worker is counted too. */
  readonly attempts: number;
  /** Proves the lease; void once the job was handed out again. */
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
  /** Milliseconds until the job is handed out again, unless renewed or ended before. */
  readonly lease: number;
  /** Milliseconds that a job is ever put off: one that is due later was put off by a clock that has gone back since. */
  readonly longestWait: number;
  /** Payloads that the claimer has no room for. A queue that cannot look into its jobs may hand them out all the same. */
  readonly except?: readonly string[];
}

/** A durable queue. Methods that take a lease answer false, and change nothing, when the lease is over. */
export interface Queue {
  /** A job whose id the queue knows is left as it is. */
  add(queue: QueueName, jobs: readonly NewJob[]): Promise<void>;
  /** The jobs longest due, in any order, each to one worker only. */
  claim(queue: QueueName, options: ClaimOptions): Promise<readonly Lease[]>;
  renew(lease: Lease, milliseconds: number): Promise<boolean>;
  /** The job is done and forgotten. */
  complete(lease: Lease): Promise<boolean>;
  /** Hands the job out again from then on. */
  retry(lease: Lease, dueAt: number): Promise<boolean>;
  /** Keeps the job as a dead letter. */
  bury(lease: Lease, reason: string): Promise<boolean>;
  /** The newest dead letters. */
  dead(queue: QueueName, limit: number): Promise<readonly DeadJob[]>;
  /** Forgets dead letters from before a time, in milliseconds since the epoch: some thousands at a time. */
  forget(queue: QueueName, deadBefore: number): Promise<void>;
}
