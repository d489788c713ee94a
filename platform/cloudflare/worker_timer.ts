/** Timers of an isolate, which live as long as the request that they belong to. */
import type { Timer } from "../../shared/runtime/ports.ts";

export const workerTimer: Timer = {
  after(milliseconds, run) {
    const id = setTimeout(run, milliseconds);
    return () => clearTimeout(id);
  },
};
