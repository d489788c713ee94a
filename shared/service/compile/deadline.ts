/** Ends a compile that nobody waits for or that takes too long (definitions 7, `/compile` limits). */
import { COMPILE_TIMEOUT_MS } from "../limits.ts";
import { ServiceRefusal } from "../refusal.ts";
import type { ServiceTimers } from "../ports.ts";

interface Deadline extends Disposable {
  /** Aborts with `COMPILE_TIMEOUT`, or with the reason of whoever left. */
  readonly signal: AbortSignal;
}

/** Runs from now on; disposing it stops its clock. */
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

/** The same items, ended with the signal's reason as soon as it aborts, whatever the source is doing. */
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
    // Not awaited: a source that hangs would hold the answer.
    source.return().catch(() => {});
  }
}

/** True when the error is that the client left; a deadline's refusal is not. */
export function abortedBy(signal: AbortSignal, error: unknown): boolean {
  return signal.aborted && error === signal.reason && !(error instanceof ServiceRefusal);
}
