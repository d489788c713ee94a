/** Makes pseudo-random bytes that are the same in every run (mulberry32). They must not serve as secrets. */
export function seededBytes(seed: number): (length: number) => Uint8Array<ArrayBuffer> {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return (length) => Uint8Array.from({ length }, next);
}
