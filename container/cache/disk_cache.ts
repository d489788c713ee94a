/** Bytes by key in a folder. An entry is written whole or not at all, and a damaged one counts as missing (traps 36). */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { bytesEqual, sha256 } from "../../shared/lib/bytes.ts";

interface DiskCacheOptions {
  readonly folder: string;
  /** Size beyond which the oldest entries are deleted. */
  readonly maxBytes: number;
  /** Is called with faults other than a missing entry. A broken cache costs time, but never an answer. */
  readonly onFault: (error: unknown) => void;
}

export class DiskCache {
  readonly #options: DiskCacheOptions;
  /** Bytes in the folder; null until it was read. Other processes may add to it. */
  #size: number | null = null;

  constructor(options: DiskCacheOptions) {
    this.#options = options;
  }

  /** Returns an entry; null if it is missing or damaged. */
  async get(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const entry = await Deno.readFile(this.#path(key));
      const content = entry.slice(HASH_BYTES);
      return bytesEqual(entry.subarray(0, HASH_BYTES), await sha256(content)) ? content : null;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) this.#options.onFault(error);
      return null;
    }
  }

  async set(key: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
    const { folder, maxBytes, onFault } = this.#options;
    if (content.byteLength > maxBytes) return;
    try {
      await Deno.mkdir(folder, { recursive: true });
      const entry = await new Blob([await sha256(content), content]).bytes();
      await this.#write(this.#path(key), entry);
      this.#size = this.#size === null ? null : this.#size + entry.byteLength;
      if (this.#size === null || this.#size > maxBytes) await this.#shrink();
    } catch (error) {
      onFault(error);
    }
  }

  /** Writes beside the entry and renames. A full disk leaves nothing. */
  async #write(path: string, entry: Uint8Array<ArrayBuffer>): Promise<void> {
    const draft = await Deno.makeTempFile({ dir: this.#options.folder, prefix: DRAFT });
    try {
      await Deno.writeFile(draft, entry);
      await Deno.rename(draft, path);
    } catch (error) {
      await ifThere(Deno.remove(draft));
      throw error;
    }
  }

  /** Deletes the oldest entries. Other processes may delete the same ones. */
  async #shrink(): Promise<void> {
    const { folder, maxBytes } = this.#options;
    const entries = await entriesOf(folder);
    let size = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const room = size > maxBytes ? maxBytes * KEPT_SHARE : maxBytes;
    for (const { path, bytes } of entries) {
      if (size <= room) break;
      await ifThere(Deno.remove(path));
      size -= bytes;
    }
    this.#size = size;
  }

  #path(key: string): string {
    if (!KEY.test(key)) throw new Error(`Cache key '${key}' is no SHA-256 hash`);
    return join(this.#options.folder, key);
  }
}

const HASH_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;
const DRAFT = "draft-";
const KEPT_SHARE = 0.75;

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly written: number;
}

/** Returns the entries, and drafts that were left behind, the oldest first. */
async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || !(KEY.test(name) || name.startsWith(DRAFT))) continue;
    const path = join(folder, name);
    const found = await ifThere(Deno.stat(path));
    if (found) entries.push({ path, bytes: found.size, written: found.mtime?.getTime() ?? 0 });
  }
  return entries.toSorted((a, b) => a.written - b.written);
}
