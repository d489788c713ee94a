/** Places in a log of events: `<milliseconds>-<count>`, as a Redis stream counts them. */

const EVENT_ID = /^(\d{1,15})-(\d{1,20})$/;

export function isEventId(text: string): boolean {
  return EVENT_ID.test(text);
}

/** Negative: `one` comes first. */
export function compareEventIds(one: string, other: string): number {
  const [time, count] = partsOf(one);
  const [otherTime, otherCount] = partsOf(other);
  if (time !== otherTime) return time - otherTime;
  return count === otherCount ? 0 : count < otherCount ? -1 : 1;
}

export function timeOfEvent(id: string): number {
  return partsOf(id)[0];
}

function partsOf(id: string): readonly [time: number, count: bigint] {
  const [, time, count] = EVENT_ID.exec(id) ?? [];
  if (time === undefined || count === undefined) throw new Error(`"${id}" is no event's id`);
  return [Number(time), BigInt(count)];
}
