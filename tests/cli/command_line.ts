/** Runs the command line as a person does: a process with arguments, and what it printed. */
import { fileURLToPath } from "node:url";

export const MAIN = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
export const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Waits for its end. */
export async function runCli(args: readonly string[], options: RunOptions): Promise<Run> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", CONFIG, MAIN, ...args],
    cwd: options.cwd,
    env: { ...options.env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

export async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
