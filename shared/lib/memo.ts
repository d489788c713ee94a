/** Makes a value at the first call and keeps it. After a failure the next call tries again. */
export function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () =>
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
}

/** Makes a synchronous value at the first call and keeps it. */
export function madeOnce<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => made ??= make();
}

/** Keeps built values by key, up to a number of keys. Beyond it everything is dropped. */
export type Memo<T> = (key: string, build: () => T) => T;

export function memo<T>(keysMax: number): Memo<T> {
  const kept = new Map<string, T>();
  return (key, build) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= keysMax) kept.clear();
    const built = build();
    kept.set(key, built);
    return built;
  };
}

/** Keeps built values by owner and key. They are dropped with their owner at the latest. */
export type OwnedMemo<Owner extends object, T> = (owner: Owner, key: string, build: () => T) => T;

/** `keysMax` counts the keys of all owners. The value of a longer key than `keyMaxLength` is built each time. */
export function ownedMemo<Owner extends object, T>(
  { keysMax, keyMaxLength }: { readonly keysMax: number; readonly keyMaxLength: number },
): OwnedMemo<Owner, T> {
  let kept = new WeakMap<Owner, Map<string, T>>();
  let count = 0;
  return (owner, key, build) => {
    const known = kept.get(owner)?.get(key);
    if (known !== undefined) return known;
    const built = build();
    if (key.length > keyMaxLength) return built;
    if (count >= keysMax) {
      kept = new WeakMap();
      count = 0;
    }
    const own = kept.get(owner) ?? new Map<string, T>();
    kept.set(owner, own.set(key, built));
    count += 1;
    return built;
  };
}
