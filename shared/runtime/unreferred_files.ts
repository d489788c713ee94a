/**
 * Bounds the size of a tenant's files to which no row refers (contract 4.7). The store's list and the rows are counted now and
 * then, and changes are added in the memory of one process between, so that it is no exact bound.
 */
import { COUNT_MAX_AGE_MS } from "../contract/mod.ts";
import { memo } from "../lib/memo.ts";
import {
  type FileStore,
  type FileWrite,
  type GivenAddress,
  StorageFullError,
  type UnreferredFiles,
  type UnreferredPool,
} from "./file_ports.ts";
import type { Clock } from "./ports.ts";

/** Milliseconds after which a full pool is counted again. */
const RECOUNTED_AFTER_MS = 10_000;
/** Milliseconds after which rows of a full pool are read again, even if nothing was sent meanwhile. */
const ASKED_AFTER_MS = 1000;
/** Objects that a request waits for; the rest of a longer list is read in the background. */
const AWAITED_OBJECTS = 10_000;
/** Maximum reads of the rows by one request while others send. */
const ASKED_TIMES = 3;
const POOLS_KEPT = 100_000;
/** Least share of a pool that an address counts as: the number of addresses is bounded, too. */
const ADDRESS_SHARE = 1 / 100_000;
const SPENT_KEPT = 100_000;

type Store = Pick<FileStore, "list" | "presign">;

export function unreferredFiles(store: Store, clock: Clock): UnreferredFiles {
  const counts = memo<PoolCount>(POOLS_KEPT);
  const spent = new Set<string>();
  let collections = 0;
  const means: CountMeans = { store, clock, collections: () => collections };
  const countOf = (pool: UnreferredPool) => counts(pool.files, () => new PoolCount(means));
  return {
    begin: (pool, write) => countOf(pool).begin(pool, write),
    require: (pool, own) => countOf(pool).require(pool, own),
    add: (pool, bytes) => countOf(pool).add(bytes),
    give: (pool, upload) => countOf(pool).give(pool, upload),
    spend(pool, upload) {
      countOf(pool).spend(upload);
      if (store.presign) return;
      if (spent.size >= SPENT_KEPT) spent.clear();
      spent.add(upload.key);
    },
    isSpent: (key) => spent.has(key),
    collected: () => void (collections += 1),
  };
}

interface CountMeans {
  readonly store: Store;
  readonly clock: Clock;
  /** Number of collections of the store that this process knows of. */
  readonly collections: () => number;
}

/** Counts the files of one pool. */
class PoolCount {
  /** Bytes that the last count of the store found. */
  #found = 0;
  #countedAt = -Infinity;
  #collections = 0;
  #counting: { readonly done: Promise<void>; readonly enough: Promise<void> } | null = null;
  /** Bytes that were put since the count. */
  #put = 0;
  /** Bytes to which rows referred at the count of the store, and at their last read. */
  #referred = { then: 0, last: 0 };
  #askedAt = -Infinity;
  #asking: Promise<void> | null = null;
  /** True when something was put or replaced since the last read of the rows. */
  #isUnasked = false;
  /** Bytes that were replaced since the count. */
  #replaced = 0;
  readonly #writes = new Map<string, readonly FileWrite[]>();
  /** Bytes that the writes in progress leave behind, at worst. */
  #leaving = 0;
  readonly #addresses = new Map<string, Pick<GivenAddress, "size" | "until">>();
  /** Bytes for which addresses were given. */
  #given = 0;
  #nextEnd = Infinity;
  /** Bytes of uploads that the last list found, at addresses that are not counted in `#given`. */
  #uploaded = 0;
  /** Bytes that may have been sent to addresses since the last list. */
  #guessed = 0;
  #listing: Promise<void> | null = null;

  constructor(private readonly means: CountMeans) {}

