/** Ends a command that serves: by a signal, or when the process that started it ends. */
import { launchers, whenOneEnds } from "./launchers.ts";

const SIGNALS: readonly Deno.Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Returns a signal that aborts once. A second signal of the system ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    Deno.addSignalListener(name, () => {
      if (controller.signal.aborted) Deno.exit(130);
      controller.abort();
    });
  }
  void whenOneEnds(launchers(), controller.signal).then(() => controller.abort());
  return controller.signal;
}
