/**
 * Works off one queue: takes what is due, a few jobs at a time, and keeps their leases alive. It starts nothing by
 * itself; whoever owns a timer calls `tick` (contract 8).
 */
import { QUEUE_BATCH_SIZE } from "../../contract/mod.ts";
import { hasPassed } from "../../lib/times.ts";
import type { Clock, Lease, Logger, Queue, QueueName } from "../ports.ts";

/** Outcome of a job. */
export type JobOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "again"; readonly dueAt: number }
  | { readonly kind: "dead"; readonly reason: string };

/** Places for what is under way in one process, of which several consumers take. */
export class Slots {
  #taken = 0;

  constructor(readonly all: number) {}

  get free(): number {
    return this.all - this.#taken;
  }

  /** Takes one until the work has ended. */
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
  /** Jobs under way at a time. */
  readonly slots: number;
  /** The same over several consumers; absent: it has its slots to itself. */
  readonly shared?: Slots | undefined;
  /** Of those, how many one receiver, which is a payload, may always have; more while half of what is free stays free for others. */
  readonly slotsPerReceiver: number;
  /** What a receiver may have binds it only while others wait, and with a single slot they take turns; in the database's queue. */
  readonly yields?: boolean;
  /** Milliseconds of a lease: renewed while its holder lives. */
  readonly lease: number;
  /** Milliseconds that `process` ever puts a job off. */
  readonly longestWait: number;
  /** Milliseconds after which a job is overdue; without it, whoever processes it sees to its end. */
  readonly patience?: number;
  /** Is told when a place is free again for what may wait. */
  readonly onFree?: (() => void) | undefined;
  /** Must come to an end once the job is overdue: a job that never did would hold its slot and its lease for ever. */
  process(lease: Lease, overdue: AbortSignal): Promise<JobOutcome>;
}

export interface Consumer {
  /** Starts the due jobs; returns how many. */
  tick(): Promise<number>;
  /** True when nothing is under way. */
  readonly isAtRest: boolean;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

/** Short, so that a dead worker's jobs go on soon. */
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
  const { queue, name, clock, slots, lease: milliseconds, patience = Infinity } = options;
  // A queue that leaves no receiver out cannot tell if others wait.
  const yields = options.yields === true && queue.isInDatabase === true;
  const shared = options.shared ?? new Slots(slots);
  const longestWait = Math.max(options.longestWait, POSTPONED_MAX_MS);
  const underWay = new Map<string, Work>();
  /** The receiver whose job was taken last. */
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
  };
  return {
    async tick() {
      const now = clock.now();
      for (const work of underWay.values()) {
        // After the clock went back it counts from now on: how long it took before is not known.
        work.startedAt = Math.min(work.startedAt, now);
        if (now - work.startedAt >= patience) work.overdue.abort();
      }
      for (const work of underWay.values()) {
        if (!hasPassed(milliseconds / 3, work.renewedAt, clock.now())) continue;
        await queue.renew(work.lease, milliseconds);
        work.renewedAt = clock.now();
      }
      const limit = Math.min(QUEUE_BATCH_SIZE, slots - underWay.size, shared.free);
      if (limit <= 0) return 0;
      const full = receiversWithoutRoom(options, underWay);
      const except = yields && slots === 1 && last !== null ? [...full, last] : full;
      const leases = await claim(limit, except);
      const crowded: Lease[] = [];
      let started = 0;
      for (const lease of leases) {
        // A job that is still under way here was handed out again because its lease was lost.
        if (underWay.has(lease.id)) await postpone(options, lease);
        else if (receiversWithoutRoom(options, underWay).includes(lease.payload)) {
          crowded.push(lease);
        } else {
          start(lease);
          started += 1;
        }
      }
      if (!yields) {
        for (const lease of crowded) await postpone(options, lease);
        return leases.length;
      }
      // Others first; what they leave is for those that have their share already.
      const others = crowded.length > 0 && started < limit
        ? await claim(limit - started, receiversOf(crowded))
        : [];
      const left = limit - started - others.length - crowded.length;
      const more = except.length > 0 && left > 0 ? await claim(left, []) : [];
      for (const lease of [...others, ...crowded, ...more]) {
        if (underWay.has(lease.id)) await postpone(options, lease);
        // Whose share is full is not asked for again until it has room: nothing is looked at in vain.
        else if (started >= limit) await queue.retry(lease, clock.now());
        else {
          start(lease);
          started += 1;
        }
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

/** Longer each time, so that what waits for a slow receiver is not all that is ever looked at. */
async function postpone({ queue, clock }: ConsumerOptions, lease: Lease): Promise<void> {
  const wait = Math.min(POSTPONED_MS * lease.attempts, POSTPONED_MAX_MS);
  await queue.retry(lease, clock.now() + wait);
}

function receiversOf(leases: readonly Lease[]): readonly string[] {
  return [...new Set(leases.map(({ payload }) => payload))];
}

/** One slow receiver cannot take every slot, nor can several: each leaves half of what is free. */
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

/** Processes a job. An error is logged; the lease then ends by itself, and the job is claimed again. */
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
