/** Reads an event stream as it comes (HTML, 9.2.6): ids and data, line by line. */

export interface StreamEvent {
  /** Null: the stream names none. */
  readonly event: string | null;
  /** Place to go on after it; null: it names none. */
  readonly id: string | null;
  /** Null: it only says where the stream stands. */
  readonly data: string | null;
}

/** The stream's events, until it ends or the signal says so. */
export async function* streamEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal?: AbortSignal,
): AsyncGenerator<StreamEvent, void, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // A `fetch` of the application's own may know nothing of the signal.
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

/** Null: the line is of another field, or a comment. */
function valueOf(line: string, field: string): string | null {
  return line.startsWith(`${field}:`) ? line.slice(field.length + 1).replace(/^ /, "") : null;
}
