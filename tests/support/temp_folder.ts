/** Folders that exist for the length of one test. */
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `below`: default is the system's folder for such. */
export async function withTempFolder<T>(
  body: (folder: string) => Promise<T>,
  below?: string,
): Promise<T> {
  const folder = await Deno.makeTempDir({
    prefix: "quickback-",
    ...(below === undefined ? {} : { dir: below }),
  });
  try {
    return await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * A folder at the first free of a few paths, the same ones in every run. Deno keeps what it makes of modules by their paths
 * and texts: programs that are started in such a folder find it there, and leave nothing new behind.
 *
 * `name`: of those paths; with one that only one test uses, it is the very same path each time.
 */
export async function withSteadyFolder<T>(
  body: (folder: string) => Promise<T>,
  name = "test",
): Promise<T> {
  const folder = await claimedFolder(name);
  try {
    return await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A folder is its maker's: others at the same time get the next one. */
async function claimedFolder(name: string): Promise<string> {
  const parent = await Deno.realPath(tmpdir());
  for (let number = 1;; number += 1) {
    const folder = join(parent, `quickback-${name}-${number}`);
    try {
      await Deno.mkdir(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}
