/** The host's clock behind the `Clock` port. */
import type { Clock } from "../shared/runtime/ports.ts";

export const systemClock: Clock = { now: () => Date.now() };
