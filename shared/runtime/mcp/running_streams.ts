/** Keeps the state of `/mcp` between two requests of a caller. */
import type { Admitted } from "../gate.ts";

export interface LogLevels {
  keep(caller: Admitted, level: string): void;
  /** Returns the caller's level; null: none is known. */
  of(caller: Admitted): string | null;
}

export interface RunningStreams {
  /**
   * Notes a running stream and calls `end` when the caller cancels the request; returns the function to call when it has ended
   * by itself.
   */
  began(caller: Admitted, requestId: unknown, end: () => void): () => void;
  /** Cancels a stream. An id that is unknown to this instance has no effect. */
  cancel(caller: Admitted, requestId: unknown): void;
}
