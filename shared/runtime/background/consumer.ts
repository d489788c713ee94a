/**
 * Works off one queue: claims due jobs, a few at a time, and renews their leases. It starts nothing by itself: the owner of a
 * timer calls `tick` (contract 8).
 */
import { QUEUE_BATCH_SIZE } from "../../contract/mod.ts";
import { hasPassed } from "../../lib/times.ts";
import type { Clock, Lease, Logger, Queue, QueueName } from "../ports.ts";

/** Outcome of a job. */
export type JobOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "again"; readonly dueAt: number }
  | { readonly kind: "dead"; readonly reason: string };

/** Places for concurrent work in one process, which several consumers share. */
export class Slots {
  #taken = 0;

  constructor(readonly all: number) {}

  get free(): number {
    return this.all - this.#taken;
  }

  /** Occupies a place until the work has ended. */
  async hold(work: Promise<void>): Promise<void> {
    this.#taken += 1;
    try {
      await work;
    } finally {
      this.#taken -= 1;
    }
  }
}

interface ConsumerOptions {
  readonly queue: Queue;
  readonly name: QueueName;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Most concurrent jobs. */
  readonly slots: number;
  /** Places shared by several consumers. Absent: the consumer has its own. */
  readonly shared?: Slots | undefined;
  /**
   * Places that one receiver (the payload names it) may always have. It may have more while half of the free places stay free
   * for others.
   */
  readonly slotsPerReceiver: number;
  /**
   * True when a receiver's limit applies only while others wait. With a single place receivers take turns. Only for the
   * database's queue.
   */
  readonly yields?: boolean;
  /** Milliseconds of a lease. Its holder renews it. */
  readonly lease: number;
  /** Longest delay in milliseconds that `process` may set. */
  readonly longestWait: number;
  /** Milliseconds after which a job is overdue. Absent: `process` itself ends it. */
  readonly patience?: number;
  /** Is called when a place becomes free. */
  readonly onFree?: (() => void) | undefined;
  /** Processes a job. It must end once the job is overdue; otherwise the job would hold its place and lease for ever. */
  process(lease: Lease, overdue: AbortSignal): Promise<JobOutcome>;
}

export interface Consumer {
  /** Starts due jobs and returns their number. */
  tick(): Promise<number>;
  /** True when no job is in progress. */
  readonly isAtRest: boolean;
  /** Resolves when no job is in progress. */
  settled(): Promise<void>;
}

/** Milliseconds of a lease. It is short, so that a dead worker's jobs continue soon. */
export const LEASE_MS = 10_000;
const POSTPONED_MS = 200;
const POSTPONED_MAX_MS = 5000;

interface Work {
  readonly lease: Lease;
  startedAt: number;
  readonly overdue: AbortController;
  readonly finished: Promise<void>;
  renewedAt: number;
}

