/**
 * Timers without delay that do not wait a millisecond. The bundler's halves send each other messages with them, some
 * hundred in a check, one after the other. For threads that do nothing else.
 */
export function promptTimers(): void {
  const later = globalThis.setTimeout;
  Object.defineProperty(globalThis, "setTimeout", {
    value: (handler: () => void, delay = 0) => {
      if (delay > 0) return later(handler, delay);
      queueMicrotask(handler);
      return 0;
    },
  });
}
