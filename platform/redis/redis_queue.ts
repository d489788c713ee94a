/**
 * The queue of several instances in one Redis (contract 8, definitions 8 `REDIS_URL`), kept by BullMQ: a lease is the lock
 * of one of its jobs, under a token of its own. Rows in the database stay the outbox: Redis may forget what it was told.
 */
// Before BullMQ, whose dependency it is: the version pinned here is then the one that BullMQ gets. Newer ones name packages
// for platforms that not every registry has.
import type {} from "msgpackr-extract";
import type { Job, Queue as JobQueue, QueueBaseOptions, Worker } from "bullmq";
import type { RedisClientType } from "redis";
import type { Clock, Lease, Logger, NewJob, Queue, QueueName } from "../../shared/runtime/ports.ts";

interface RedisQueueOptions {
  readonly client: RedisClientType;
  /** Tells the jobs of this API from those of every other in the same Redis. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RedisQueue extends Queue {
  /** Stops looking for leases that have ended; the connection stays open. */
  close(): Promise<void>;
}

/** Dead letters that are kept; their deliveries and events stay in the database. */
const DEAD_MAX = 10_000;
const FORGOTTEN_AT_ONCE = 1000;
/** A job whose workers die is handed out again for ever: its attempts are counted by whoever processes it. */
const STALLED_MAX = Number.MAX_SAFE_INTEGER;

/** Codes of BullMQ for a lease that is over: no such job, no lock, no longer active, somebody else's lock. */
const LEASE_IS_OVER: readonly unknown[] = [-1, -2, -3, -6];

type Library = typeof import("bullmq");

interface Handles {
  readonly library: Library;
  readonly client: RedisClientType;
  readonly prefix: string;
  readonly logger: Logger;
  readonly queues: Map<QueueName, JobQueue<string>>;
  /** One for each queue and length of a lease, which a worker of BullMQ has only one of. */
  readonly workers: Map<string, Worker<string>>;
}

/** Loads BullMQ when the first job comes: an API without webhooks never does. */
export function redisQueue(options: RedisQueueOptions): RedisQueue {
  const { clock } = options;
  let opening: Promise<Handles> | null = null;
  const handles = () => opening ??= open(options);
  /** Spares a look at Redis to whoever gives back the lease that was handed out here. */
  const held = new WeakMap<Lease, Job<string>>();
  const jobOf = async (lease: Lease) => held.get(lease) ?? await jobFor(await handles(), lease);
  const ended = async (lease: Lease, end: (job: Job<string>) => Promise<unknown>) => {
    const job = await jobOf(lease);
    return job !== undefined && await isDone(() => end(job));
  };
  return {
    async add(name, jobs) {
      if (jobs.length === 0) return;
      const queue = queueOf(await handles(), name);
      const now = clock.now();
      // Not in bulk: BullMQ's bulk command fails for ever once Redis was restarted and has lost its scripts.
      await Promise.all(
        // BullMQ hands out what came first.
        jobs.toSorted((a, b) => a.dueAt - b.dueAt).map((job) =>
          queue.add(name, job.payload, optionsOf(job, now))
        ),
      );
    },
    async claim(name, { limit, lease }) {
      const worker = await workerOf(await handles(), name, lease);
      const leases: Lease[] = [];
      while (leases.length < limit) {
        const token = crypto.randomUUID();
        const job = await worker.getNextJob(token, { block: false });
        if (!job?.id) break;
        const taken = { queue: name, id: job.id, payload: job.data, token };
        const claimed: Lease = { ...taken, attempts: job.attemptsStarted };
        held.set(claimed, job);
        leases.push(claimed);
      }
      return leases;
    },
    async renew(lease, milliseconds) {
      const job = await jobOf(lease);
      return job !== undefined && await job.extendLock(lease.token, milliseconds) === 1;
    },
    complete: (lease) => ended(lease, (job) => job.moveToCompleted(null, lease.token, false)),
    retry: (lease, dueAt) => ended(lease, (job) => job.moveToDelayed(dueAt, lease.token)),
    bury: (lease, reason) =>
      ended(lease, (job) => job.moveToFailed(new Error(reason), lease.token, false)),
    async dead(name, limit) {
      const jobs = await queueOf(await handles(), name).getFailed(0, limit - 1);
      return jobs.map((job: Job<string>) => ({
        id: job.id ?? "",
        payload: job.data,
        attempts: job.attemptsStarted,
        reason: job.failedReason,
      }));
    },
    async forget(name, deadBefore) {
      const age = Math.max(0, clock.now() - deadBefore);
      await queueOf(await handles(), name).clean(age, FORGOTTEN_AT_ONCE, "failed");
    },
    async close() {
      if (opening === null) return;
      const { queues, workers } = await opening;
      // At once: whoever closes the queue has waited for its jobs, and Redis may be gone.
      for (const worker of workers.values()) await worker.close(true);
      for (const queue of queues.values()) await queue.close();
    },
  };
}

function optionsOf({ id, dueAt }: NewJob, now: number) {
  return {
    jobId: id,
    delay: Math.max(0, dueAt - now),
    removeOnComplete: true,
    removeOnFail: { count: DEAD_MAX },
  };
}

async function open({ client, name, logger }: RedisQueueOptions): Promise<Handles> {
  await import("msgpackr-extract");
  const library = await import("bullmq");
  const prefix = `quickback:${name}`;
  return { library, client, prefix, logger, queues: new Map(), workers: new Map() };
}

function jobFor(handles: Handles, { queue, id }: Lease): Promise<Job<string> | undefined> {
  return handles.library.Job.fromId<string>(queueOf(handles, queue), id);
}

const logged = (logger: Logger) => (error: Error) =>
  logger.log({ level: "error", message: "Redis queue", error });

function queueOf(
  { library, client, prefix, logger, queues }: Handles,
  name: QueueName,
): JobQueue<string> {
  const known = queues.get(name);
  if (known) return known;
  const connection = library.createNodeRedisClient(client);
  const queue = new library.Queue<string>(name, { connection, prefix });
  queue.on("error", logged(logger));
  queues.set(name, queue);
  return queue;
}

async function workerOf(
  { library, client, prefix, logger, workers }: Handles,
  name: QueueName,
  lease: number,
): Promise<Worker<string>> {
  const key = `${name} ${lease}`;
  const known = workers.get(key);
  if (known) return known;
  const options = {
    connection: library.createNodeRedisClient(client),
    prefix,
    autorun: false,
    lockDuration: lease,
    // A lease that has ended is noticed at the second look.
    stalledInterval: lease / 2,
    maxStalledCount: STALLED_MAX,
  };
  // Without BullMQ's second connection, for waiting: jobs are asked for, and what befalls that connection while it is
  // closed is an error that nobody can catch.
  const worker = new library.Worker<string>(
    name,
    null,
    options,
    (queue: string, backendOptions: QueueBaseOptions) =>
      library.createRedisBackend(queue, backendOptions),
  );
  worker.on("error", logged(logger));
  workers.set(key, worker);
  await worker.startStalledCheckTimer();
  return worker;
}

/** False when the lease is over; what Redis itself fails at is thrown. */
async function isDone(end: () => Promise<unknown>): Promise<boolean> {
  try {
    await end();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && LEASE_IS_OVER.includes(error.code)) {
      return false;
    }
    throw error;
  }
}
