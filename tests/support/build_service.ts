/** Build services in this process, on a clock that the test moves. */
import {
  type Compiler,
  type CompileStore,
  createService,
  type ServiceLogEntry,
  type ServicePorts,
  type ServiceTimers,
} from "../../shared/service/mod.ts";
import { stepCompiler } from "../../shared/service/step_compiler.ts";
import { BARE_HOST, projectFiles } from "./sample_files.ts";

export const KEY = "test-key-of-16-or-more";

/** Timers that expire only when the test says so; a turn of the event loop is a real one. */
export class ManualTimers implements ServiceTimers {
  readonly #waiting = new Set<{ readonly at: number; readonly end: () => void }>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds === 0) return new Promise((resolve) => setTimeout(resolve));
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { at: this.#now + milliseconds, end: resolve };
    this.#waiting.add(waiting);
    signal?.addEventListener("abort", () => {
      this.#waiting.delete(waiting);
      resolve();
    });
    if (signal?.aborted) resolve();
    return promise;
  }

  /** Until somebody waits. */
  async untilAwaited(): Promise<void> {
    while (this.#waiting.size === 0) await new Promise((resolve) => setTimeout(resolve));
  }

  /** Ends what is due, and lets what follows from it happen. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (const waiting of this.#waiting) {
      if (waiting.at > this.#now) continue;
      this.#waiting.delete(waiting);
      waiting.end();
    }
    await settle();
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
}

export interface TestService {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly timers: ManualTimers;
  readonly logged: readonly ServiceLogEntry[];
}

export interface TestServiceOptions {
  readonly backend?: "edge" | "container";
  readonly apiKeys?: readonly string[];
  readonly running?: number;
  readonly waiting?: number;
  readonly compiler?: Compiler;
  readonly store?: CompileStore;
}

export function testPorts(): TestService & { readonly ports: ServicePorts } {
  const timers = new ManualTimers();
  const logged: ServiceLogEntry[] = [];
  let requests = 0;
  const ports = {
    timers,
    newRequestId: () => `request-${++requests}`,
    logger: { log: (entry: ServiceLogEntry) => void logged.push(entry) },
  };
  return { ports, timers, logged, fetch: () => Promise.reject(new Error("Not served")) };
}

export function testService(options: TestServiceOptions = {}): TestService {
  const { ports, timers, logged } = testPorts();
  const { backend = "container", apiKeys = [KEY], running = 2, waiting = 2 } = options;
  const service = createService({
    ports,
    store: options.store ?? null,
    compiler: options.compiler ?? stepCompiler({
      host: backend === "container" ? BARE_HOST : null,
      check: null,
      turn: () => timers.wait(0),
      now: () => timers.now(),
    }),
    settings: {
      backend,
      version: "0.0.0",
      baseUrl: "https://build.test",
      apiKeys,
      running,
      waiting,
      templates: backend === "edge" ? null : [{
        name: "notes",
        kind: "project",
        title: "Notes",
        description: "Notes",
        runtime: "deno",
        files: { "quickback/quickback.config.ts": "export default {}" },
      }],
    },
  });
  return { timers, logged, fetch: service.fetch };
}

export interface CompileRequestOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly origin?: string;
}

/** `POST /compile` with a known key. */
export function compileRequest(
  body: BodyInit,
  { query = "", headers = {}, signal, origin = "https://build.test" }: CompileRequestOptions = {},
): Request {
  return new Request(`${origin}/compile${query}`, {
    method: "POST",
    body,
    headers: { "x-api-key": KEY, "content-type": "application/json", ...headers },
    ...(signal ? { signal } : {}),
  });
}

/** The body of a project that compiles. */
export async function projectBody(example = "empty"): Promise<string> {
  const folder = new URL(`../../examples/${example}/`, import.meta.url);
  return JSON.stringify({ rawFiles: await projectFiles(folder) });
}

export const STREAM_V1 = { accept: "text/event-stream" } as const;
export const STREAM_V2 = { ...STREAM_V1, "x-service-stream": "v2" } as const;

export interface Frame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Every frame of a finished stream; comments are left out. */
export function framesOf(text: string): readonly Frame[] {
  return text.split("\n\n").filter((block) => block !== "" && !block.startsWith(":"))
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: record(JSON.parse(data)) };
    });
}

export async function json(response: Response): Promise<Readonly<Record<string, unknown>>> {
  return record(await response.json());
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new Error("Expected a JSON object");
  return Object.fromEntries(Object.entries(value));
}
