/** The bundler of this thread: `esbuild-wasm` without access to files, network or processes (contract 4.8). */
import * as esbuild from "esbuild-wasm/esm/browser.js";

export type { Message, Metafile, OnResolveArgs, PluginBuild } from "esbuild-wasm/esm/browser.js";

export interface BundleOptions {
  /** Maps an output name to the request for the plugin. */
  readonly entries: Readonly<Record<string, string>>;
  /** Answers every import and every load, so that no file system is needed. */
  readonly plugin: esbuild.Plugin;
  /** False to skip the metafile, which takes time to write. */
  readonly metafile?: boolean;
}

export interface BundleResult {
  readonly errors: readonly esbuild.Message[];
  readonly warnings: readonly esbuild.Message[];
  /** Null when there are errors, or the metafile was skipped. */
  readonly metafile: esbuild.Metafile | null;
  readonly outputs: readonly Uint8Array<ArrayBuffer>[];
}

export type Bundle = (options: BundleOptions) => Promise<BundleResult>;

/** The bundler of this thread. The library has only one, and this file starts it once. */
let running: Promise<Bundle> | null = null;

/** Starts the bundler unless it is running. */
export function startBundler(): Promise<Bundle> {
  running ??= start();
  return running;
}

async function start(): Promise<Bundle> {
  // The library expects the global scope under this name, which the threads of a compile pool lack.
  if (!("self" in globalThis)) Object.defineProperty(globalThis, "self", { value: globalThis });
  const wasm = await Deno.readFile(new URL(import.meta.resolve("esbuild-wasm/esbuild.wasm")));
  // The module is compiled in this thread, because the engine's own threads would queue it behind other work.
  await esbuild.initialize({ wasmModule: new WebAssembly.Module(wasm), worker: false });
  return (options) => bundle(esbuild.build, options);
}

/** Bundles with the given build function, which may be another edition of the library for comparisons. */
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
    // A tsconfig.json or package.json among the inputs is ignored.
    tsconfigRaw: "{}",
  }).catch((error) => {
    // The library throws a failed build. Any other error is a fault of this program.
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
