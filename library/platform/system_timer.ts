/** This platform's timers: none of them keeps a process from ending. */
import type { Timer } from "../../shared/runtime/ports.ts";

/** Longer waits are cut by the platform to one millisecond. */
const WAIT_MAX = 2 ** 31 - 1;

export const systemTimer: Timer = {
  after(milliseconds, run) {
    const id = setTimeout(run, Math.min(milliseconds, WAIT_MAX));
    Deno.unrefTimer(id);
    return () => clearTimeout(id);
  },
};
