/** The test files of a run, and which of them share a process. */

export interface Batch {
  readonly files: readonly string[];
  /** The only file of its process, because an earlier process died while it ran. */
  readonly alone: boolean;
}

/** Folders whose files take seconds each, and how many of them share a process; other folders' files are quick. */
const SLOW: readonly (readonly [folder: string, files: number])[] = [
  ["tests/package/", 1],
  ["tests/cli/", 2],
  ["tests/browser/", 2],
  ["tests/differential/", 2],
  ["tests/contract/", 5],
  ["tests/compiler/", 8],
];
const QUICK = 20;

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

/** The files as batches, the slow folders first, so that no long batch is left for the end. */
export function batchesOf(files: readonly string[]): Batch[] {
  const quick = files.filter((file) => SLOW.every(([folder]) => !file.startsWith(folder)));
  return [
    ...SLOW.flatMap(([folder, size]) =>
      inBatches(files.filter((file) => file.startsWith(folder)), size)
    ),
    ...inBatches(quick, QUICK),
  ];
}

function inBatches(files: readonly string[], size: number): readonly Batch[] {
  const count = Math.ceil(files.length / size);
  return Array.from(
    { length: count },
    (_, index) => ({ files: files.slice(index * size, (index + 1) * size), alone: false }),
  );
}
