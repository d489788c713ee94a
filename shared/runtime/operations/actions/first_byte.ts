/**
 * Limits the time that authored code has until its answer begins (definitions 8, `ACTION_TIMEOUT_MS`), and reads bodies up to
 * their first byte: until then another answer can still be given (contract 4.4 rule 4).
 */
import { Refusal } from "../../refusal.ts";
import type { ActionCall } from "./action_plan.ts";

/** The deadline of a handler. */
export interface Deadline {
  /** False: the handler may take any time. */
  readonly isLimited: boolean;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
  /** Resolves with `done`, or refuses with `ACTION_TIMEOUT` at the deadline; the work that was begun runs on. */
  race<T>(done: Promise<T>): Promise<T>;
  /** Lifts the deadline: the handler may take any time from now on. */
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
      // A rejection after the deadline must not end the process.
      done.catch(() => {});
      return Promise.race([done, late.promise]);
    },
  };
}

/** A source of bytes that authored code makes piece by piece. */
export interface ByteSource {
  /** Returns the next bytes; null: there are no more. */
  read(): Promise<Uint8Array<ArrayBuffer> | null>;
  cancel(reason: unknown): Promise<void>;
}

export interface BegunBody {
  readonly source: ByteSource;
  /**
   * Resolves at the first byte, or at the end; rejects on a failure before it, and on one that comes too late. Null: it may
   * take any time.
   */
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
  // Callers that await `begun` get the rejection themselves.
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
