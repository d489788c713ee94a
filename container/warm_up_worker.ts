/** The thread of `warmBundler()`: bundles each group that it is sent, and says when it has. */
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
