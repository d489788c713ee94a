/** The host's clock and random numbers. */
import type { Clock, Randomness } from "../../shared/runtime/ports.ts";

export const systemClock: Clock = { now: () => Date.now() };

/** Bytes drawn at once, because a call of the platform costs more than its bytes. */
const POOL_BYTES = 4096;

function pooledRandomness(): Randomness {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return {
    bytes(length) {
      if (length > POOL_BYTES) return crypto.getRandomValues(new Uint8Array(length));
      if (used + length > POOL_BYTES) {
        crypto.getRandomValues(pool);
        used = 0;
      }
      const drawn = new Uint8Array(length);
      // Each byte is used once and then erased. For few bytes a loop is faster than the platform's copy.
      for (let at = 0; at < length; at += 1, used += 1) {
        drawn[at] = pool[used] ?? 0;
        pool[used] = 0;
      }
      return drawn;
    },
  };
}

export const systemRandomness: Randomness = pooledRandomness();
