/** Answers as the bytes that were heard, also of those that go on by themselves. */
import { joinedBytes } from "../../../shared/lib/bytes.ts";
import type { FrameRecorder } from "../../../proof/leakcheck/leakcheck.ts";
import type { RecordedAnswer } from "../../../proof/questions/question.ts";

/** Bound on the bytes that are read of an answer that goes on by itself. */
const STREAM_MAX_BYTES = 64 * 1024;
const STREAM_IDLE_MILLISECONDS = 500;
/** Turns of the event loop without a new frame after which nothing is under way. */
const QUIET_TURNS = 12;

export async function recordAnswer(response: Response): Promise<RecordedAnswer> {
  const { status, headers } = response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const { body, isCut } = isStream
    ? await streamBytes(response)
    : { body: await response.bytes(), isCut: false };
  return { status, headers: headerPairs(Object.fromEntries(headers)), body, isCut };
}

export function headerPairs(
  headers: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return Object.entries(headers).sort(([a], [b]) => a < b ? -1 : 1);
}

async function streamBytes(response: Response): Promise<Pick<RecordedAnswer, "body" | "isCut">> {
  const reader = response.body?.getReader();
  if (!reader) return { body: new Uint8Array(), isCut: false };
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < STREAM_MAX_BYTES) {
    const turn = await nextOrIdle(reader);
    if (turn === "ended" || turn === "broken") return { body: joinedBytes(chunks), isCut: false };
    if (turn === "idle") break;
    chunks.push(turn);
    length += turn.length;
  }
  await reader.cancel();
  return { body: joinedBytes(chunks), isCut: true };
}

async function nextOrIdle(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array | "ended" | "broken" | "idle"> {
  const { promise: idle, resolve } = Promise.withResolvers<"idle">();
  const timer = setTimeout(() => resolve("idle"), STREAM_IDLE_MILLISECONDS);
  try {
    const turn = await Promise.race([reader.read(), idle]);
    if (turn === "idle") return turn;
    return turn.done ? "ended" : turn.value;
  } catch {
    // The author's stream failed after its first byte: what was heard until then is compared.
    return "broken";
  } finally {
    clearTimeout(timer);
  }
}

/** An event stream that is read while it goes on. */
export function followed(response: Response): FrameRecorder {
  const chunks: Uint8Array[] = [];
  const ended = (async () => {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  })();
  return {
    async heard() {
      for (let quiet = 0, known = chunks.length; quiet < QUIET_TURNS; quiet += 1) {
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 0))]);
        if (chunks.length !== known) [quiet, known] = [0, chunks.length];
      }
      return { status: 200, headers: [], body: joinedBytes(chunks), isCut: false };
    },
  };
}
