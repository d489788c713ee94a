/**
 * `quickback/ide`: streams a compile of a build service to editors and pages (contract 4.8, stream protocol v2). It runs
 * wherever `fetch` exists.
 */
import { apiErrorOf } from "./api_error.ts";
import { streamEvents } from "./event_stream.ts";

export { ApiError } from "./api_error.ts";

/** Texts of a project's files by path, such as `quickback/features/notes/notes.ts`. */
export type RawFiles = Readonly<Record<string, string>>;

interface Placed {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  /** Line, starting at 1. */
  readonly line: number;
}

/** An error of the author with its place. */
export interface CompileMistake extends Placed {
  /** Column, starting at 1. */
  readonly column: number;
  /** The way out; null if the message already says it. */
  readonly hint: string | null;
}

/** An event of a compile. The last one is `done` or `error`. */
export type CompileStreamEvent =
  | { readonly type: "progress"; readonly stage: string; readonly message: string }
  /** Is sent once, before the files. */
  | { readonly type: "meta"; readonly fileCount: number; readonly version: string }
  /** A file. Keep it only when `done` arrives, because the last check follows the files. */
  | {
    readonly type: "file";
    readonly path: string;
    readonly content: string;
    /** SHA-256 of the content's UTF-8 bytes in hexadecimal. */
    readonly sha256: string;
  }
  | {
    readonly type: "done";
    readonly meta: Readonly<Record<string, unknown>>;
    /** Commands to run in the folder of the files. */
    readonly commands: readonly string[];
    readonly warnings: readonly Placed[];
  }
  | {
    readonly type: "error";
    readonly error: string;
    /** `COMPILE_FAILED`: the definitions have the listed errors. */
    readonly code: string;
    readonly message: string;
    readonly errors?: readonly CompileMistake[];
  };

export interface CompileStreamOptions {
  /** A key of the service's `SERVICE_API_KEY`. A public page must not contain one. */
  readonly key: string;
  /** Aborts the compile, also at the service. */
  readonly signal?: AbortSignal;
  /** False to validate only, without files. Default: true. */
  readonly complete?: boolean;
}

const EVENTS: readonly string[] = ["progress", "meta", "file", "done", "error"];

/**
 * Yields the events of one compile. Throws an `ApiError` if the service refuses the request, the error of `fetch` if nobody
 * answers or the signal aborts, and an error if the stream ends before its last event. It never repeats the request. @param url
 * URL of the service, such as `https://build.example.com`.
 */
export async function* compileStream(
  url: string,
  rawFiles: RawFiles,
  { key, signal, complete = true }: CompileStreamOptions,
): AsyncGenerator<CompileStreamEvent, void, void> {
  const response = await fetch(`${url.replace(/\/+$/, "")}/compile?complete=${complete}`, {
    method: "POST",
    headers: {
      "accept": "text/event-stream",
      "content-type": "application/json",
      "x-api-key": key,
      "x-service-stream": "v2",
    },
    body: JSON.stringify({ rawFiles }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok || response.body === null) throw await apiErrorOf(response);
  for await (const { event, data } of streamEvents(response.body, signal)) {
    // A later version of the service may send events that this client does not know.
    if (event === null || data === null || !EVENTS.includes(event)) continue;
    const known: CompileStreamEvent = { type: event, ...JSON.parse(data) };
    yield known;
    if (known.type === "done" || known.type === "error") return;
  }
  signal?.throwIfAborted();
  throw new Error("The build service ended the stream before its last event");
}
