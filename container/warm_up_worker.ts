/** The thread of `warmBundler()`. It bundles each group that it receives and confirms it. */
/// <reference lib="deno.worker" />
import { startBundler } from "./bundle/bundler.ts";
import { promptTimers } from "./bundle/prompt_timers.ts";
import { bundleGroup } from "./bundle/warm_up.ts";

promptTimers();

self.addEventListener("message", ({ data }: MessageEvent<readonly string[]>) => {
  // A failure ends this thread.
  void startBundler().then((bundle) => bundleGroup(bundle, data)).then(() =>
    self.postMessage(null)
  );
});
