/** Files that take seconds to make, kept on disk for the next run. */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { sha256 } from "../../shared/lib/bytes.ts";

type Content = Uint8Array<ArrayBuffer>;

/**
 * Made when this version is not there yet; other versions of it are removed. The folder may be removed at any time; `version`
 * stays the same for as long as the file would be made the same.
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
  // Another run may read it meanwhile.
  const draft = `${file}.${crypto.randomUUID()}`;
  await Deno.writeFile(draft, made);
  await Deno.rename(draft, file);
  return made;
}

const ROOT = new URL("../../", import.meta.url);

/** Of the sources of this installation: an edit of a clone is another version. */
export async function sourcesVersion(): Promise<string> {
  const facts = ["deno.lock", "playground", "shared", "container"].map((name) =>
    changesBelow(new URL(name, ROOT))
  );
  return (await sha256((await Promise.all(facts)).join("\n"))).toHex().slice(0, 16);
}

/** Path, size and time of each file. */
async function changesBelow(place: URL): Promise<string> {
  const { isDirectory, size, mtime } = await Deno.stat(place);
  if (!isDirectory) return `${place.pathname} ${size} ${mtime?.getTime()}`;
  const names = (await Array.fromAsync(Deno.readDir(place))).map(({ name }) => name).toSorted();
  const below = names.map((name) => changesBelow(new URL(`${place.href}/${name}`)));
  return (await Promise.all(below)).join("\n");
}
