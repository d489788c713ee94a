/**
 * The log level that each caller last set (the protocol's `logging/setLevel`). There are no sessions: a level is kept for
 * its caller, by the instance that received it, for as long as few others are.
 */
import { callerId } from "./caller_id.ts";
import type { Admitted } from "../gate.ts";

export interface LogLevels {
  keep(caller: Admitted, level: string): void;
  /** Null: none is known. */
  of(caller: Admitted): string | null;
}

const CALLERS_MAX = 1000;

/** One per application. */
export function createLogLevels(): LogLevels {
  const kept = new Map<string, string>();
  return {
    keep(caller, level) {
      if (kept.size >= CALLERS_MAX) kept.clear();
      kept.set(callerId(caller), level);
    },
    of: (caller) => kept.get(callerId(caller)) ?? null,
  };
}
