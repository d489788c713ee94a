/** The test files of a run, and which of them share a process. */
import { secondsOf } from "./seconds.ts";

export interface Batch {
  readonly files: readonly string[];
  /** The only file of its process, because an earlier process died while it ran. */
  readonly alone: boolean;
}

/** Files that take longer than this have a process to themselves; others share one until they take as long together. */
const BATCH_SECONDS = 30;

/** Paths of all `_test.ts` files below some folders, and of files that are named themselves, sorted. */
export async function testFilesIn(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const plain = path.replace(/^\.\//, "").replace(/\/+$/, "");
    if ((await Deno.stat(plain)).isFile) found.push(plain);
    else await collect(plain, found);
  }
  return [...new Set(found)].sort();
}

async function collect(folder: string, into: string[]): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) await collect(path, into);
    else if (entry.name.endsWith("_test.ts")) into.push(path);
  }
}

/**
 * The files as batches, the longest first, so that no long one is left for the end. Which files share a process, and
 * their order in it, follow from the seed: a test that needs its neighbours fails sooner or later. Without a seed
 * neighbours stay together.
 */
export function batchesOf(files: readonly string[], seed: number | null): Batch[] {
  const batches: { readonly files: string[]; seconds: number }[] = [];
  let filling = { files: [] as string[], seconds: BATCH_SECONDS };
  for (const file of seed === null ? files : shuffled(files, seed)) {
    const seconds = secondsOf(file);
    if (seconds >= BATCH_SECONDS) {
      batches.push({ files: [file], seconds });
      continue;
    }
    if (filling.seconds + seconds > BATCH_SECONDS) {
      filling = { files: [], seconds: 0 };
      batches.push(filling);
    }
    filling.files.push(file);
    filling.seconds += seconds;
  }
  return batches.sort((a, b) => b.seconds - a.seconds)
    .map(({ files }) => ({ files, alone: false }));
}

/** The files in an order of the seed's choice (Fisher and Yates). */
function shuffled(files: readonly string[], seed: number): readonly string[] {
  const order = [...files];
  let state = seed >>> 0;
  for (let left = order.length; left > 1; left--) {
    // A linear congruential generator; its high bits are the random ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = Math.floor(state / 2 ** 32 * left);
    [order[left - 1], order[at]] = [order[at]!, order[left - 1]!];
  }
  return order;
}
