/** The thread of `BundleThread`. */
/// <reference lib="deno.worker" />
import { bundleChecks, type CheckBundle } from "./bundle/bundle_check.ts";
import { startBundler } from "./bundle/bundler.ts";
import { promptTimers } from "./bundle/prompt_timers.ts";
import type { BundleOrder } from "./worker_messages.ts";

promptTimers();
void startBundler();

const host = Promise.withResolvers<CheckBundle>();

self.addEventListener("message", ({ data }: MessageEvent<BundleOrder>) => {
  if (data.kind === "host") host.resolve(bundleChecks(data.host));
  // A failure ends this thread.
  else void host.promise.then((check) => check(data)).then((found) => self.postMessage(found));
});
