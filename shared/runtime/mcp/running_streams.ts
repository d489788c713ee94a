/** State of `/mcp` between two requests of a caller. */
import type { Admitted } from "../gate.ts";

export interface LogLevels {
  keep(caller: Admitted, level: string): void;
  /** Null: none is known. */
  of(caller: Admitted): string | null;
}

export interface RunningStreams {
  /** Calls `end` when the caller cancels the request; gives what is to be called when it has ended by itself. */
  began(caller: Admitted, requestId: unknown, end: () => void): () => void;
  /** An unknown id is none of this instance's: nothing happens. */
  cancel(caller: Admitted, requestId: unknown): void;
}
