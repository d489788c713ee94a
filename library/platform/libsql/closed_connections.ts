/**
 * Makes the engine release the files of closed connections (docs/guides/topologies.md). The driver holds a closed connection's
 * descriptors until its statements are collected, which are too small to be collected soon.
 */
import v8 from "node:v8";
import vm from "node:vm";
import type { Timer } from "../../../shared/runtime/ports.ts";
import { systemTimer } from "../system_timer.ts";

export interface ClosedConnections {
  /** Records a connection that was closed, by the native object of its statements. */
  note(native: object): void;
  /** Stops collecting. */
  close(): void;
}

/** Number of closed connections at which memory is collected at once. */
export const HELD_MAX = 128;
/** Number of closed connections that are worth a collection after a quiet time. */
export const HELD_MIN = 8;
const QUIET_MS = 1000;

export function closedConnections(
  { timer = systemTimer, collect = memoryCollection() }: {
    readonly timer?: Timer;
    /** Collects the process's memory. Default: the engine's own collection, which is looked up on demand. */
    readonly collect?: () => void;
  } = {},
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
      // This runs in a later turn, when nobody uses the connection any more.
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
