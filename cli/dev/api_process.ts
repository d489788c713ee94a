/** One running API: the compiled project in a process of its own, with the permissions of its `start` task. */
import { startArguments } from "./start_command.ts";
import { readLogLine } from "./log_line.ts";
import { TextLineStream } from "./text_lines.ts";

export interface ApiProcess {
  /** On loopback. */
  readonly port: number;
  /** Resolves with the exit code, whoever ended it. */
  readonly ended: Promise<number>;
  /** Asks it to end, insists after a while, and waits until it is gone. */
  stop(): Promise<void>;
}

/** Additions of `dev` to the process. */
export interface StartOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Modules that run before the API does. */
  readonly preloaded: readonly URL[];
}

/** Current destination of the lines. */
interface LineSink {
  onLine: (line: string) => void;
}

/** It ended or kept silent before it served; the message holds what it printed. */
export class ApiStartError extends Error {
  override readonly name = "ApiStartError";
}

const END_WITH_PARENT = new URL("./end_with_parent.ts", import.meta.url);
const START_MILLISECONDS = 120_000;
const STOP_MILLISECONDS = 5_000;
const POLL_MILLISECONDS = 50;
const LOOPBACK = "127.0.0.1";

/** Resolves when it answers on /health. */
export async function startApi(
  options: StartOptions & {
    /** The compiled project. */
    readonly folder: string;
    /** 0: one that the system chooses. */
    readonly port: number;
    /** Called with each line that it prints once it serves. */
    readonly onLine: (line: string) => void;
  },
): Promise<ApiProcess> {
  const [verb = "run", ...rest] = await startArguments(options.folder);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      verb,
      "--no-prompt",
      // The watch last: once it has begun, no preloaded module has nothing left to do, and the API would never load.
      ...[...options.preloaded, END_WITH_PARENT].map(({ href }) => `--preload=${href}`),
      ...rest,
    ],
    cwd: options.folder,
    env: {
      ...options.environment,
      // Others reach it through the relay alone.
      HOST: LOOPBACK,
      PORT: String(options.port),
      NO_COLOR: "1",
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const startup: string[] = [];
  let { port } = options;
  const output: LineSink = {
    onLine: (line) => {
      startup.push(line);
      // Of the line that says where it listens; 0: it is another line.
      if (port === 0) {
        port = Number(/^Listening on http:\S+:(\d+)\/$/.exec(readLogLine(line).text)?.[1] ?? 0);
      }
    },
  };
  const reading = Promise.all(
    [child.stdout, child.stderr].map((stream) => readLines(stream, output)),
  );
  const ended = child.status.then(({ code }) => code);
  const failure = await untilHealthy(() => port, ended);
  if (failure !== null) {
    await stop(child);
    await reading;
    throw new ApiStartError([failure, ...startup].join("\n"));
  }
  output.onLine = options.onLine;
  return { port, ended, stop: () => stop(child) };
}

/** Null once it is healthy, else why it will not be. */
async function untilHealthy(port: () => number, ended: Promise<number>): Promise<string | null> {
  const state: { exitCode: number | null } = { exitCode: null };
  void ended.then((code) => state.exitCode = code);
  const deadline = Date.now() + START_MILLISECONDS;
  while (Date.now() < deadline) {
    if (state.exitCode !== null) return `The API ended with code ${state.exitCode}`;
    if (port() !== 0 && await isHealthy(port())) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
  return `The API did not answer within ${START_MILLISECONDS / 1000} s`;
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://${LOOPBACK}:${port}/health`, {
      signal: AbortSignal.timeout(STOP_MILLISECONDS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    // Nobody listens yet, or the answer takes too long: asked again.
    if (error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}

async function readLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  output: LineSink,
): Promise<void> {
  const lines = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) output.onLine(line);
}

async function stop(child: Deno.ChildProcess): Promise<void> {
  signal(child, "SIGTERM");
  const insist = setTimeout(() => signal(child, "SIGKILL"), STOP_MILLISECONDS);
  await child.status;
  clearTimeout(insist);
}

function signal(child: Deno.ChildProcess, name: Deno.Signal): void {
  try {
    child.kill(name);
  } catch (error) {
    // It has ended by itself in the meantime.
    if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
  }
}
