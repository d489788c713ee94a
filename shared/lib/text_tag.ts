/** A short tag of a text: equal for equal texts, and all but never for others. Fast rather than safe from forgery. */

/** Two independent lanes of 32 bits and the length. */
export function textTag(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  return [mixed(one, other), mixed(other, one), text.length].map((part) => part.toString(36)).join(
    "-",
  );
}

/** Spreads every bit of both lanes over the result. */
function mixed(lane: number, beside: number): number {
  const spread = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b) ^
    Math.imul(beside ^ (beside >>> 13), 0xc2b2ae35);
  return (spread ^ (spread >>> 16)) >>> 0;
}
