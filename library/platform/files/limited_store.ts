/** A file store with an operator's limit (definitions 8, `STORAGE_MAX_BYTES`, `STORAGE_MAX_BYTES_PER_TENANT`). */
import { COUNT_MAX_AGE_MS } from "../../../shared/contract/mod.ts";
import { memo } from "../../../shared/lib/memo.ts";
import type { Clock, FileStore } from "../../../shared/runtime/ports.ts";
import { StorageFullError, tenantOfKey } from "../../../shared/runtime/ports.ts";

export interface StoreLimits {
  /** Limit of all objects together; null: none. */
  readonly maxBytes: number | null;
  /** Limit of the objects of each tenant; null: none. */
  readonly maxBytesPerTenant: number | null;
  readonly clock: Clock;
}

/** Milliseconds after which a full store is counted again. */
const RECOUNTED_AFTER_MS = 10_000;
/** Most tenants whose bytes are cached. */
const TENANTS_KEPT = 100_000;

/** Bytes of all objects with a common prefix. */
interface Share {
  /** Throws `StorageFullError` if this many more bytes exceed the limit. */
  require(bytes: number): Promise<void>;
  add(bytes: number): void;
}

export function limitedStore(
  store: FileStore,
  { maxBytes, maxBytesPerTenant, clock }: StoreLimits,
): FileStore {
  const whole = maxBytes === null ? [] : [shareOf(store, clock, "", maxBytes)];
  const shares = memo<Share>(TENANTS_KEPT);
  const sharesOf = (key: string): readonly Share[] => {
    const tenant = maxBytesPerTenant === null ? null : tenantOfKey(key);
    if (tenant === null || maxBytesPerTenant === null) return whole;
    const own = () => shareOf(store, clock, tenant, maxBytesPerTenant, { scope: "tenant" });
    return [...whole, shares(tenant, own)];
  };
  const requireRoom = async (key: string, bytes: number) => {
    for (const share of sharesOf(key)) await share.require(bytes);
  };
  const { presign } = store;
  return {
    ...store,
    ...(presign && {
      async presign(use, seconds) {
        if (use.method === "GET") return await presign(use, seconds);
        await requireRoom(use.key, use.size);
        const request = await presign(use, seconds);
        // The bytes of a presigned upload do not pass through this process.
        for (const share of sharesOf(use.key)) share.add(use.size);
        return request;
      },
    }),
    async put(key, body) {
      await requireRoom(key, 0);
      const kept = await store.put(
        key,
        async function* () {
          let bytes = 0;
          for await (const chunk of body) {
            bytes += chunk.length;
            await requireRoom(key, bytes);
            yield chunk;
          }
        }(),
      );
      for (const share of sharesOf(key)) share.add(kept.size);
      return kept;
    },
  };
}

function shareOf(
  store: FileStore,
  clock: Clock,
  prefix: string,
  maxBytes: number,
  whose: { readonly scope?: "tenant" } = {},
): Share {
  let used = 0;
  let countedAt = -Infinity;
  const count = async () => {
    countedAt = clock.now();
    let sum = 0;
    for await (const { size } of store.list(prefix)) sum += size;
    used = sum;
  };
  return {
    async require(bytes) {
      const age = clock.now() - countedAt;
      const isOld = age > (used + bytes > maxBytes ? RECOUNTED_AFTER_MS : COUNT_MAX_AGE_MS);
      if (isOld) await count();
      if (used + bytes <= maxBytes) return;
      throw new StorageFullError(`More than ${maxBytes} bytes`, {
        bound: { ...whose, limit: maxBytes },
      });
    },
    add: (bytes) => void (used += bytes),
  };
}
