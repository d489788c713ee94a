/** A command that serves until it is stopped. */
import { until } from "../support/until.ts";
import { CONFIG, FLAGS, MAIN } from "./command_line.ts";

export class RunningCommand implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<unknown>;
  #hasEnded = false;
  #out = "";
  #err = "";

  constructor(
    args: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd,
      env: { NO_COLOR: "1", ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    void this.#child.status.then(() => this.#hasEnded = true);
    this.#reading = Promise.all([
      collect(this.#child.stdout, (text) => this.#out += text),
      collect(this.#child.stderr, (text) => this.#err += text),
    ]);
  }

  /** `dev` as its task runs it. */
  static dev(
    args: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>> = {},
  ): RunningCommand {
    const command = ["run", ...FLAGS, "--config", CONFIG, MAIN, "dev"];
    return new RunningCommand([...command, ...args], cwd, env);
  }

  get out(): string {
    return this.#out;
  }

  get err(): string {
    return this.#err;
  }

  /** Waits until both outputs together hold the text; fails at once when the command ends without it. */
  async says(text: string): Promise<void> {
    const what = `the command says ${JSON.stringify(text)}`;
    const hasSaid = () => this.#said.includes(text);
    await until(what, () => hasSaid() || this.#hasEnded, { context: () => this.#said });
    if (!hasSaid()) throw new Error(`It ended before ${what}\n${this.#said}`);
  }

  get #said(): string {
    return `${this.#out}\n${this.#err}`;
  }

  /** Sends the signal and waits for the exit code. */
  async end(signal: Deno.Signal): Promise<number> {
    this.#child.kill(signal);
    const { code } = await this.#child.status;
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGTERM");
    } catch (error) {
      // It has ended already, as it should have.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.#child.status;
    await this.#reading;
  }
}

/** True when somebody accepts connections there. */
export async function isListening(port: number): Promise<boolean> {
  try {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  add: (text: string) => void,
): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) add(text);
}
