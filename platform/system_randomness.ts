/** The host's random number generator behind the `Randomness` port. */
import type { Randomness } from "../shared/runtime/ports.ts";

export const systemRandomness: Randomness = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
