/** This platform's timers. None of them keeps a process alive. */
import type { Timer } from "../../shared/runtime/ports.ts";

/** Longest wait. The platform would cut a longer one to a millisecond. */
const WAIT_MAX = 2 ** 31 - 1;

export const systemTimer: Timer = {
  after(milliseconds, run) {
    const id = setTimeout(run, Math.min(milliseconds, WAIT_MAX));
    Deno.unrefTimer(id);
    return () => clearTimeout(id);
  },
};
