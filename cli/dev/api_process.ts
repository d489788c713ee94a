/** Runs one API: the compiled project in its own process, with the permissions of its `start` task. */
import { startArguments } from "./start_command.ts";
import { readLogLine } from "./log_line.ts";
import { TextLineStream } from "./text_lines.ts";

export interface ApiProcess {
  /** Port on loopback. */
  readonly port: number;
  /** Resolves with the exit code, whatever ended the process. */
  readonly ended: Promise<number>;
  /** Asks the process to end, kills it after a while, and waits for its end. */
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

/** Error of an API that ended or did not answer before it served; the message contains its output. */
export class ApiStartError extends Error {
  override readonly name = "ApiStartError";
}

const END_WITH_PARENT = new URL("./end_with_parent.ts", import.meta.url);
const START_MILLISECONDS = 120_000;
const STOP_MILLISECONDS = 5_000;
const POLL_MILLISECONDS = 50;
const LOOPBACK = "127.0.0.1";

/** Starts the API; resolves when it answers on /health. */
export async function startApi(
  options: StartOptions & {
    /** Folder of the compiled project. */
    readonly folder: string;
    /** Port; 0: one that the system chooses. */
    readonly port: number;
    /** Called with each line that the API prints once it serves. */
    readonly onLine: (line: string) => void;
  },
): Promise<ApiProcess> {
  const [verb = "run", ...rest] = await startArguments(options.folder);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      verb,
      "--no-prompt",
      // The watch is preloaded last: while it runs, a module preloaded after it would never count as finished, and the API
      // would never load.
      ...[...options.preloaded, END_WITH_PARENT].map(({ href }) => `--preload=${href}`),
      ...rest,
    ],
    cwd: options.folder,
    env: {
      ...options.environment,
      // Other clients reach the API only through the relay.
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
      // Reads the port from the line with the API's address; 0: it is another line.
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

/** Waits for the API; returns null once it is healthy, or else the reason why it will not be. */
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
    // The API does not listen yet, or its answer takes too long: it is tried again.
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
    // The process has already ended by itself.
    if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
  }
}
