/** The thread that prebundles what outputs carry, while the service starts. */
/// <reference lib="deno.worker" />
import { prebundles } from "./bundle/bundle_checks.ts";
import { promptTimers } from "./bundle/prompt_timers.ts";
import { ownFacts } from "./cache/own_facts.ts";
import type { HostFiles } from "./worker_messages.ts";

promptTimers();

self.addEventListener("message", ({ data }: MessageEvent<HostFiles>) => {
  // A failure ends the thread, and with it the service: its own files do not fit together.
  void tellAll(data);
}, { once: true });

async function tellAll(host: HostFiles): Promise<void> {
  for await (const one of prebundles(host, ownFacts())) self.postMessage(one);
  self.postMessage(null);
}
