/**
 * Time of authored code until its answer begins (definitions 8, `ACTION_TIMEOUT_MS`), and bodies up to their first byte: until
 * then there may be another answer (contract 4.4 rule 4).
 */
import { Refusal } from "../../refusal.ts";
import type { ActionCall } from "./action_plan.ts";

/** End of the time that a handler has. */
export interface Deadline {
  /** False: it has any time. */
  readonly isLimited: boolean;
  /** Aborts then. */
  readonly signal: AbortSignal;
  /** Refuses with `ACTION_TIMEOUT` what has not come by then; what was begun goes on by itself. */
  race<T>(done: Promise<T>): Promise<T>;
  /** From now on it has any time. */
  stop(): void;
}

export function deadlineOf(
  { request: { app: { ports: { timer }, settings: { actionTimeoutMs = null } } } }: ActionCall,
): Deadline {
  const overdue = new AbortController();
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  const stop = timer && actionTimeoutMs !== null
    ? timer.after(actionTimeoutMs, () => {
      overdue.abort();
      late.reject(new Refusal("ACTION_TIMEOUT"));
    })
    : null;
  return {
    isLimited: stop !== null,
    signal: overdue.signal,
    stop: () => stop?.(),
    race(done) {
      // One that ends badly after its time must not end the process.
      done.catch(() => {});
      return Promise.race([done, late.promise]);
    },
  };
}

/** Bytes that authored code makes piece by piece. */
export interface ByteSource {
  /** Null: there are no more. */
  read(): Promise<Uint8Array<ArrayBuffer> | null>;
  cancel(reason: unknown): Promise<void>;
}

export interface BegunBody {
  readonly source: ByteSource;
  /** Resolves at its first byte, or at its end; rejects as it fails before, and when it comes too late. Null: it has any time. */
  readonly begun: Promise<void> | null;
}

export function begunBody(stream: ReadableStream<unknown>, deadline: Deadline): BegunBody {
  const reader = stream.getReader();
  const encoder = new TextEncoder();
  const next = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return null;
      const bytes = bytesOf(value, encoder);
      if (bytes.length > 0) return bytes;
    }
  };
  let first: ReturnType<typeof next> | null = next();
  const begun = deadline.race(first).then(() => {}).finally(deadline.stop);
  // Whoever waits for it hears of it.
  begun.catch(() => {});
  const source: ByteSource = {
    read() {
      const one = first ?? next();
      first = null;
      return one;
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return { source, begun: deadline.isLimited ? begun : null };
}

function bytesOf(value: unknown, encoder: TextEncoder): Uint8Array<ArrayBuffer> {
  if (typeof value === "string") return encoder.encode(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  throw new TypeError("A stream must be made of texts and bytes");
}
