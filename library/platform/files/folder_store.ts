/** Files of records in a folder. An object is a file, which appears under its key only after it was written and synced. */
import { dirname, join } from "node:path";
import {
  type ByteRange,
  type FileStore,
  StorageFullError,
  type StoredObject,
} from "../../../shared/runtime/ports.ts";
import { ifThere } from "../if_there.ts";
import { OWN_FOLDER } from "../own_file.ts";

/**
 * Folder of uploads in progress. It is on the same file system, because a rename cannot cross file systems. No key starts with
 * it.
 */
const UPLOADS = ".uploads";
const CHUNK_BYTES = 256 * 1024;

export function folderStore(root: string): FileStore {
  const pathOf = (key: string) => {
    // A key must not lead out of the folder.
    if (!KEY.test(key)) throw new TypeError(`No key of a stored file: ${JSON.stringify(key)}`);
    return join(root, ...key.split("/"));
  };
  return {
    async put(key, body) {
      const path = pathOf(key);
      const upload = join(root, UPLOADS, crypto.randomUUID());
      await Deno.mkdir(dirname(upload), OWN_FOLDER);
      await requireRoom(root);
      try {
        const written = await writtenTo(upload, body);
        await Deno.mkdir(dirname(path), OWN_FOLDER);
        await Deno.rename(upload, path);
        await syncFolders(dirname(path), root);
        return written;
      } catch (error) {
        await ifThere(Deno.remove(upload));
        const isFull = error instanceof Error && "code" in error && NO_SPACE.includes(error.code);
        throw isFull ? new StorageFullError("The disk is full", { cause: error }) : error;
      }
    },
    get: (key, range) => opened(pathOf(key), range),
    async remove(key) {
      await ifThere(Deno.remove(key.startsWith(`${UPLOADS}/`) ? join(root, key) : pathOf(key)));
    },
    list: (prefix) => listed(root, prefix),
  };
}

const KEY = /^[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;

async function writtenTo(path: string, body: AsyncIterable<Uint8Array>) {
  // These modules are loaded on first use, because each adds some twenty milliseconds to a start.
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  let size = 0;
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for await (const chunk of body) {
    hash.update(chunk);
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
    size += chunk.length;
  }
  await file.sync();
  return { size, sha256: hash.digest("hex") };
}

/** Syncs the folders of a new file. Their entries survive a crash only then. */
async function syncFolders(folder: string, root: string): Promise<void> {
  for (let path = folder;; path = dirname(path)) {
    using opened = await Deno.open(path, { read: true });
    await opened.sync();
    if (path === root || dirname(path) === path) return;
  }
}

async function opened(
  path: string,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  const file = await ifThere(Deno.open(path, { read: true }));
  if (file === null) return null;
  const start = range?.start ?? 0;
  if (start > 0) await file.seek(start, Deno.SeekMode.Start);
  let left = range ? range.end - range.start + 1 : Infinity;
  const end = (controller?: ReadableStreamDefaultController) => {
    file.close();
    controller?.close();
  };
  return new ReadableStream({
    // Bytes are read on demand, so memory stays constant for any size.
    async pull(controller) {
      try {
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, left));
        const count = left === 0 ? null : await file.read(chunk);
        if (count === null) return end(controller);
        left -= count;
        controller.enqueue(chunk.subarray(0, count));
      } catch (error) {
        file.close();
        throw error;
      }
    },
    cancel: () => end(),
  }, { highWaterMark: 0 });
}

async function* listed(root: string, prefix: string): AsyncGenerator<StoredObject> {
  const folder = prefix.slice(0, Math.max(0, prefix.lastIndexOf("/")));
  for await (const key of keysBelow(root, folder)) {
    if (!key.startsWith(prefix)) continue;
    // The file may be deleted meanwhile.
    const { mtime = null, size = 0 } = await ifThere(Deno.stat(join(root, key))) ?? {};
    if (mtime !== null) yield { key, size, modifiedAt: mtime.getTime() };
  }
}

async function* keysBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await ifThere(Array.fromAsync(Deno.readDir(join(root, folder))));
  for (const { name, isDirectory } of entries ?? []) {
    const key = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory) yield* keysBelow(root, key);
    else yield key;
  }
}

/** Share of the disk that must stay free. A full disk would stop the database too. */
const FREE_MIN = 0.05;

async function requireRoom(root: string): Promise<void> {
  const { statfs } = await import("node:fs/promises");
  const { bavail, blocks } = await statfs(root);
  if (bavail < blocks * FREE_MIN) throw new StorageFullError("The disk is nearly full");
}

const NO_SPACE: readonly unknown[] = ["ENOSPC", "EDQUOT"];
