/**
 * Watches the processes that started this one. `npx` does not pass signals on to the programs it starts, so a command that
 * serves until it is stopped also watches its launchers.
 */
import { kill } from "node:process";

const SHELL = /^(\S*\/)?(sh|bash|dash|zsh)$/;

interface Process {
  readonly id: number;
  readonly parent: number;
  readonly words: readonly string[];
}

/**
 * Returns the processes between the user and this one: `deno task`, its launcher, `npx`. A shell counts only below one of them;
 * the user's own shell may end.
 */
export function launchers(): readonly number[] {
  const chain: Process[] = [];
  for (let id = Deno.ppid; id > 1;) {
    const process = readProcess(id);
    // The process runs a task with deno, or the package; npm puts its own title there as one word.
    const line = process?.words.join(" ") ?? "";
    const isTask = /\bdeno\b/.test(line) && /\btask\b/.test(line);
    if (process === null || !(isTask || /\bquickback\b/.test(line))) break;
    chain.push(process);
    id = process.parent;
  }
  while (SHELL.test(chain.at(-1)?.words[0] ?? "")) chain.pop();
  return chain.map((process) => process.id);
}

/** Resolves when the first of the processes has ended; checks about once a second. */
export function whenOneEnds(processes: readonly number[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (processes.some((id) => !isAlive(id))) resolve();
    }, 1000);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  });
}

function isAlive(id: number): boolean {
  try {
    return kill(id, 0);
  } catch (error) {
    // Only "no such process" means that it has ended: the signal to another user's process is refused.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Reads the process table of Linux. On other systems there is none to read, and only signals end the command. */
function readProcess(id: number): Process | null {
  try {
    const stat = Deno.readTextFileSync(`/proc/${id}/stat`);
    const words = Deno.readTextFileSync(`/proc/${id}/cmdline`).split("\0").filter(Boolean);
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1];
    return parent === undefined ? null : { id, parent: Number(parent), words };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) {
      return null;
    }
    throw error;
  }
}
