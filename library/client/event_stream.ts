/** Parses an event stream line by line (HTML, 9.2.6). */

export interface StreamEvent {
  /** Event name; null: the stream has none. */
  readonly event: string | null;
  /** Id to continue after; null: none. */
  readonly id: string | null;
  /** Data; null: the event only gives the stream's position. */
  readonly data: string | null;
}

/** Yields the events until the stream ends or the signal aborts. */
export async function* streamEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal?: AbortSignal,
): AsyncGenerator<StreamEvent, void, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // An application's own `fetch` may ignore the signal.
  const leave = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", leave, { once: true });
  try {
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (text + value).replaceAll("\r\n", "\n").split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const lines = block.split("\n");
        const data = lines.flatMap((line) => valueOf(line, "data") ?? []);
        const event = {
          event: lines.flatMap((line) => valueOf(line, "event") ?? []).at(-1) ?? null,
          id: lines.flatMap((line) => valueOf(line, "id") ?? []).at(-1) ?? null,
          data: data.length === 0 ? null : data.join("\n"),
        };
        if (event.id !== null || event.data !== null) yield event;
      }
    }
  } finally {
    signal?.removeEventListener("abort", leave);
    leave();
  }
}

/** Returns the value of a field's line; null for another field or a comment. */
function valueOf(line: string, field: string): string | null {
  return line.startsWith(`${field}:`) ? line.slice(field.length + 1).replace(/^ /, "") : null;
}
