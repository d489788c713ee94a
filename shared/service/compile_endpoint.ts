/**
 * `POST /compile`: credentials → options → body → slot → compile → one document or a stream (contract 4.8). A refusal before
 * the compile starts is a problem document; in a stream a later one is an `error` event.
 */
import type { CompileEvent, CompileInput, OutputFile } from "./compile/compile_event.ts";
import { abortedBy, deadline } from "./compile/deadline.ts";
import type { CompileEvents, SharedCompiles } from "./compile/shared_compiles.ts";
import type { ServicePorts, ServiceRequest, ServiceSettings, ServiceTimers } from "./ports.ts";
import { ServiceRefusal } from "./refusal.ts";
import type { Authenticate } from "./request/authenticate.ts";
import { readBodyText } from "./request/body_text.ts";
import { readCompileInput } from "./request/compile_input.ts";
import { readCompileOptions } from "./request/compile_options.ts";
import { type BuildContext, buildResult, compileFailed } from "./response/build_result.ts";
import { type Bytes, piecesResponse } from "./response/gzipped.ts";
import { refusalOf } from "./response/problem.ts";
import { errorFrame, eventStreamResponse, PROTOCOLS } from "./stream/frames.ts";

export interface CompileService {
  readonly settings: ServiceSettings;
  readonly ports: ServicePorts;
  readonly compiles: SharedCompiles;
  readonly authenticate: Authenticate;
}

export async function compileEndpoint(
  service: CompileService,
  request: ServiceRequest,
): Promise<Response> {
  const caller = await service.authenticate(request.raw.headers);
  const options = readCompileOptions(request.raw);
  // An edge isolate cannot check bundles (contract 4.8, raw-files rule 3).
  if (options.complete && service.settings.backend !== "container") {
    throw new ServiceRefusal("COMPLETE_REQUIRES_CONTAINER", {
      detail: "This backend only validates: a full compile runs on the container backend",
    });
  }
  const timing = new ServerTiming(service.ports.timers);
  // The name `read` is taken by a phase.
  timing.begin("receive");
  const input = await readInput(request.raw, service);
  timing.begin("queue");
  // `signal` aborts when the client leaves. A stream learns that from its reader.
  const reader = new AbortController();
  const signal = AbortSignal.any([request.raw.signal, reader.signal]);
  const leave = () => reader.abort();
  const { complete, stream } = options;
  const { from, events } = await service.compiles.start({ input, complete, caller }, signal);
  timing.end();
  timing.note("cache", from);
  const context = { settings: service.settings, complete };
  const work = { service, context, events: timed(events, timing), timing, signal };
  if (stream === null) {
    const pieces = await resultPieces(work);
    return piecesResponse(pieces, request.raw.headers, {
      "content-type": "application/json",
      "server-timing": work.timing.header(),
    });
  }
  const { timers } = work.service.ports;
  const turn = () => timers.wait(0);
  const frames = PROTOCOLS[stream](work.events, { context: work.context, turn });
  return eventStreamResponse(withErrorFrame(frames, work, request), {
    protocol: stream,
    timers,
    onCancel: leave,
  });
}

async function readInput(raw: Request, { ports }: CompileService): Promise<CompileInput> {
  using limit = deadline(ports.timers, raw.signal);
  return readCompileInput(await readBodyText(raw, limit.signal));
}

interface Work {
  readonly service: CompileService;
  readonly context: BuildContext;
  readonly events: AsyncIterable<CompileEvent>;
  readonly timing: ServerTiming;
  readonly signal: AbortSignal;
}

async function* timed(events: CompileEvents, timing: ServerTiming): CompileEvents {
  try {
    for await (const event of events) {
      if (event.kind === "progress") timing.begin(event.stage);
      yield event;
    }
  } finally {
    timing.end();
  }
}

/** Writes the document in pieces. The files, which are most of it, are formatted while the check still runs. */
async function resultPieces({ events, context }: Work): Promise<readonly Bytes[]> {
  let files: readonly OutputFile[] = [];
  let written: readonly Bytes[] = [];
  for await (const event of events) {
    if (event.kind === "emitted") {
      files = event.files;
      written = filePieces(files);
    }
    if (event.kind === "failed") throw compileFailed(event.errors);
    if (event.kind === "finished") {
      const { meta, commands, warnings } = buildResult(event, files, context);
      const encoder = new TextEncoder();
      return [
        encoder.encode(`{"meta":${JSON.stringify(meta)},"files":[`),
        ...written,
        encoder.encode(
          `],"commands":${JSON.stringify(commands)},"warnings":${JSON.stringify(warnings)}}`,
        ),
      ];
    }
  }
  throw new Error("A compile ended without a result");
}

/** Formats files as members of a JSON array. A single text of all files would be copied several times before it is sent. */
function filePieces(files: readonly OutputFile[]): readonly Bytes[] {
  const encoder = new TextEncoder();
  return files.map((file, at) => encoder.encode(`${at === 0 ? "" : ","}${JSON.stringify(file)}`));
}

async function* withErrorFrame(
  frames: AsyncGenerator<string, void, void>,
  { service, signal }: Work,
  { requestId }: ServiceRequest,
): AsyncGenerator<string, void, void> {
  try {
    yield* frames;
  } catch (error) {
    if (abortedBy(signal, error)) return;
    const refusal = refusalOf(error);
    if (refusal.code === "INTERNAL_ERROR") {
      service.ports.logger.log({ level: "error", message: "Compile failed", requestId, error });
    }
    yield errorFrame(refusal);
  }
}

/** Durations of a request's parts for the `Server-Timing` header. Bodies never contain times (definitions 7). */
class ServerTiming {
  readonly #timers: Pick<ServiceTimers, "now">;
  readonly #parts: string[] = [];
  #current: { readonly name: string; readonly since: number } | null = null;

  constructor(timers: Pick<ServiceTimers, "now">) {
    this.#timers = timers;
  }

  /** Starts a part and ends the one before it. */
  begin(name: string): void {
    this.end();
    this.#current = { name, since: this.#timers.now() };
  }

  /** Adds a fact beside the durations. */
  note(name: string, description: string): void {
    this.#parts.push(`${name};desc="${description}"`);
  }

  end(): void {
    if (this.#current === null) return;
    const { name, since } = this.#current;
    this.#parts.push(`${name};dur=${(this.#timers.now() - since).toFixed(1)}`);
    this.#current = null;
  }

  /** Returns the header's value (W3C Server Timing). */
  header(): string {
    return this.#parts.join(", ");
  }
}
