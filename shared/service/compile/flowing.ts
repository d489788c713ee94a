/** Lets a source run whether its reader keeps up or not: a slow client keeps its answer, but nobody else's turn. */

/** The same items, as soon as the source has them; its error comes in place of those not yet read. */
export function flowing<T>(source: AsyncGenerator<T, void, void>): ReadableStream<T> {
  return new ReadableStream({
    start: (controller) => void pump(source, controller),
    async cancel() {
      await source.return();
    },
  });
}

async function pump<T>(
  source: AsyncGenerator<T, void, void>,
  controller: ReadableStreamDefaultController<T>,
): Promise<void> {
  try {
    for await (const item of source) controller.enqueue(item);
    controller.close();
  } catch (error) {
    controller.error(error);
  }
}