export function createConsumer(options: ConsumerOptions): Consumer {
  const { queue, name, clock, slots, lease: milliseconds } = options;
  // A queue that cannot exclude receivers cannot tell if others wait.
  const yields = options.yields === true && queue.isInDatabase === true;
  const shared = options.shared ?? new Slots(slots);
  const longestWait = Math.max(options.longestWait, POSTPONED_MAX_MS);
  const underWay = new Map<string, Work>();
  /** Receiver of the last claimed job. */
  let last: string | null = null;
  const claim = (limit: number, except: readonly string[]) =>
    queue.claim(name, { limit, lease: milliseconds, longestWait, except });
  const start = (lease: Lease) => {
    last = lease.payload;
    const startedAt = clock.now();
    const overdue = new AbortController();
    const finished = shared.hold(work(options, lease, overdue.signal)).finally(() => {
      underWay.delete(lease.id);
      options.onFree?.();
    });
    underWay.set(lease.id, { lease, startedAt, overdue, finished, renewedAt: startedAt });
    return 1;
  };
  return {
    async tick() {
      await lookAfter(options, [...underWay.values()]);
      const limit = Math.min(QUEUE_BATCH_SIZE, slots - underWay.size, shared.free);
      if (limit <= 0) return 0;
      const full = receiversWithoutRoom(options, underWay);
      const except = yields && slots === 1 && last !== null ? [...full, last] : full;
      const leases = await claim(limit, except);
      const crowded: Lease[] = [];
      let started = 0;
      for (const lease of leases) {
        // The job is still in progress here. It was handed out again because its lease was lost.
        const hasRoom = !receiversWithoutRoom(options, underWay).includes(lease.payload);
        if (underWay.has(lease.id)) await postpone(options, lease);
        else if (hasRoom) started += start(lease);
        else crowded.push(lease);
      }
      if (!yields) {
        for (const lease of crowded) await postpone(options, lease);
        return leases.length;
      }
      // Other receivers come first. The rest is for those that already have their share.
      const others = crowded.length > 0 && started < limit
        ? await claim(limit - started, [...new Set(crowded.map(({ payload }) => payload))])
        : [];
      const left = limit - started - others.length - crowded.length;
      const more = except.length > 0 && left > 0 ? await claim(left, []) : [];
      for (const lease of [...others, ...crowded, ...more]) {
        if (underWay.has(lease.id)) await postpone(options, lease);
        // A receiver with a full share is excluded until it has room, so that no job is claimed in vain.
        else if (started >= limit) await queue.retry(lease, clock.now());
        else started += start(lease);
      }
      return leases.length + others.length + more.length;
    },
    get isAtRest() {
      return underWay.size === 0;
    },
    async settled() {
      while (underWay.size > 0) {
        await Promise.all([...underWay.values()].map(({ finished }) => finished));
      }
    },
  };
}

/** Ends jobs that are overdue and renews the leases of the others. */
async function lookAfter(
  { clock, queue, lease: milliseconds, patience = Infinity }: ConsumerOptions,
  underWay: readonly Work[],
): Promise<void> {
  const now = clock.now();
  for (const work of underWay) {
    // If the clock went back, the elapsed time is unknown and counts from now.
    work.startedAt = Math.min(work.startedAt, now);
    if (now - work.startedAt >= patience) work.overdue.abort();
  }
  for (const work of underWay) {
    if (!hasPassed(milliseconds / 3, work.renewedAt, clock.now())) continue;
    await queue.renew(work.lease, milliseconds);
    work.renewedAt = clock.now();
  }
}

/** Delays a job, longer each time, so that jobs of a slow receiver are not looked at all the time. */
async function postpone({ queue, clock }: ConsumerOptions, lease: Lease): Promise<void> {
  const wait = Math.min(POSTPONED_MS * lease.attempts, POSTPONED_MAX_MS);
  await queue.retry(lease, clock.now() + wait);
}

/** Returns the receivers without room. Each leaves half of the free places, so even several slow ones cannot occupy all. */
function receiversWithoutRoom(
  { slots, slotsPerReceiver }: ConsumerOptions,
  underWay: ReadonlyMap<string, Work>,
): readonly string[] {
  const room = Math.max(slotsPerReceiver, Math.floor((slots - underWay.size) / 2));
  const counts = new Map<string, number>();
  for (const { lease: { payload } } of underWay.values()) {
    counts.set(payload, (counts.get(payload) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= room).map(([payload]) => payload);
}

/** Processes a job. After an error, which is logged, the lease expires and the job is claimed again. */
async function work(
  { queue, logger, process }: ConsumerOptions,
  lease: Lease,
  overdue: AbortSignal,
): Promise<void> {
  try {
    const outcome = await process(lease, overdue);
    switch (outcome.kind) {
      case "done":
        await queue.complete(lease);
        break;
      case "again":
        await queue.retry(lease, outcome.dueAt);
        break;
      case "dead":
        await queue.bury(lease, outcome.reason);
        break;
    }
  } catch (error) {
    const fields = { queue: lease.queue, job: lease.id, attempts: lease.attempts };
    logger.log({ level: "error", message: "A job failed and will be tried again", error, fields });
  }
}
