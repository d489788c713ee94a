/** Pulls of one copy: one at a time, shared by all who wait, and given up by them before the server is. */
import { DatabaseUnavailableError } from "../../../../shared/runtime/ports.ts";

/** The engine gives up after some seconds, or never; a caller does not wait that long. */
const WAIT_MAX_MS = 1500;
/** A server that was found away is asked again after this. */
const AGAIN_MS = 500;

export interface Pulls {
  /** Begin of the last pull that succeeded; -Infinity: none did. */
  readonly confirmedAt: number;
  /** False after a pull that failed, or while one does not end. */
  readonly isServerThere: boolean;
  /** True from when a pull takes too long, for whatever reason, until one that began later was quick. */
  readonly isLate: boolean;
  /**
   * Resolves when a pull has succeeded that began at this time or later; begins one where none did. Throws
   * `DatabaseUnavailableError`, which names 1 s, when the server does not answer in time.
   */
  since(time: number): Promise<void>;
  /** Resolves with the one that is under way, or a new one, however long it takes. */
  whole(): Promise<void>;
  /** Begins none any more. */
  end(): void;
  /** Resolves with true when none is under way any more, with false when one does not end in time. */
  ended(milliseconds: number): Promise<boolean>;
  /** Begins one, unless one is under way, and waits for nothing. */
  kick(): void;
}

interface Pull {
  readonly startedAt: number;
  readonly done: Promise<void>;
}

export interface PullsOptions {
  /** Milliseconds that somebody waits for one. */
  readonly pullMaxMs: number | undefined;
  /** Milliseconds of a clock that never goes back. */
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
    // Those who wait are told; a pull that nobody waits for may fail.
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
          // Nobody waits for a server that is known to be away; the next ones hear when it is back.
          kick();
          throw away(failure);
        }
        const { startedAt, done } = running ?? begin();
        // Whoever gave up says that it is late: a timer may ring a little before the clock has got there.
        await inTime(done, startedAt + pullMaxMs - now(), () => wasLate = true);
      }
    },
  };
}

/** False: it is still under way after that time. */
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
