/** Runs the command line as a person does: a process with arguments, and what it printed. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import picocolors from "picocolors";

export { withSteadyFolder as inFolder } from "../support/temp_folder.ts";

export const MAIN = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
export const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** How Deno runs it, as the tasks of the repository say. */
export const FLAGS = ["--unstable-lazy-dynamic-imports", "-A"];

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** As a process, and waits for its end. */
export async function runCli(args: readonly string[], options: RunOptions): Promise<Run> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...FLAGS, "--config", CONFIG, MAIN, ...args],
    cwd: options.cwd,
    env: { ...options.env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/**
 * The same in this process, at a third of the cost: for tests of what a command does. Each command has a test that starts it
 * as a process. One at a time: the working folder and the environment are the process's own.
 */
export async function runHere(
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
): Promise<Run> {
  // The bundler starts its program in the folder where it was loaded, and a test's folder is gone with the test.
  await import("esbuild");
  const { main } = await import("../../cli/main.ts");
  const said = { out: "", err: "" };
  const colors = picocolors.createColors(false);
  const before = {
    cwd: Deno.cwd(),
    env: Object.keys(env).map((name) => [name, Deno.env.get(name)]),
  };
  // A library of the browser tests keeps the working folder, and lets go of it in Node's own `chdir` alone.
  process.chdir(cwd);
  for (const [name, value] of Object.entries(env)) Deno.env.set(name, value);
  try {
    const code = await main(args, {
      out: (text) => void (said.out += `${text}\n`),
      err: (text) => void (said.err += `${text}\n`),
      progress: () => {},
      outColors: colors,
      errColors: colors,
    });
    return { code, ...said };
  } finally {
    process.chdir(before.cwd);
    for (const [name = "", value] of before.env) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}
