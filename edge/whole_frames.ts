/**
 * A backend's stream on its way through the router (contract 4.8): each frame as soon as it is whole, and an end that
 * clients understand when the backend is lost in the middle.
 */

type Bytes = Uint8Array<ArrayBuffer>;

const LINE_FEED = 0x0a;

interface WholeFramesOptions {
  /** The last frame of a stream that breaks off. */
  readonly onBroken: (error: unknown) => string;
}

/** Half a frame is held back until the rest is there, and dropped when it never comes. */
export function wholeFrames(
  body: ReadableStream<Bytes>,
  { onBroken }: WholeFramesOptions,
): ReadableStream<Bytes> {
  const reader = body.getReader();
  const held = new HeldFrame();
  let isLeft = false;
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const last = await passFrames(reader, { held, controller }).catch(onBroken);
      if (last === null || isLeft) return;
      if (last !== "") controller.enqueue(new TextEncoder().encode(last));
      controller.close();
    },
    cancel: (reason) => {
      isLeft = true;
      return reader.cancel(reason);
    },
  });
}

/** Null when frames were passed and more may come, "" when the stream has ended. */
async function passFrames(
  reader: ReadableStreamDefaultReader<Bytes>,
  { held, controller }: {
    readonly held: HeldFrame;
    readonly controller: ReadableStreamDefaultController<Bytes>;
  },
): Promise<"" | null> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return "";
    const whole = held.take(value);
    if (whole.length === 0) continue;
    for (const piece of whole) controller.enqueue(piece);
    return null;
  }
}

/** The received part of a frame whose end is missing. */
class HeldFrame {
  #pieces: Bytes[] = [];

  /** The bytes up to the end of the last whole frame, after those that were held. */
  take(chunk: Bytes): readonly Bytes[] {
    const end = this.#endIn(chunk);
    if (end === 0) {
      if (chunk.byteLength > 0) this.#pieces.push(chunk);
      return [];
    }
    const whole = [...this.#pieces, chunk.subarray(0, end)];
    this.#pieces = end === chunk.byteLength ? [] : [chunk.subarray(end)];
    return whole;
  }

  /** Offset after the last empty line of a chunk; 0: it has none. */
  #endIn(chunk: Bytes): number {
    for (let at = chunk.byteLength - 1; at >= 0; at--) {
      if (chunk[at] !== LINE_FEED) continue;
      const before = at === 0 ? this.#pieces.at(-1)?.at(-1) : chunk[at - 1];
      if (before === LINE_FEED) return at + 1;
    }
    return 0;
  }
}
