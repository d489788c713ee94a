/**
 * `quickback/ide`: a compile at a build service as it happens, for editors and pages of others (contract 4.8, stream
 * protocol v2). It runs wherever there is `fetch`.
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
  /** From 1. */
  readonly line: number;
}

/** A mistake of the author, at its place. */
export interface CompileMistake extends Placed {
  /** From 1. */
  readonly column: number;
  /** The way out, or null where the message says it all. */
  readonly hint: string | null;
}

/** The last of each compile is `done` or `error`. */
export type CompileStreamEvent =
  | { readonly type: "progress"; readonly stage: string; readonly message: string }
  /** Once, before the files. */
  | { readonly type: "meta"; readonly fileCount: number; readonly version: string }
  /** To be kept when `done` has come: the last check follows the files. */
  | {
    readonly type: "file";
    readonly path: string;
    readonly content: string;
    /** Of the content's UTF-8 bytes, in hexadecimal. */
    readonly sha256: string;
  }
  | {
    readonly type: "done";
    readonly meta: Readonly<Record<string, unknown>>;
    /** To run in the folder of the files. */
    readonly commands: readonly string[];
    readonly warnings: readonly Placed[];
  }
  | {
    readonly type: "error";
    readonly error: string;
    /** `COMPILE_FAILED`: the definitions have the mistakes that are listed. */
    readonly code: string;
    readonly message: string;
    readonly errors?: readonly CompileMistake[];
  };

export interface CompileStreamOptions {
  /** Of the service's `SERVICE_API_KEY`; a page for strangers must not carry one. */
  readonly key: string;
  /** Ends the compile at the service too. */
  readonly signal?: AbortSignal;
  /** False: only validates, and sends no file. True unless said. */
  readonly complete?: boolean;
}

const EVENTS: readonly string[] = ["progress", "meta", "file", "done", "error"];

/**
 * The events of one compile, as they come. Throws an `ApiError` when the service refuses the request, what `fetch` throws
 * when nobody answers or the signal ends it, and an error when the stream ends before its last event. It never asks
 * again by itself: a compile that was cut off is begun anew by whoever wants it.
 *
 * @param url Address of the service, such as `https://build.example.com`.
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
    // A later service may have events that this client does not know.
    if (event === null || data === null || !EVENTS.includes(event)) continue;
    const known: CompileStreamEvent = { type: event, ...JSON.parse(data) };
    yield known;
    if (known.type === "done" || known.type === "error") return;
  }
  signal?.throwIfAborted();
  throw new Error("The build service ended the stream before its last event");
}
