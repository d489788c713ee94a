/** A store that takes no more bytes than its operator allows (definitions 8, `STORAGE_MAX_BYTES`). */
import { type Clock, type FileStore, StorageFullError } from "../../shared/runtime/ports.ts";

export interface StoreLimit {
  /** Of all objects together. */
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** Milliseconds for which what was counted stands, but for this process's own uploads. */
const COUNTED_FOR_MS = 600_000;
/** The same where there seems to be no room. */
const RECOUNTED_AFTER_MS = 10_000;

export function limitedStore(store: FileStore, { maxBytes, clock }: StoreLimit): FileStore {
  let used = 0;
  let countedAt = -Infinity;
  const count = async () => {
    countedAt = clock.now();
    let sum = 0;
    for await (const { size } of store.list("")) sum += size;
    used = sum;
  };
  const requireRoom = async (bytes: number) => {
    const age = clock.now() - countedAt;
    const isOld = age > (used + bytes > maxBytes ? RECOUNTED_AFTER_MS : COUNTED_FOR_MS);
    if (isOld) await count();
    if (used + bytes > maxBytes) throw new StorageFullError(`More than ${maxBytes} bytes`);
  };
  const { presign } = store;
  return {
    ...store,
    ...(presign && {
      async presign(use, seconds) {
        if (use.method === "PUT") await requireRoom(use.size);
        return await presign(use, seconds);
      },
    }),
    async put(key, body) {
      await requireRoom(0);
      const kept = await store.put(
        key,
        async function* () {
          let bytes = 0;
          for await (const chunk of body) {
            bytes += chunk.length;
            await requireRoom(bytes);
            yield chunk;
          }
        }(),
      );
      used += kept.size;
      return kept;
    },
  };
}
