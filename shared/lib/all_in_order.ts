/** Waits for all that was started. Of several failures, throws the first in the list's order. */
export async function allInOrder<T extends readonly unknown[]>(
  started: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  await Promise.allSettled(started);
  return await Promise.all(started);
}