  async begin(
    pool: UnreferredPool,
    write: FileWrite,
  ): Promise<(kept: number | null) => void> {
    const { record } = write;
    const change = (next: (writes: readonly FileWrite[]) => readonly FileWrite[]) => {
      const before = this.#writes.get(record) ?? [];
      const after = next(before);
      this.#leaving += leftAtWorst(after) - leftAtWorst(before);
      if (after.length > 0) this.#writes.set(record, after);
      else this.#writes.delete(record);
    };
    const end = () => change((writes) => writes.filter((one) => one !== write));
    await this.#until(pool, () => {
      change((writes) => [...writes, write]);
      if (this.#used() <= pool.limit) return true;
      end();
      return false;
    });
    return (kept) => {
      end();
      if (kept === null) return;
      this.add(kept);
      this.#replaced += write.replaced;
    };
  }

  async require(pool: UnreferredPool, own: number): Promise<void> {
    await this.#until(pool, () => this.#used() - own <= pool.limit);
  }

  add(bytes: number): void {
    this.#put += bytes;
    this.#isUnasked = true;
  }

  async give(pool: UnreferredPool, { key, size, until }: GivenAddress): Promise<void> {
    const counted = Math.max(size, pool.limit * ADDRESS_SHARE);
    await this.#until(pool, () => {
      if (this.#used() + counted > pool.limit) return false;
      this.#addresses.set(key, { size: counted, until });
      this.#given += counted;
      this.#nextEnd = Math.min(this.#nextEnd, until);
      return true;
    });
  }

  spend({ key, size }: Pick<GivenAddress, "key" | "size">): void {
    const given = this.#addresses.get(key);
    this.#addresses.delete(key);
    if (given) this.#given -= given.size;
    else this.#uploaded = Math.max(0, this.#uploaded - size);
    // The holder of an address of a bucket may use it again.
    if (this.means.store.presign) this.#guessed += size;
  }

  /** Returns the maximum bytes to which no row refers. */
  #used(): number {
    this.#endAddresses();
    const { then, last } = this.#referred;
    const sent = Math.max(0, this.#put - (last - then)) + this.#replaced + this.#leaving;
    return this.#found + sent + this.#given + this.#uploaded + this.#guessed;
  }

  /** Ends expired addresses: bytes may have been sent to them before. */
  #endAddresses(): void {
    const now = this.means.clock.now();
    if (now < this.#nextEnd) return;
    this.#nextEnd = Infinity;
    for (const [key, { size, until }] of this.#addresses) {
      if (until > now) {
        this.#nextEnd = Math.min(this.#nextEnd, until);
        continue;
      }
      this.#addresses.delete(key);
      this.#given -= size;
      this.#guessed += size;
    }
  }

  /** Counts as exactly as needed for `enter` to find room; throws `StorageFullError` where there is none. */
  async #until(pool: UnreferredPool, enter: () => boolean): Promise<void> {
    const { clock, collections } = this.means;
    const age = () =>
      this.#collections === collections() ? clock.now() - this.#countedAt : Infinity;
    if (age() > COUNT_MAX_AGE_MS) await this.#counted(pool);
    if (enter()) return;
    for (let turn = 0; turn < ASKED_TIMES && this.#isAskedAnew(); turn++) {
      await this.#ask(pool);
      if (enter()) return;
    }
    if (this.#guessed > 0) {
      await this.#listUploads(pool);
      if (enter()) return;
    }
    if (age() > RECOUNTED_AFTER_MS) {
      await this.#counted(pool);
      if (enter()) return;
    }
    throw new StorageFullError("Files that no record refers to fill what they may have", {
      bound: { scope: "tenant", isUnreferred: true, limit: pool.limit },
    });
  }

  #isAskedAnew(): boolean {
    return this.#asking !== null || this.#isUnasked ||
      this.means.clock.now() - this.#askedAt > ASKED_AFTER_MS;
  }

  /** Reads the rows, or waits for a read in progress: bytes to which rows refer by now are not left behind. */
  #ask(pool: UnreferredPool): Promise<void> {
    const ask = async () => {
      const replaced = this.#replaced;
      this.#isUnasked = false;
      this.#askedAt = this.means.clock.now();
      const last = await pool.referred();
      this.#referred = { ...this.#referred, last };
      this.#replaced -= replaced;
    };
    return this.#asking ??= ask().finally(() => this.#asking = null);
  }

  async #counted(pool: UnreferredPool): Promise<void> {
    if (this.#counting === null) {
      const enough = Promise.withResolvers<void>();
      const done = this.#count(pool, enough.resolve).finally(() => this.#counting = null);
      // If no request waits for the count any more, the next one counts anew.
      done.catch(() => {});
      this.#counting = { done, enough: enough.promise };
    }
    await Promise.race([this.#counting.done, this.#counting.enough]);
  }

  async #count(pool: UnreferredPool, enough: () => void): Promise<void> {
    const { store, clock, collections } = this.means;
    const [at, known, put] = [clock.now(), collections(), this.#put];
    let bytes = 0;
    let objects = 0;
    for await (const { size } of store.list(pool.files)) {
      bytes += size;
      objects += 1;
      if (objects === AWAITED_OBJECTS) enough();
    }
    await this.#listUploads(pool);
    // A read of the rows that began before the list of files is too old.
    await this.#asking;
    await this.#ask(pool);
    const { last } = this.#referred;
    this.#found = Math.max(0, bytes - last);
    this.#referred = { then: last, last };
    this.#put -= put;
    this.#countedAt = at;
    this.#collections = known;
  }

  /** Lists the uploads by address, or waits for a list in progress. */
  #listUploads({ uploads }: UnreferredPool): Promise<void> {
    const list = async (start: string) => {
      const guessed = this.#guessed;
      let bytes = 0;
      for await (const { key, size } of this.means.store.list(start)) {
        const given = this.#addresses.get(key);
        if (given === undefined) bytes += size;
        else if (size > given.size) {
          this.#addresses.set(key, { ...given, size });
          this.#given += size - given.size;
        }
      }
      this.#uploaded = bytes;
      this.#guessed -= guessed;
    };
    if (uploads === null) return Promise.resolve();
    return this.#listing ??= list(uploads).finally(() => this.#listing = null);
  }
}

/**
 * Returns the bytes of the replaced files, and of all files on their way into one record but the smallest ones that find a
 * place.
 */
function leftAtWorst(writes: readonly FileWrite[]): number {
  if (writes.length === 0) return 0;
  const places = Math.min(...writes.map(({ places }) => places));
  const sizes = writes.map(({ size }) => size).sort((one, other) => other - one);
  const left = sizes.slice(0, Math.max(0, sizes.length - places));
  const replaced = Math.max(...writes.map(({ replaced }) => replaced));
  return left.reduce((sum, size) => sum + size, replaced);
}
