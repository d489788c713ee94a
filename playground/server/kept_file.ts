/** Caches files that take seconds to make on disk for the next run. */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { sha256 } from "../../shared/lib/bytes.ts";

type Content = Uint8Array<ArrayBuffer>;

/**
 * Returns a cached file, made first if this version is missing; other versions of it are removed. The folder may be deleted at
 * any time. `version` stays the same as long as the file would be made the same.
 */
export async function keptFile(
  folder: string,
  name: string,
  version: string,
  make: () => Promise<Content>,
): Promise<Content> {
  const file = join(folder, `${version}-${name}`);
  const kept = await ifThere(Deno.readFile(file));
  if (kept !== null) return kept;
  const made = await make();
  await Deno.mkdir(folder, { recursive: true });
  for await (const { name: other } of Deno.readDir(folder)) {
    if (other.endsWith(`-${name}`)) await Deno.remove(join(folder, other));
  }
  // Another run may read the file meanwhile.
  const draft = `${file}.${crypto.randomUUID()}`;
  await Deno.writeFile(draft, made);
  await Deno.rename(draft, file);
  return made;
}

const ROOT = new URL("../../", import.meta.url);

/** Returns a version of this installation's sources: an edit of a clone gives another version. */
export async function sourcesVersion(): Promise<string> {
  const facts = ["deno.lock", "playground", "shared", "container"].map((name) =>
    changesBelow(new URL(name, ROOT))
  );
  return (await sha256((await Promise.all(facts)).join("\n"))).toHex().slice(0, 16);
}

/** Lists path, size and time of each file. */
async function changesBelow(place: URL): Promise<string> {
  const { isDirectory, size, mtime } = await Deno.stat(place);
  if (!isDirectory) return `${place.pathname} ${size} ${mtime?.getTime()}`;
  const names = (await Array.fromAsync(Deno.readDir(place))).map(({ name }) => name).toSorted();
  const below = names.map((name) => changesBelow(new URL(`${place.href}/${name}`)));
  return (await Promise.all(below)).join("\n");
}
