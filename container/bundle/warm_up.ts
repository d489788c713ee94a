/**
 * Modules that a bundler bundles in advance, because every output carries them. The engine optimizes its code after some
 * seconds of work, and until then a check takes three times as long (contract 4.8).
 */
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { Bundle, BundleOptions } from "./bundler.ts";

/** A group takes some tenth of a second, which is for how long a compile may have a rival. */
const GROUP = 10;
const GROUPS_MAX = 30;

/** TypeScript texts, a few at a time. */
export function warmUpGroups(files: RawFiles): readonly (readonly string[])[] {
  const texts = Object.entries(files).flatMap(([path, text]) => path.endsWith(".ts") ? [text] : []);
  const count = Math.min(GROUPS_MAX, Math.ceil(texts.length / GROUP));
  return Array.from({ length: count }, (_, at) => texts.slice(at * GROUP, (at + 1) * GROUP));
}

/** Throws when one of the texts does not bundle; what they import is left out. */
export async function bundleGroup(bundle: Bundle, texts: readonly string[]): Promise<void> {
  const { errors } = await bundle({ entries: { main: ALL }, plugin: groupPlugin(texts) });
  const [error] = errors;
  if (error) throw new Error(`What outputs carry does not bundle: ${error.text}`);
}

const ALL = "all";
const NAMESPACE = "group";

/** One module that exports the others, which are named by their places in the group. */
function groupPlugin(texts: readonly string[]): BundleOptions["plugin"] {
  const all = texts.map((_, place) => `export * as text${place} from "${place}";`).join("\n");
  return {
    name: "warm-up",
    setup(build) {
      build.onResolve(
        { filter: /.*/ },
        ({ path, importer }) =>
          importer === "" || importer === ALL
            ? { path, namespace: NAMESPACE }
            : { path, external: true },
      );
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        contents: path === ALL ? all : texts[Number(path)] ?? "",
        loader: "ts",
      }));
    },
  };
}

/**
 * Warms the bundlers of a process up in a thread of its own: the engine keeps optimized code once for all threads. Begins at
 * once, and ends by itself. `files`: those that outputs carry; `quiet` resolves when nobody compiles: until then the machine
 * is theirs.
 */
export function warmBundler(
  files: RawFiles,
  quiet: () => Promise<void>,
  onFailure: (error: Error) => void,
): Disposable {
  const script = new URL("../warm_up_worker.ts", import.meta.url);
  const worker = new Worker(script, { type: "module" });
  const groups = warmUpGroups(files).values();
  const next = async () => {
    await quiet();
    const { done, value } = groups.next();
    if (done) worker.terminate();
    else worker.postMessage(value);
  };
  worker.addEventListener("message", () => void next());
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    onFailure(new Error(`The bundler's warm-up ended: ${event.message}`));
  });
  void next();
  return { [Symbol.dispose]: () => worker.terminate() };
}
