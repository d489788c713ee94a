/** Calls a worker while the process lives, and at once again while there is more to do. */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../../../shared/runtime/ports.ts";

/** A worker as `createBackgroundWorker` makes it. */
export interface TickingWorker {
  tick(): Promise<number>;
  settled(): Promise<void>;
  /** Registers a function to be called when the worker has capacity again. Absent: it is called at intervals only. */
  onFree?(freed: () => void): void;
}

export interface RunWorkerOptions {
  readonly logger: Logger;
  /** Milliseconds between two looks at an idle queue. */
  readonly interval?: number;
}

export interface RunningWorker {
  /** Stops taking work. Resolves when the work in progress is done. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 250;
/** Milliseconds until a queue that cannot be reached is asked again. */
const AFTER_FAILURE_MS = 2000;

export function runWorker(worker: TickingWorker, options: RunWorkerOptions): RunningWorker {
  const { logger, interval = INTERVAL_MS } = options;
  const stopping = new AbortController();
  /** Ends the pause. A wake-up during a call of the worker takes effect after it. */
  let waking = new AbortController();
  worker.onFree?.(() => waking.abort());
  const loop = async () => {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      const wait = await ticked(worker, { logger, interval });
      const ending = wait > interval ? [stopping.signal] : [stopping.signal, waking.signal];
      if (wait > 0) {
        await pause(wait, undefined, { signal: AbortSignal.any(ending) }).catch((error) => {
          if (!(error instanceof Error && error.name === "AbortError")) throw error;
        });
      }
    }
    await worker.settled();
  };
  const ended = loop();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

/** Calls the worker and returns the milliseconds until the next call. A failure does not end the loop. */
async function ticked(
  worker: TickingWorker,
  { logger, interval }: Required<RunWorkerOptions>,
): Promise<number> {
  try {
    return await worker.tick() > 0 ? 0 : interval;
  } catch (error) {
    logger.log({ level: "error", message: "The webhook worker failed and goes on", error });
    return AFTER_FAILURE_MS;
  }
}
