/** The host's clock and random number generator behind their ports. */
import type { Clock, Randomness } from "../shared/runtime/ports.ts";

export const systemClock: Clock = { now: () => Date.now() };

export const systemRandomness: Randomness = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
