/** Pulls of one copy: one at a time, shared by all who wait. A caller gives up before the engine does. */
import { DatabaseUnavailableError } from "../../../../shared/runtime/ports.ts";

/** Most milliseconds that a caller waits. The engine gives up later or never. */
const WAIT_MAX_MS = 1500;
/** Milliseconds until a server that did not answer is asked again. */
const AGAIN_MS = 500;

export interface Pulls {
  /** Start of the last successful pull; -Infinity: none succeeded. */
  readonly confirmedAt: number;
  /** False after a failed pull, and while one does not end. */
  readonly isServerThere: boolean;
  /** True while pulls take too long, until a later one is quick. */
  readonly isLate: boolean;
  /**
   * Resolves when a pull that started at this time or later has succeeded; starts one if there is none. Throws
   * `DatabaseUnavailableError` with a retry of 1 s if the server does not answer in time.
   */
  since(time: number): Promise<void>;
  /** Resolves with the pull in progress or a new one, however long it takes. */
  whole(): Promise<void>;
  /** Prevents further pulls. */
  end(): void;
  /** Resolves with true when no pull is in progress, and with false if one does not end in time. */
  ended(milliseconds: number): Promise<boolean>;
  /** Starts a pull in the background, unless one is in progress. */
  kick(): void;
}

interface Pull {
  readonly startedAt: number;
  readonly done: Promise<void>;
}

export interface PullsOptions {
  /** Milliseconds that a caller waits for a pull. */
  readonly pullMaxMs: number | undefined;
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export function createPulls(
  pull: () => Promise<void>,
  { pullMaxMs = WAIT_MAX_MS, now }: PullsOptions,
): Pulls {
  let confirmedAt = -Infinity;
  let failedAt = -Infinity;
  let failure: unknown;
  let wasLate = false;
  let isOver = false;
  let running: Pull | null = null;
  const begin = (): Pull => {
    if (isOver) throw new Error("The copy is closed");
    const startedAt = now();
    const done = pull().then(
      () => {
        confirmedAt = startedAt;
        failedAt = -Infinity;
        wasLate = now() - startedAt > pullMaxMs;
      },
      (error: unknown) => {
        failedAt = now();
        failure = error;
        throw error;
      },
    ).finally(() => running = null);
    // Callers who wait get the error. A background pull may fail.
    done.catch(() => undefined);
    return running = { startedAt, done };
  };
  const isStuck = () => running !== null && now() - running.startedAt > pullMaxMs;
  const kick = () => {
    if (!isOver && running === null && now() - failedAt >= AGAIN_MS) begin();
  };
  return {
    get confirmedAt() {
      return confirmedAt;
    },
    get isLate() {
      return wasLate || isStuck();
    },
    get isServerThere() {
      return failedAt === -Infinity && !isStuck();
    },
    kick,
    whole: () => (running ?? begin()).done,
    end: () => void (isOver = true),
    ended: async (milliseconds) => running === null || await hasEnded(running.done, milliseconds),
    async since(time) {
      while (confirmedAt < time) {
        if (failedAt !== -Infinity) {
          // Nobody waits for a server that is known to be down. The next callers learn when it is back.
          kick();
          throw away(failure);
        }
        const { startedAt, done } = running ?? begin();
        // A timeout marks the pull as late explicitly, because a timer may fire a little before its time.
        await inTime(done, startedAt + pullMaxMs - now(), () => wasLate = true);
      }
    },
  };
}

/** Returns false if it is still in progress after that time. */
async function hasEnded(done: Promise<void>, milliseconds: number): Promise<boolean> {
  const ended = done.then(() => true, () => true);
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), milliseconds);
  try {
    return await Promise.race([ended, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function inTime(
  done: Promise<void>,
  milliseconds: number,
  onLate: () => void,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate();
    late.reject(new Error("The server did not answer in time"));
  }, Math.max(0, milliseconds));
  try {
    await Promise.race([done, late.promise]);
  } catch (error) {
    throw away(error);
  } finally {
    clearTimeout(timer);
  }
}

function away(cause: unknown): DatabaseUnavailableError {
  return new DatabaseUnavailableError("The primary of the database cannot be reached", 1, {
    cause,
  });
}
