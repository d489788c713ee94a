/** Ends a compile that takes too long or that nobody waits for (definitions 7, `/compile` limits). */
import { COMPILE_TIMEOUT_MS } from "../limits.ts";
import { ServiceRefusal } from "../refusal.ts";
import type { ServiceTimers } from "../ports.ts";

interface Deadline extends Disposable {
  /** Aborts with `COMPILE_TIMEOUT`, or with the reason of the client that left. */
  readonly signal: AbortSignal;
}

/** Starts the clock. Disposing the result stops it. */
export function deadline(timers: ServiceTimers, abandoned: AbortSignal): Deadline {
  const stop = new AbortController();
  const expired = new AbortController();
  void timers.wait(COMPILE_TIMEOUT_MS, stop.signal).then(() => {
    if (!stop.signal.aborted) {
      expired.abort(
        new ServiceRefusal("COMPILE_TIMEOUT", {
          detail: `The compile did not end within ${COMPILE_TIMEOUT_MS / 1000} seconds`,
        }),
      );
    }
  });
  return {
    signal: AbortSignal.any([abandoned, expired.signal]),
    [Symbol.dispose]: () => stop.abort(),
  };
}

/** Yields the items until the signal aborts, and then throws its reason, even if the source hangs. */
export async function* until<T>(
  source: AsyncGenerator<T, void, void>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => {});
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    for (;;) {
      const next = await Promise.race([source.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // This is not awaited, because a source that hangs would block the answer.
    source.return().catch(() => {});
  }
}

/** True when the error means that the client left. A refusal by the deadline is false. */
export function abortedBy(signal: AbortSignal, error: unknown): boolean {
  return signal.aborted && error === signal.reason && !(error instanceof ServiceRefusal);
}
