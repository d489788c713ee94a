/** Processes that hold still. */
import { until } from "./until.ts";

/** Holds a process still until it is sent `SIGCONT`: its connections stand, and nobody answers. */
export async function held(child: Deno.ChildProcess): Promise<void> {
  child.kill("SIGSTOP");
  await until("the process has stopped", () => hasStopped(child.pid));
}

/** The signal is taken by the process's threads when they next run, which takes a while on a busy machine. */
function hasStopped(pid: number): boolean {
  return [...Deno.readDirSync(`/proc/${pid}/task`)].every(({ name }) =>
    /\) T /.test(Deno.readTextFileSync(`/proc/${pid}/task/${name}/stat`))
  );
}
