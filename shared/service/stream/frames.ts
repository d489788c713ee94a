/** A compile's events as frames of both stream protocols (contract 4.8, streaming). */
import { HEADERS } from "../../contract/mod.ts";
import type { CompileEvent, OutputFile } from "../compile/compile_event.ts";
import { FILES_PER_TURN, KEEP_ALIVE_MS } from "../limits.ts";
import type { ServiceTimers } from "../ports.ts";
import { rowOf, type ServiceRefusal } from "../refusal.ts";
import type { StreamProtocol } from "../request/compile_options.ts";
import { type BuildContext, buildResult, compileFailed } from "../response/build_result.ts";

type Events = AsyncIterable<CompileEvent>;
type Frames = AsyncGenerator<string, void, void>;

interface FrameOptions {
  readonly context: BuildContext;
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>;
}

export const PROTOCOLS: Readonly<
  Record<StreamProtocol, (events: Events, options: FrameOptions) => Frames>
> = { v1: framesV1, v2: framesV2 };

/** Yields `progress`, then one `result` with all files. */
async function* framesV1(events: Events, { context }: FrameOptions): Frames {
  let files: readonly OutputFile[] = [];
  for await (const event of events) {
    if (event.kind === "progress") yield progress(event);
    if (event.kind === "emitted") files = event.files;
    if (event.kind === "failed") throw compileFailed(event.errors);
    if (event.kind === "finished") yield frame("result", buildResult(event, files, context));
  }
}

/** Yields `progress`, `meta`, and one `file` each as soon as it is written; `done` follows after the check. */
async function* framesV2(events: Events, { context, turn }: FrameOptions): Frames {
  let files: readonly OutputFile[] | null = null;
  for await (const event of events) {
    if (event.kind === "progress") yield progress(event);
    if (event.kind === "emitted") {
      files = event.files;
      yield* fileFrames(files, { context, turn });
    }
    if (event.kind === "failed") throw compileFailed(event.errors);
    if (event.kind === "finished") {
      if (files === null) yield meta(0, context);
      const { files: _sent, ...summary } = buildResult(event, files ?? [], context);
      yield frame("done", summary);
    }
  }
}

async function* fileFrames(
  files: readonly OutputFile[],
  { context, turn }: FrameOptions,
): Frames {
  yield meta(files.length, context);
  for (const [index, { path, content, sha256 }] of files.entries()) {
    yield frame("file", { path, content, sha256 });
    if ((index + 1) % FILES_PER_TURN === 0) await turn();
  }
}

function progress({ stage, message }: Extract<CompileEvent, { kind: "progress" }>): string {
  return frame("progress", { stage, message });
}

function meta(fileCount: number, { settings }: BuildContext): string {
  return frame("meta", { fileCount, version: settings.version });
}

/** Returns the last frame of a stream that ends with a refusal. */
export function errorFrame({ code, options }: ServiceRefusal): string {
  const { title } = rowOf(code);
  return frame("error", {
    error: title,
    code,
    message: options.detail ?? title,
    ...options.members,
  });
}

/** Server-Sent Events as text (WHATWG HTML, 9.2). */

/** Formats a frame. JSON has no raw line breaks, so the data is one line. */
export function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment, which clients ignore. It shows proxies that the stream is alive. */
export const KEEP_ALIVE = ": keep-alive\n\n";

/** Makes a response of frames. They are pulled one by one, kept alive, and ended when the client leaves. */
export function eventStreamResponse(
  frames: AsyncGenerator<string, void, void>,
  { protocol, timers, onCancel }: {
    readonly protocol: StreamProtocol;
    readonly timers: ServiceTimers;
    readonly onCancel: () => void;
  },
): Response {
  const kept = keptAlive(frames, timers);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await kept.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel: onCancel,
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      [HEADERS.streamProtocol]: protocol,
      // Buffering proxies would delay the progress.
      "x-accel-buffering": "no",
    },
  });
}

/** Yields the frames, with a comment after each long silence. */
async function* keptAlive(
  frames: AsyncGenerator<string, void, void>,
  timers: ServiceTimers,
): AsyncGenerator<string, void, void> {
  for (let next = frames.next();;) {
    const spoken = new AbortController();
    const silence = timers.wait(KEEP_ALIVE_MS, spoken.signal).then(() => null);
    const first = await Promise.race([next, silence]);
    spoken.abort();
    if (first === null) {
      yield KEEP_ALIVE;
      continue;
    }
    if (first.done) return;
    yield first.value;
    next = frames.next();
  }
}
