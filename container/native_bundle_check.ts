/**
 * The bundle check by the native bundler, a program beside this process. It starts in a fraction of the time of WebAssembly,
 * which each command would have to wait for.
 */
import type { CompileHost } from "../shared/compiler/mod.ts";
import { bundleChecks, type CheckBundle } from "./bundle/bundle_check.ts";
import { bundle } from "./bundle/bundler.ts";

/** Disposing it ends the program. */
export interface NativeBundleCheck extends AsyncDisposable {
  readonly check: CheckBundle;
}

/** Starts the check. The first use fetches the bundler's package if it is missing. */
export async function startNativeBundleCheck(host: CompileHost): Promise<NativeBundleCheck> {
  const { build, stop } = await import("esbuild");
  return {
    check: bundleChecks(host, () => Promise.resolve((options) => bundle(build, options))),
    [Symbol.asyncDispose]: async () => await stop(),
  };
}
