/** Keeps what is built for a key, up to a number of keys; beyond, it begins anew. */
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
