/**
 * Replaces the clock and the randomness of a thread by fixed ones. The author's code then draws the same values over both
 * databases, so that only their content can make a difference. The runtime gets its own clock and randomness by its ports.
 */
import { uuid } from "../../../shared/lib/ids.ts";
import { seededBytes } from "../../../shared/lib/seeded_bytes.ts";

const SEED = 0x51ed270b;

/** Replaces the thread's globals permanently. */
export function fixWorld(clock: SteppingClock): void {
  const bytes = seededBytes(SEED);
  globalThis.Date = fixedDate(globalThis.Date, clock);
  Math.random = () => new DataView(bytes(4).buffer).getUint32(0) / 2 ** 32;
  Object.defineProperties(crypto, {
    getRandomValues: { value: fillerOf(bytes) },
    randomUUID: { value: () => uuid(bytes(16)) },
  });
}

function fixedDate(system: DateConstructor, { now }: SteppingClock): DateConstructor {
  return new Proxy(system, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new system(now()).toString(),
    get: (target, name, receiver) => name === "now" ? now : Reflect.get(target, name, receiver),
  });
}

function fillerOf(bytes: (length: number) => Uint8Array) {
  return <T extends ArrayBufferView>(array: T): T => {
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    view.set(bytes(view.length));
    return array;
  };
}

/** Clock that advances only with requests: it is the same for both databases. */

export interface SteppingClock {
  now(): number;
  /** Advances the clock by one second. */
  step(): void;
}

const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const STEP_MILLISECONDS = 1000;

export function steppingClock(): SteppingClock {
  let now = START;
  return { now: () => now, step: () => void (now += STEP_MILLISECONDS) };
}
