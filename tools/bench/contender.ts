/** Servers to be measured, each a process of its own, with the system's counts of it and its children. */
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { AUTH_SECRET, BASE_URL, type World } from "./world.ts";

/** `generated`: the compiled API. `hand`: what a careful team writes. `limit`: the most that the platform and SQLite can do. */
export const CONTENDERS = ["generated", "hand", "limit"] as const;
export type ContenderName = (typeof CONTENDERS)[number];

export interface Contender {
  readonly name: ContenderName;
  readonly origin: string;
  /** Milliseconds from the start of the process to its first 200. */
  readonly startMs: number;
  /** Returns the processor seconds that the processes have used. */
  cpuSeconds(): Promise<number>;
  /** Returns the megabytes that the processes hold. */
  memoryMb(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

const START_MAX_MS = 20_000;

interface StartOptions {
  readonly world: World;
  readonly database: string;
  /** URL of a libSQL server in place of the file. */
  readonly server?: string;
  readonly port: number;
  /** Additional flags of the platform. */
  readonly flags?: readonly string[];
  /** Path of a copy of the server's database for reads. Default: none. */
  readonly replica?: string;
}

/** Starts a contender over a database of its own and waits for its first answer. */
export async function startContender(
  name: ContenderName,
  { world, database, server, replica = "", port, flags = [] }: StartOptions,
): Promise<Contender> {
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const main = {
    generated: join(world.output, "src", "main.ts"),
    hand: file("hand_written_api.ts"),
    limit: file("limit_api.ts"),
  }[name];
  const permissions = ["net", "read", "write", "env", "sys", "ffi"].map((one) => `--allow-${one}`);
  // The output's own start task sets these flags and permissions.
  const own = name === "generated" ? await startFlags(world.output) : [];
  const since = performance.now();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, ...own, ...flags, main],
    cwd: name === "generated" ? world.output : fileURLToPath(new URL("..", import.meta.url)),
    env: {
      PORT: String(port),
      HOST: "127.0.0.1",
      BASE_URL,
      AUTH_SECRET,
      DATABASE_URL: server ?? `file:${database}`,
      DATABASE_REPLICA: replica,
      DATABASE_FILE: database,
      NO_COLOR: "1",
    },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const origin = `http://127.0.0.1:${port}`;
  await answered(`${origin}/health`, since);
  return {
    name,
    origin,
    startMs: performance.now() - since,
    cpuSeconds: () => sumOver(process.pid, cpuSecondsOf),
    memoryMb: () => sumOver(process.pid, memoryMbOf),
    async [Symbol.asyncDispose]() {
      process.kill("SIGTERM");
      await process.status;
    },
  };
}

async function startFlags(output: string): Promise<readonly string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(output, "deno.json")));
  return String(tasks.start).split(" ").filter((word) => word.startsWith("--v8-flags="));
}

async function answered(url: string, since: number): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(url);
      await response.body?.cancel();
      if (response.ok) return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    if (performance.now() - since > START_MAX_MS) throw new Error(`No answer from ${url}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function sumOver(pid: number, of: (pid: number) => Promise<number>): Promise<number> {
  const children = (await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`)).trim();
  const parts = [of(pid)];
  for (const child of children === "" ? [] : children.split(" ")) {
    parts.push(sumOver(Number(child), of));
  }
  return (await Promise.all(parts)).reduce((sum, one) => sum + one, 0);
}

const TICKS_PER_SECOND = 100;

/** Reads fields 14 and 15 of /proc/<pid>/stat, which follow the name in brackets. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function memoryMbOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
