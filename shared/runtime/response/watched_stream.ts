/**
 * A body that authored code makes piece by piece (contract 4.4 rule 4): its texts become bytes, and its failure is reported.
 */

/** `told` receives the error that broke it; the reader gets a broken body, since its status is sent already. */
export function watchedStream(
  stream: ReadableStream<unknown>,
  told: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const encoder = new TextEncoder();
  let isLeft = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        // Whoever left has closed it already: that is no failure.
        if (isLeft) return;
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : bytesOf(value));
      } catch (error) {
        told(error);
        controller.error(error);
      }
    },
    cancel(reason) {
      isLeft = true;
      return reader.cancel(reason);
    },
  });
}

function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  throw new TypeError("A stream must be made of texts and bytes");
}
