/** A Redis of a test's own, on a port of its own; it can be killed and started again. */
import { held } from "./held.ts";
import { redisServer as redisBinary } from "./installed.ts";
import { withTempFolder } from "./temp_folder.ts";
import { freePort } from "./free_port.ts";

/** Null: Redis can be started here; otherwise why not. */
export function redisMissing(): string | null {
  return redisBinary() === null ? "redis-server is not installed" : null;
}

export interface RedisUnderTest {
  readonly url: string;
  /** Without warning: whatever it had not written down is gone. */
  kill(): Promise<void>;
  /** On the same port, with what it had written down. */
  restart(): Promise<void>;
  /** Holds the process still. */
  pause(): Promise<void>;
  resume(): void;
}

export interface RedisTestOptions {
  /** Writes every command down before it answers; otherwise Redis forgets all when it ends. */
  readonly durable?: boolean;
}

/** For `openRedis`: a busy machine's Redis is slow, and not away. */
export const PATIENT = { commandTimeout: 120_000 };

/** Ends with the body, whatever happens in it. */
export function withRedis<T>(
  body: (redis: RedisUnderTest) => Promise<T>,
  { durable = false }: RedisTestOptions = {},
): Promise<T> {
  return withTempFolder(async (folder) => {
    const port = String(freePort());
    const args = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
    if (durable) args.push("--appendonly", "yes", "--appendfsync", "always");
    let running: Deno.ChildProcess | null = await started(args);
    const kill = async () => {
      running?.kill("SIGKILL");
      await running?.status;
      running = null;
    };
    const restart = async () => {
      await kill();
      running = await started(args);
    };
    try {
      return await body({
        url: `redis://127.0.0.1:${port}`,
        kill,
        restart,
        pause: async () => {
          if (running !== null) await held(running);
        },
        resume: () => running?.kill("SIGCONT"),
      });
    } finally {
      await kill();
    }
  });
}

async function started(args: readonly string[]): Promise<Deno.ChildProcess> {
  const child = new Deno.Command(redisBinary() ?? "", {
    args: [...args],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  await saidReady(child.stdout);
  return child;
}

async function saidReady(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  for (let said = ""; !said.includes("Ready to accept connections");) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`redis-server ended: ${said}`);
    said += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
}
