/**
 * Replaces timers without a delay by ones that do not wait a millisecond. The bundler's halves exchange some hundred messages
 * by them in each check. Only for threads without other work.
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
