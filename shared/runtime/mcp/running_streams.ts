/**
 * Streaming calls that run in this instance, so that their caller can stop them (the protocol's `notifications/cancelled`).
 * There are no sessions: a request's id is its caller's own.
 */
import { callerId } from "./caller_id.ts";
import type { Admitted } from "../gate.ts";

export interface RunningStreams {
  /** Calls `end` when the caller cancels the request; gives what is to be called when it has ended by itself. */
  began(caller: Admitted, requestId: unknown, end: () => void): () => void;
  /** An unknown id is none of this instance's: nothing happens. */
  cancel(caller: Admitted, requestId: unknown): void;
}

/** One per application. */
export function createRunningStreams(): RunningStreams {
  const running = new Map<string, Set<() => void>>();
  return {
    began(caller, requestId, end) {
      const key = keyOf(caller, requestId);
      const ends = running.get(key) ?? new Set();
      running.set(key, ends.add(end));
      return () => {
        ends.delete(end);
        if (ends.size === 0 && running.get(key) === ends) running.delete(key);
      };
    },
    cancel(caller, requestId) {
      for (const end of [...running.get(keyOf(caller, requestId)) ?? []]) end();
    },
  };
}

function keyOf(caller: Admitted, requestId: unknown): string {
  return JSON.stringify([callerId(caller), requestId]);
}
