/** Waits for all that was started; of several failures the first in order is thrown, whichever came first. */
export async function allInOrder<T extends readonly unknown[]>(
  started: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  await Promise.allSettled(started);
  return await Promise.all(started);
}
