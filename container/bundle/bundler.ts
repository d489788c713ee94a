/** The bundler of this thread: `esbuild-wasm` without files, network or processes of its own (contract 4.8). */
import * as esbuild from "esbuild-wasm/esm/browser.js";

export type { Message, Metafile, OnResolveArgs, PluginBuild } from "esbuild-wasm/esm/browser.js";

export interface BundleOptions {
  /** Name in the output → what the plugin is asked for. */
  readonly entries: Readonly<Record<string, string>>;
  /** Answers every import and every load: nothing falls through to a file system. */
  readonly plugin: esbuild.Plugin;
  /** False for who reads no metafile: it takes time to write. */
  readonly metafile?: boolean;
}

export interface BundleResult {
  readonly errors: readonly esbuild.Message[];
  readonly warnings: readonly esbuild.Message[];
  /** Null when there are errors, or nobody reads it. */
  readonly metafile: esbuild.Metafile | null;
  readonly outputs: readonly Uint8Array<ArrayBuffer>[];
}

export type Bundle = (options: BundleOptions) => Promise<BundleResult>;

/** The library has one bundler for each thread, so that is what this file keeps, too. */
let running: Promise<Bundle> | null = null;

/** Starts it where it does not run yet. */
export function startBundler(): Promise<Bundle> {
  running ??= start();
  return running;
}

async function start(): Promise<Bundle> {
  // The library looks for the global scope under this name, which the threads of a compile pool do not have.
  if (!("self" in globalThis)) Object.defineProperty(globalThis, "self", { value: globalThis });
  const wasm = await Deno.readFile(new URL(import.meta.resolve("esbuild-wasm/esbuild.wasm")));
  // In this thread: behind the engine's own ones it would wait for what they optimize for other threads.
  await esbuild.initialize({ wasmModule: new WebAssembly.Module(wasm), worker: false });
  return (options) => bundle(esbuild.build, options);
}

/** Bundles with the given build function, which may be another edition of the same library, for comparisons. */
export async function bundle(
  build: typeof esbuild.build,
  { entries, plugin, metafile = true }: BundleOptions,
): Promise<BundleResult> {
  const result = await build({
    entryPoints: { ...entries },
    plugins: [plugin],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "esnext",
    platform: "neutral",
    outdir: "out",
    write: false,
    metafile,
    logLevel: "silent",
    logLimit: 0,
    // A tsconfig.json or package.json among the inputs means nothing.
    tsconfigRaw: "{}",
  }).catch((error) => {
    // A build with errors is thrown; anything else that is thrown is a failure of ours.
    if (!isBuildFailure(error)) throw error;
    return { errors: error.errors, warnings: error.warnings, metafile: null, outputFiles: null };
  });
  return {
    errors: result.errors,
    warnings: result.warnings,
    metafile: result.metafile ?? null,
    outputs: (result.outputFiles ?? []).map(({ contents }) => new Uint8Array(contents)),
  };
}

function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors) &&
    error.errors.length > 0 && "warnings" in error && Array.isArray(error.warnings);
}
