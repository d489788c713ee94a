/** A task of the build service, or a command of its image, as a process on a port that the system chooses. */
import denoConfig from "../../deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);

/** A variable of its own that a task sets before its program. */
const ASSIGNMENT = /^\w+=/;

export type ServiceTask = "container" | "edge" | "router" | "service";

export class ServiceProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<unknown>;
  readonly #listening = Promise.withResolvers<string>();
  #said = "";

  constructor(
    task: ServiceTask | readonly string[],
    env: Readonly<Record<string, string>>,
    folder: string | URL = ROOT,
  ) {
    const words = typeof task === "string" ? denoConfig.tasks[task].split(" ") : task;
    const begin = words.findIndex((word) => !ASSIGNMENT.test(word));
    const [program, ...args] = words.slice(begin);
    if (program !== "deno") throw new Error(`Task ${task} does not start with deno`);
    const variables = Object.fromEntries(words.slice(0, begin).map((word) => word.split("=")));
    this.#child = new Deno.Command(Deno.execPath(), {
      args,
      cwd: folder,
      env: { ...variables, NO_COLOR: "1", PORT: "0", SERVICE_API_KEY: "", ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#reading = Promise.all([this.#read(this.#child.stdout), this.#read(this.#child.stderr)])
      .then(() => this.#listening.reject(new Error(`It ended\n${this.#said}`)));
    this.#listening.promise.catch(() => {});
  }

  /** Everything that it has printed. */
  get said(): string {
    return this.#said;
  }

  /** Where it listens: `http://127.0.0.1:<port>`; fails when it ends instead. */
  get address(): Promise<string> {
    return this.#listening.promise;
  }

  /** Its exit code, after a signal or by itself. */
  async end(signal?: Deno.Signal): Promise<number> {
    if (signal) this.#child.kill(signal);
    const { code } = await this.#child.status;
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      // It has ended already.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.#child.status;
    await this.#reading;
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      this.#said += text;
      const [, host, port] = /Listening on http:\/\/([^:]+):(\d+)/.exec(this.#said) ?? [];
      if (port !== undefined) this.#listening.resolve(`http://${reachable(host)}:${port}`);
    }
  }
}

function reachable(host: string | undefined): string {
  return host === "0.0.0.0" || host === undefined ? "127.0.0.1" : host;
}
