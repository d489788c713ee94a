/** Places in the log of events: `<milliseconds>-<count>` (docs/decisions/realtime.md). */

const EVENT_ID = /^(\d{1,15})-(\d{1,20})$/;

export function isEventId(text: string): boolean {
  return EVENT_ID.test(text);
}

/** Negative: `one` comes first. */
export function compareEventIds(one: string, other: string): number {
  const [, ...a] = EVENT_ID.exec(one) ?? [];
  const [, ...b] = EVENT_ID.exec(other) ?? [];
  const pairs = a.map((part, at) => [BigInt(part), BigInt(b[at] ?? 0)] as const);
  for (const [left, right] of pairs) {
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
