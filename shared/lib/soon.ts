/** Values that may be available at once. Awaiting such a value would cost a promise and a turn of the queue. */

/** A value, or a promise of one. */
export type Soon<T> = T | Promise<T>;

/** Continues with a value at once if it is available, else when it arrives. */
export function soon<T, U>(value: Soon<T>, go: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(go) : go(value);
}
