/**
 * The runtime of outputs, bundled into a few JavaScript modules beside its sources. A start reads these instead of hundreds of
 * files (docs/decisions/package.md).
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtPath, VERSION } from "../shared/compiler/front.ts";
import type { CompileHost, RawFiles } from "../shared/compiler/host.ts";
import { sha256Hex } from "../shared/lib/bytes.ts";
import { CARRIED_FOLDER } from "./bundle/paths.ts";
import { DiskCache } from "./cache/disk_cache.ts";
import { ENTRIES, readCompileHost, readPins, vendoredPath } from "./host.ts";
import { readText } from "./repository_files.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Bundles on disk, beside the sources. If the folder cannot be written to, each process builds its own. */
const kept = new DiskCache({
  folder: join(ROOT, ".quickback", "built"),
  maxBytes: 8 * 1024 * 1024,
  onFault: () => {},
});

/** Reads this repository's files as the host of outputs that run built modules. */
export function readBuiltHost(): Promise<CompileHost> {
  return withBuiltRuntime(readCompileHost({ version: VERSION }));
}

/** Returns the host with built modules: earlier ones of the same sources and code, or new ones. */
export async function withBuiltRuntime(host: CompileHost): Promise<CompileHost> {
  const maker = [readText("container/built_runtime.ts"), readPins().get("esbuild"), [...ENTRIES]];
  const sources = Object.entries(host.vendored).flat().join("\0");
  const key = await sha256Hex(JSON.stringify(maker) + sources);
  const known = await kept.get(key);
  if (known !== null) return { ...host, built: JSON.parse(new TextDecoder().decode(known)) };
  const built = await build();
  await kept.set(key, new TextEncoder().encode(JSON.stringify(built)));
  return { ...host, built };
}

/** Bundler options for modules of ours that Deno runs. Packages are left to Deno. */
export const BUILT_MODULES = {
  write: false,
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "neutral",
  format: "esm",
  target: "esnext",
  // A tsconfig.json above the repository is ignored.
  tsconfigRaw: "{}",
} as const;

/** Builds the modules, by path in the output. */
async function build(): Promise<RawFiles> {
  const { buildSync } = await import("esbuild");
  const entries = [...ENTRIES].map(([name, path]) => [builtPath(name), path] as const);
  // The build is synchronous: it starts a program of its own, and stops no other build.
  const { outputFiles } = buildSync({
    ...BUILT_MODULES,
    entryPoints: entries.map(([built, path]) => ({
      in: join(ROOT, path),
      out: built.replace(/\.js$/, ""),
    })),
    absWorkingDir: ROOT,
    outdir: ROOT,
    chunkNames: "built/chunks/[name]-[hash]",
    logLevel: "silent",
  });
  const sourceOf = new Map(entries);
  return Object.fromEntries(outputFiles.map(({ path, text }) => {
    const built = path.slice(ROOT.length).replaceAll("\\", "/");
    const source = sourceOf.get(built);
    // Types come from the source, which a comment names by its path in the output.
    const types = source === undefined ? "" : `// @ts-self-types="${sourceFrom(built, source)}"\n`;
    return [CARRIED_FOLDER + built, types + text.replaceAll(/^\/\/ shared\//gm, "// ")];
  }));
}

/** Maps `built/model/access.js` and `shared/model/access.ts` to `../../model/access.ts`. */
function sourceFrom(built: string, source: string): string {
  return built.replaceAll(/[^/]+\//g, "../").replace(/[^/]+$/, "") +
    vendoredPath(source).slice(CARRIED_FOLDER.length);
}

// Builds in advance, for places where nothing can be written beside the sources later.
if (import.meta.main) await readBuiltHost();
