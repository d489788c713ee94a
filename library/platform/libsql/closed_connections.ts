/**
 * Has the files of closed connections given back (docs/guides/topologies.md). The driver holds a closed connection's descriptors
 * until its statements are collected, and they are too small for the engine to collect soon by itself.
 */
import v8 from "node:v8";
import vm from "node:vm";
import type { Timer } from "../../../shared/runtime/ports.ts";
import { systemTimer } from "../system_timer.ts";

export interface ClosedConnections {
  /** Is told of a connection that has been closed: of the object that its statements hang on. */
  note(native: object): void;
  /** Nothing is collected for it any more. */
  close(): void;
}

/** Closed connections whose files wait at most: for more of them the memory is collected at once. */
export const HELD_MAX = 128;
/** So many are worth a collection when nothing has been closed for a while. */
export const HELD_MIN = 8;
const QUIET_MS = 1000;

interface ClosedConnectionsOptions {
  readonly timer?: Timer;
  /** Collects the process's memory; by default the engine's own collection, which is looked for when it is needed. */
  readonly collect?: () => void;
}

export function closedConnections(
  { timer = systemTimer, collect = memoryCollection() }: ClosedConnectionsOptions = {},
): ClosedConnections {
  let held = 0;
  const given = new FinalizationRegistry<null>(() => void (held -= 1));
  let stop = () => {};
  let isClosed = false;
  return {
    note(native) {
      if (isClosed) return;
      given.register(native, null);
      held += 1;
      if (held < HELD_MIN) return;
      stop();
      // In a turn of its own, when nobody has the connection at hand any more.
      stop = timer.after(held < HELD_MAX ? QUIET_MS : 0, () => {
        if (held >= HELD_MIN) collect();
      });
    },
    close() {
      isClosed = true;
      stop();
    },
  };
}

function memoryCollection(): () => void {
  let collect: unknown;
  return () => {
    if (collect === undefined) {
      v8.setFlagsFromString("--expose-gc");
      collect = vm.runInNewContext("gc");
    }
    if (typeof collect === "function") collect();
  };
}
