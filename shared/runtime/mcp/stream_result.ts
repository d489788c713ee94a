/** Output of a streaming action (contract 4.4 rule 4): sent while it runs, and answered as a whole when it ends. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import { BODY_MAX_BYTES } from "../../contract/limits.ts";
import type { CallToolResult } from "./sdk.ts";
import { type AnswerOptions, refusedResult, resultOf } from "./tool_result.ts";

export interface StreamListener {
  /** `count` from 1 on. */
  told(text: string, count: number): Promise<void>;
  /** Nobody listens any more. */
  readonly signal: AbortSignal;
}

export async function streamedResult(
  response: Response,
  { listener, ...options }: AnswerOptions & { readonly listener: StreamListener },
): Promise<CallToolResult> {
  const events: string[] = [];
  try {
    for await (const text of eventsOf(response, listener.signal)) {
      events.push(text);
      await listener.told(text, events.length);
    }
  } catch (error) {
    if (error instanceof StreamTooLong) return tooLong(options.url);
    // Nobody reads this any more.
    if (!listener.signal.aborted) throw error;
  }
  return resultOf(response, events, options);
}

class StreamTooLong extends Error {}

/** The text of each event; whoever stops asking ends the stream. */
async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  let size = 0;
  const stream = (response.body ?? new Blob().stream())
    .pipeThrough(new TextDecoderStream(), { signal })
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: BODY_MAX_BYTES }));
  for await (const { data } of stream) {
    size += data.length;
    if (size > BODY_MAX_BYTES) throw new StreamTooLong();
    yield data;
  }
}

function tooLong(url: string): CallToolResult {
  return refusedResult({
    detail: `The stream is longer than ${BODY_MAX_BYTES} characters`,
    hint: `Read ${url} over HTTP`,
  });
}
