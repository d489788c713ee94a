/**
 * The bundle check by the bundler as a program beside this process: ready in a fraction of the time that WebAssembly takes,
 * which a command would pay each time.
 */
import type { CompileHost } from "../shared/compiler/mod.ts";
import { bundleChecks, type CheckBundle } from "./bundle/bundle_check.ts";
import { bundle } from "./bundle/bundler.ts";

/** Disposed, the program ends. */
export interface NativeBundleCheck extends AsyncDisposable {
  readonly check: CheckBundle;
}

/** Its package is fetched with the first use, where it is not here yet. */
export async function startNativeBundleCheck(host: CompileHost): Promise<NativeBundleCheck> {
  const { build, stop } = await import("esbuild");
  return {
    check: bundleChecks(host, () => Promise.resolve((options) => bundle(build, options))),
    [Symbol.asyncDispose]: async () => await stop(),
  };
}
