/** The end of a command that serves: a signal, or the death of the process that started it. */
import { launchers, whenOneEnds } from "./launchers.ts";

const SIGNALS: readonly Deno.Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Aborts once. A second signal ends the process at once. */
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
