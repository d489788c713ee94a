/**
 * Modules that a bundler processes in advance, because every output carries them. The engine optimizes code after some seconds
 * of work; until then a check takes three times as long (contract 4.8).
 */
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { Bundle, BundleOptions } from "./bundler.ts";

/** Files in a group. A group takes about a tenth of a second, the longest that it delays a compile. */
const GROUP = 10;
const GROUPS_MAX = 30;

/** Returns TypeScript texts in small groups. */
export function warmUpGroups(files: RawFiles): readonly (readonly string[])[] {
  const texts = Object.entries(files).flatMap(([path, text]) => path.endsWith(".ts") ? [text] : []);
  const count = Math.min(GROUPS_MAX, Math.ceil(texts.length / GROUP));
  return Array.from({ length: count }, (_, at) => texts.slice(at * GROUP, (at + 1) * GROUP));
}

/** Bundles a group, without its imports. Throws if a text cannot be bundled. */
export async function bundleGroup(bundle: Bundle, texts: readonly string[]): Promise<void> {
  const { errors } = await bundle({ entries: { main: ALL }, plugin: groupPlugin(texts) });
  const [error] = errors;
  if (error) throw new Error(`What outputs carry does not bundle: ${error.text}`);
}

const ALL = "all";
const NAMESPACE = "group";

/** Makes a module that exports the others, which are named by their index in the group. */
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
 * Warms up the bundlers of a process in a thread of its own, because all threads share optimized code. It starts at once and
 * ends by itself. `files` are those that outputs carry. It works only after `quiet` resolves, which means that nobody compiles.
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
