/** Values that may be known at once. Each wait for one that is known costs a request a promise and a turn of the queue. */

/** A value, or the promise of one. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value at once if it is known, else when it is. */
export function soon<T, U>(value: Soon<T>, go: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(go) : go(value);
}
