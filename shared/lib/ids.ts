/** Ids: UUIDs and ids of events. */
/** Makes a version 4 UUID of sixteen random bytes (RFC 9562, 5.4). Six bits are overwritten by version and variant. */
export function uuid(bytes: Uint8Array): string {
  if (bytes.byteLength !== 16) throw new RangeError("A UUID has 16 bytes");
  const digits = bytes.toHex();
  const variant = (8 + (parseInt(digits.charAt(16), 16) & 3)).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join("-");
}

/** An id in a log of events: `<milliseconds>-<count>`, as Redis streams number them. */
const EVENT_ID = /^(\d{1,15})-(\d{1,20})$/;

export function isEventId(text: string): boolean {
  return EVENT_ID.test(text);
}

/** Compares two ids. A negative result means that `one` comes first. */
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
